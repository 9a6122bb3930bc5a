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
import { suppress } from '../../../voice/suppressions/suppressions.ts'
import type { FormDefinition } from '../schema.ts'
import { openDays } from './expire.ts'
import type { CallBackRequest, RequestQuery } from './schema.ts'
import type { CallBack } from './settings.ts'

const wire = new JsonColumns('r', {
  request_id: 'uuid',
  form_id: 'uuid',
  form_name: { sql: 'f.name', kind: 'text' },
  form_version: 'integer',
  submission_id: 'uuid',
  contact_id: { sql: 's.contact_id', kind: 'uuid' },
  mode: 'text',
  status: 'text',
  reason: 'text',
  number: 'text',
  country: 'text',
  automatic: 'boolean',
  call_at: 'seconds',
  call_id: 'uuid',
  api_key_id: 'uuid',
  member_id: 'uuid',
  decided_at: 'seconds',
  created_at: 'seconds',
})

const from = sql`call_back_request r
  join form f on f.org_id = r.org_id and f.form_id = r.form_id
  left join form_submission s on s.org_id = r.org_id and s.submission_id = r.submission_id`

/** Returns the requests of the org, newest first. */
export function listRequests(
  org: Org,
  cursors: Cursors,
  query: RequestQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { status, form_id: formId, number, mode } = query
  const filter = new Filter(org.orgId, 'r')
    .where(status, (word) => sql`r.status = ${word}`)
    .where(formId, (id) => sql`r.form_id = ${id}`)
    .where(number, (text) => sql`r.number = ${text}`)
    .where(mode, (word) => sql`r.mode = ${word}`)
  const list = JSON.stringify(['call-back requests', status, formId, number, mode])
  return readPage(org, cursors, { list, from, id: sql`r.request_id`, wire, filter }, query)
}

/** A call-back request as answers show it. @throws DomainError not_found */
export async function readRequest(tx: OrgTx, requestId: string): Promise<Json> {
  const [row] = await tx.rows(
    withTextRows(sql<TextRow>`
      select ${wire.columns} from ${from} where r.org_id = ${tx.orgId} and r.request_id = ${requestId}`),
  )
  if (!row) throw unknownRequest()
  return new Json(wire.object(row, 0))
}

export type RequestRow = Pick<CallBackRequest, 'status' | 'mode' | 'number' | 'country' | 'form_id'> & {
  form_name: string
  /** Whether the form can still be sent. */
  is_live: boolean
  /** The settings of the form now; if it has none, the settings when the person sent it. */
  call_back: CallBack
  /** Whether the form still asks for calls. */
  is_asked: boolean
  is_old: boolean
}

type StoredRow = Omit<RequestRow, 'call_back' | 'is_asked'> & { now: FormDefinition; seen: FormDefinition }

/** Locks a request. Returns undefined if there is none. */
export async function lockRequest(tx: OrgTx, requestId: string): Promise<RequestRow | undefined> {
  const row = await tx.first(sql<StoredRow>`
    select r.status, r.mode, r.number, r.country, r.form_id, f.name as form_name, f.status = 'live' as is_live,
      f.definition as now, v.definition as seen, r.created_at < now() - make_interval(days => ${openDays}) as is_old
    from call_back_request r
    join form f on f.org_id = r.org_id and f.form_id = r.form_id
    join form_version v on v.org_id = r.org_id and v.form_id = r.form_id and v.version = r.form_version
    where r.org_id = ${tx.orgId} and r.request_id = ${requestId} for no key update of r`)
  if (!row) return undefined
  const { now, seen, ...rest } = row
  const callBack = now.call_back ?? seen.call_back
  if (!callBack) throw new Error(`Request ${requestId} belongs to a version of a form without calls`)
  return { ...rest, call_back: callBack, is_asked: Boolean(now.call_back) }
}

/**
 * Locks a request that a person decides.
 * @throws DomainError not_found; conflict if it was decided or has expired
 */
export async function lockUndecided(tx: OrgTx, requestId: string): Promise<RequestRow> {
  const row = await lockRequest(tx, requestId)
  if (!row) throw unknownRequest()
  if (row.status !== 'waiting' && row.status !== 'scheduled')
    throw conflict(
      'call_back_request_decided',
      `This request is ${row.status}, so it can no longer be decided. Each request leads to at most one call.`,
    )
  if (row.is_old)
    throw conflict(
      'call_back_request_expired',
      `This request is older than ${openDays} days. Call only people who still expect it.`,
    )
  return row
}

/** Stores that a locked request is about to be called. */
export async function markCalled(
  tx: OrgTx,
  requestId: string,
  { callId, isAutomatic }: { callId: string; isAutomatic: boolean },
): Promise<void> {
  const { apiKeyId, memberId } = tx.actor
  await tx.run(sql`
    update call_back_request set status = 'called', reason = null, call_id = ${callId}, automatic = ${isAutomatic},
      api_key_id = ${apiKeyId}, member_id = ${memberId}, decided_at = clock_timestamp()
    where org_id = ${tx.orgId} and request_id = ${requestId}`)
  await recordEvents(tx, [
    {
      type: 'call_back_request.called',
      objectId: requestId,
      data: { call_id: callId, automatic: isAutomatic },
    },
  ])
}

/**
 * Declines a request.
 * @param isSuppressed whether the number gets onto the suppression list
 * @throws DomainError not_found; conflict if it was decided or has expired
 */
export async function declineRequest(tx: OrgTx, requestId: string, isSuppressed: boolean): Promise<Json> {
  const { number } = await lockUndecided(tx, requestId)
  const { apiKeyId, memberId } = tx.actor
  await tx.run(sql`
    update call_back_request set status = 'declined', reason = null, call_at = null, automatic = false,
      api_key_id = ${apiKeyId}, member_id = ${memberId}, decided_at = clock_timestamp()
    where org_id = ${tx.orgId} and request_id = ${requestId}`)
  await recordEvents(tx, [{ type: 'call_back_request.declined', objectId: requestId }])
  if (isSuppressed)
    await suppress(tx, [{ number, reason: 'call_not_wanted', source: 'call_back_request', since: null }])
  return readRequest(tx, requestId)
}

/** Refuses the open requests of the form whose submissions are spam or reverted. */
export async function closeRequests(tx: OrgTx, formId: string): Promise<void> {
  const closed = await tx.rows(sql<{ request_id: string }>`
    update call_back_request r set status = 'refused', reason = 'spam', call_at = null, automatic = false
    where r.org_id = ${tx.orgId} and r.form_id = ${formId} and r.status in ('waiting', 'scheduled') and exists (
      select from form_submission s
      where s.org_id = r.org_id and s.submission_id = r.submission_id and s.status <> 'accepted')
    returning r.request_id`)
  const ids = closed.map((row) => row.request_id)
  await recordEvents(
    tx,
    ids.map((objectId) => ({ type: 'call_back_request.refused', objectId, data: { form_id: formId } })),
  )
}

const unknownRequest = () =>
  notFound('object_not_found', 'No call-back request of this organization has this id')
