import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { eraseAnswers } from '../../../platform/idempotency/stored-answers.ts'
import { eraseRequests } from '../call-back/erase.ts'

/** How many days spam is kept: long enough to notice that a person was mistaken for a program. */
const spamDays = 30

/** Erases the submissions of erased contacts, and all other submissions of the same visitors. */
export async function eraseSubmissions(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  await eraseRequests(tx, contactIds)
  const gone = await tx.rows(sql<{ submission_id: string }>`
    delete from form_submission s where s.org_id = ${tx.orgId} and s.visitor_id in (
      select visitor_id from form_submission where org_id = ${tx.orgId} and contact_id = any (${contactIds}::uuid[]))
    returning submission_id`)
  const submissionIds = gone.map((row) => row.submission_id)
  if (submissionIds.length > 0) await eraseAnswers(tx, submissionIds)
}

/**
 * Deletes at most `limit` submissions that have been spam for 30 days, of all organizations, with their requests to be
 * called. Without the submission, erasing a contact would not find the number in its request.
 * @returns how many submissions there were
 */
export function deleteOldSpam(tx: Tx, limit: number, now: number = Date.now()): Promise<number> {
  const firstKept = new Date(now - spamDays * 86_400_000)
  return tx.run(sql`
    with gone as (
      delete from form_submission where (org_id, submission_id) in (
        select org_id, submission_id from form_submission where status = 'spam' and created_at < ${firstKept} limit ${limit})
      returning org_id, submission_id
    ), requests as (
      delete from call_back_request r using gone where r.org_id = gone.org_id and r.submission_id = gone.submission_id
    )
    select from gone`)
}
