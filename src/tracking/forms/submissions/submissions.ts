import { contacts } from '../../../contacts/contacts.ts'
import { recordEvents } from '../../../events/record.ts'
import { JsonColumns, type TextRow } from '../../../platform/db/json-columns.ts'
import type { Org } from '../../../platform/db/org.ts'
import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql, withTextRows } from '../../../platform/db/sql.ts'
import { conflict, notFound } from '../../../platform/domain-error.ts'
import type { Cursors } from '../../../platform/http/cursor.ts'
import type { Pagination } from '../../../platform/http/endpoint.ts'
import { Json } from '../../../platform/json.ts'
import { Filter, readPage } from '../../../platform/page.ts'
import { lockRecords } from '../../../records/lock.ts'
import { setArchived } from '../../../records/write.ts'
import { closeRequests } from '../call-back/requests.ts'
import type { FormDefinition } from '../schema.ts'
import type { SubmissionQuery } from './schema.ts'
import { acceptSubmission } from './store.ts'

const wire = new JsonColumns('s', {
  submission_id: 'uuid',
  form_id: 'uuid',
  form_version: 'integer',
  mode: 'text',
  status: 'text',
  spam_reason: 'text',
  answers: 'jsonb',
  consent: 'boolean',
  contact_id: 'uuid',
  created_contact: 'boolean',
  visitor_id: 'uuid',
  write_key_id: 'uuid',
  page_url: 'text',
  created_at: 'seconds',
})

/** Returns the submissions of the org, newest first. */
export function listSubmissions(
  org: Org,
  cursors: Cursors,
  query: SubmissionQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { form_id: formId, contact_id: contactId, status, mode } = query
  const filter = new Filter(org.orgId, 's')
    .where(formId, (id) => sql`s.form_id = ${id}`)
    .where(contactId, (id) => sql`s.contact_id = ${id}`)
    .where(status, (word) => sql`s.status = ${word}`)
    .where(mode, (word) => sql`s.mode = ${word}`)
  const list = JSON.stringify(['form submissions', formId, contactId, status, mode])
  const source = { list, from: sql`form_submission s`, id: sql`s.submission_id`, wire, filter }
  return readPage(org, cursors, source, query)
}

/** A submission as answers show it. @throws DomainError not_found */
export async function readSubmission(tx: OrgTx, submissionId: string): Promise<Json> {
  const [row] = await tx.rows(
    withTextRows(sql<TextRow>`
      select ${wire.columns} from form_submission s
      where s.org_id = ${tx.orgId} and s.submission_id = ${submissionId}`),
  )
  if (!row) throw unknownSubmission()
  return new Json(wire.object(row, 0))
}

/**
 * Marks an accepted submission as spam, and archives the contact that only this submission made. Repeating it has no
 * effect.
 * @throws DomainError not_found; conflict for a reverted submission
 */
export async function markSpam(tx: OrgTx, submissionId: string): Promise<Json> {
  const { status, contact_id: contactId, form_id: formId } = await lockSubmission(tx, submissionId)
  if (status === 'reverted')
    throw conflict('submission_reverted', 'This submission was reverted. Restore it first.')
  if (status === 'accepted') {
    await tx.run(sql`
      update form_submission set status = 'spam', spam_reason = 'person'
      where org_id = ${tx.orgId} and submission_id = ${submissionId}`)
    if (contactId) await archiveMade(tx, [contactId])
    await closeRequests(tx, formId)
    await recordEvents(tx, [{ type: 'form_submission.marked_spam', objectId: submissionId }])
  }
  return readSubmission(tx, submissionId)
}

/**
 * Accepts a submission that counted as spam, or that was reverted, as if it had just arrived. Repeating it has no effect.
 * @throws DomainError not_found
 */
export async function restoreSubmission(tx: OrgTx, submissionId: string): Promise<Json> {
  const row = await lockSubmission(tx, submissionId)
  if (row.status === 'accepted') return readSubmission(tx, submissionId)
  // The job of the revert may not have run yet. The contact must not keep what other reverted submissions wrote.
  if (row.reverting && row.contact_id) await archiveMade(tx, [row.contact_id])
  await tx.run(sql`
    update form_submission
    set status = 'accepted', spam_reason = null, reverting = false, contact_id = null,
      created_contact = false, contact_version = null
    where org_id = ${tx.orgId} and submission_id = ${submissionId}`)
  await recordEvents(tx, [{ type: 'form_submission.restored', objectId: submissionId }])
  const { form_id: formId, name, form_version: formVersion, definition, answers, consent } = row
  await acceptSubmission(tx, {
    ...{ submissionId, formId, formName: name, formVersion, definition, answers, consent },
    ...{ visitorId: row.visitor_id, at: row.created_at, mode: row.mode },
    // Nothing proves who restores a submission, so a person must approve its call.
    ...{ isProven: false, isOverCallLimit: false },
  })
  return readSubmission(tx, submissionId)
}

type Row = {
  status: 'accepted' | 'spam' | 'reverted'
  contact_id: string | null
  /** Whether the job of a revert still has to archive the contact. */
  reverting: boolean
  form_id: string
  name: string
  form_version: number
  definition: FormDefinition
  answers: Record<string, unknown>
  consent: boolean | null
  visitor_id: string
  mode: 'live' | 'test'
  created_at: number
}

async function lockSubmission(tx: OrgTx, submissionId: string): Promise<Row> {
  const row = await tx.first(sql<Row>`
    select s.status, s.contact_id, s.reverting, s.form_id, f.name, s.form_version, v.definition, s.answers, s.consent,
      s.visitor_id, s.mode,
      floor(extract(epoch from s.created_at))::bigint as created_at
    from form_submission s
    join form f on f.org_id = s.org_id and f.form_id = s.form_id
    join form_version v on v.org_id = s.org_id and v.form_id = s.form_id and v.version = s.form_version
    where s.org_id = ${tx.orgId} and s.submission_id = ${submissionId} for no key update of s`)
  if (!row) throw unknownSubmission()
  return row
}

/**
 * Archives the contacts that the submissions made, except contacts that somebody else changed or an accepted submission wrote.
 * @returns the number of archived contacts
 */
export async function archiveMade(tx: OrgTx, contactIds: readonly string[]): Promise<number> {
  // Submissions made all versions of the contact, so nobody else changed it.
  const rows = await tx.rows(sql<{ contact_id: string }>`
    select c.contact_id from contact c
    where c.org_id = ${tx.orgId} and c.contact_id = any (${contactIds}::uuid[]) and c.status = 'active'
      and c.claimed_by is not null and c.facts is null
      and exists (
        select from form_submission s
        where s.org_id = c.org_id and s.contact_id = c.contact_id and s.created_contact and s.status <> 'accepted')
      and not exists (
        select from form_submission s
        where s.org_id = c.org_id and s.contact_id = c.contact_id and s.status = 'accepted')
      and c.version = (
        select count(distinct s.contact_version) from form_submission s
        where s.org_id = c.org_id and s.contact_id = c.contact_id)
    order by c.contact_id for update`)
  const ids = rows.map((row) => row.contact_id)
  if (ids.length > 0) await setArchived(tx, contacts, await lockRecords(tx, contacts, ids), true)
  return ids.length
}

const unknownSubmission = () => notFound('object_not_found', 'No submission of this organization has this id')
