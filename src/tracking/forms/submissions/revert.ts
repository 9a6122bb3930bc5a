import { z } from 'zod'
import { recordEvents } from '../../../events/record.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../../platform/db/sql.ts'
import type { JobIdentity } from '../../../platform/jobs/identity.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { closeRequests } from '../call-back/requests.ts'
import { unknownForm } from '../forms.ts'
import type { RevertedForm, RevertForm } from './schema.ts'
import { archiveMade } from './submissions.ts'

// Write the limit as a literal. With a parameter, PostgreSQL would sort all submissions of the revert.
const submissionsPerStep = rawSql('limit 500')

const payload = z.object({ org_id: z.string() })

/** Archives the contacts of reverted submissions. */
export const archiveRevertedJob: JobIdentity<z.output<typeof payload>> = {
  name: 'archive_reverted_submissions',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId }) => `reverted submissions ${orgId}`,
}

/**
 * Reverts the accepted submissions of a form in a time window. A job archives the contacts that only they made.
 * @throws DomainError not_found
 */
export async function revertSubmissions(
  tx: OrgTx,
  jobs: Jobs,
  formId: string,
  { since, until }: RevertForm,
): Promise<RevertedForm> {
  const form = await tx.first(
    sql`select from form where org_id = ${tx.orgId} and form_id = ${formId} for share`,
  )
  if (!form) throw unknownForm()
  const rows = await tx.first(sql<RevertedForm>`
    with reverted as (
      update form_submission set status = 'reverted', reverting = contact_id is not null
      where org_id = ${tx.orgId} and form_id = ${formId} and status = 'accepted'
        and created_at >= to_timestamp(${since}) and created_at < to_timestamp(${(until ?? Math.ceil(Date.now() / 1000)) + 1})
      returning created_contact)
    select count(*)::int as submissions, (count(*) filter (where created_contact))::int as contacts from reverted`)
  const reverted = rows ?? { submissions: 0, contacts: 0 }
  await closeRequests(tx, formId)
  if (reverted.submissions > 0) {
    await jobs.enqueue(tx, archiveRevertedJob, { org_id: tx.orgId })
    await recordEvents(tx, [
      { type: 'form.reverted', objectId: formId, data: { submissions: reverted.submissions } },
    ])
  }
  return reverted
}

/** Archives the contacts of the next reverted submissions. Returns true if none is left. */
export async function archiveNextReverted(tx: OrgTx): Promise<boolean> {
  const rows = await tx.rows(sql<{ contact_id: string }>`
    update form_submission s set reverting = false
    where org_id = ${tx.orgId} and submission_id in (
      select submission_id from form_submission where org_id = ${tx.orgId} and reverting
      order by submission_id ${submissionsPerStep} for update)
    returning s.contact_id`)
  await archiveMade(tx, [...new Set(rows.map((row) => row.contact_id))])
  return rows.length === 0
}
