import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { JsonColumns, type TextRow } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal } from '../../platform/db/record-totals.ts'
import { sql, withTextRows } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { firstIdAt, timeOf } from '../../platform/db/uuid-time.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import type { ProviderName } from '../credentials.ts'
import type { CallQuery, CallStatus } from './schema.ts'

const wire = new JsonColumns('c', {
  call_id: 'uuid',
  status: 'text',
  mode: 'text',
  provider: 'text',
  provider_call_id: 'text',
  to_number: 'text',
  from_number: 'text',
  persona_id: 'uuid',
  instructions: 'text',
  variables: 'json',
  metadata: 'json',
  duration_seconds: 'integer',
  error: 'json',
  created_at: 'seconds',
  ended_at: 'seconds',
})

export type CallMode = 'live' | 'test'

/** The columns of a call that change until its end, and columns that these changes need. */
export type CallRow = Columns<
  'call',
  | 'call_id'
  | 'provider_call_id'
  | 'to_number'
  | 'from_number'
  | 'persona_id'
  | 'dispatch'
  | 'duration_seconds'
  | 'api_key_id'
  | 'member_id'
  | 'connected_app_id'
  // The API key, or the member and app, that asked to cancel the call.
  | 'canceled_by_api_key_id'
  | 'canceled_by_member_id'
  | 'canceled_by_connected_app_id'
  // Whether the contact was erased. Then no stored column identifies the contact.
  | 'erased'
  | 'checks'
> & {
  status: CallStatus
  mode: CallMode
  provider: ProviderName
  /** The time of creation in Unix milliseconds. */
  created_ms: number
  ended: boolean
}

export type NewCall = {
  callId: string
  provider: ProviderName
  to: string
  from: string
  personaId: string | null
  instructions: string | null
  variables: Record<string, string>
  metadata: Record<string, unknown>
}

/**
 * Times in seconds after a call is placed: when it stops counting against the cap, and when its provider is first
 * polled.
 */
export type Deadlines = { slotSeconds: number; checkSeconds: number }

/** Stores a call before it is dialed. Returns false, and stores nothing, if `cap` calls already run. */
export async function insertCall(
  tx: OrgTx,
  call: NewCall,
  cap: number,
  { slotSeconds, checkSeconds }: Deadlines,
): Promise<boolean> {
  const { mode, apiKeyId, memberId, connectedAppId = null } = tx.actor
  // Send two statements in one round trip: the count needs a newer snapshot than the lock.
  const [, inserted] = await Promise.all([
    lockExclusive(tx, `call slots ${tx.orgId}${mode}`),
    tx.run(sql`
      insert into call (org_id, call_id, mode, status, provider, to_number, from_number, persona_id, instructions,
        variables, metadata, api_key_id, member_id, connected_app_id, created_at, slot_until, check_at)
      select ${tx.orgId}, ${call.callId}, ${mode}, 'dispatching', ${call.provider}, ${call.to}, ${call.from},
        ${call.personaId}, ${call.instructions}, ${JSON.stringify(call.variables)}, ${JSON.stringify(call.metadata)},
        ${apiKeyId}, ${memberId}, ${connectedAppId}, to_timestamp(${timeOf(call.callId)} / 1000.0),
        clock_timestamp() + make_interval(secs => ${slotSeconds}),
        clock_timestamp() + make_interval(secs => ${checkSeconds})
      where (
        select count(*) from call where org_id = ${tx.orgId} and mode = ${mode} and slot_until > clock_timestamp()
      ) < ${cap}`),
  ])
  return inserted > 0
}

/** Returns how many calls of a mode count against the cap. */
export async function countSlots(tx: OrgTx, mode: CallMode): Promise<number> {
  const counted = await tx.first(sql<{ taken: number }>`
    select count(*)::int as taken from call
    where org_id = ${tx.orgId} and mode = ${mode} and slot_until > clock_timestamp()`)
  return counted?.taken ?? 0
}

/** Locks a call until the transaction ends. */
export const lockCall = (tx: OrgTx, callId: string): Promise<CallRow | undefined> =>
  tx.first(sql<CallRow>`${selectCall(tx, callId)} for no key update`)

/** Reads a call without a lock. */
export const readCall = (tx: OrgTx, callId: string): Promise<CallRow | undefined> =>
  tx.first(selectCall(tx, callId))

/** Stores the API key, or the member and app, that asked to cancel a call. */
export async function storeCanceler(tx: OrgTx, callId: string): Promise<void> {
  const { apiKeyId, memberId, connectedAppId = null } = tx.actor
  await tx.run(sql`
    update call set canceled_by_api_key_id = ${apiKeyId}, canceled_by_member_id = ${memberId},
      canceled_by_connected_app_id = ${connectedAppId}
    where org_id = ${tx.orgId} and call_id = ${callId} and ended_at is null`)
}

const selectCall = ({ orgId }: OrgTx, callId: string) => sql<CallRow>`
  select call_id, status, mode, provider, provider_call_id, to_number, from_number, persona_id, dispatch,
    duration_seconds, api_key_id, member_id, connected_app_id, canceled_by_api_key_id, canceled_by_member_id,
    canceled_by_connected_app_id, round(extract(epoch from created_at) * 1000)::bigint as created_ms,
    ended_at is not null as ended, erased, checks
  from call where org_id = ${orgId} and call_id = ${callId}`

/** Reads a call as answers show it. @throws DomainError not_found */
export async function findCall(org: Org, callId: string): Promise<Json> {
  return callJson(await org.readRows(callById(org.orgId, callId)))
}

/**
 * Reads a call as answers show it. Sees the changes of the open transaction.
 * @throws DomainError not_found
 */
export async function findCallIn(tx: OrgTx, callId: string): Promise<Json> {
  return callJson(await tx.rows(callById(tx.orgId, callId)))
}

const callById = (orgId: string, callId: string) =>
  withTextRows(
    sql<TextRow>`select ${wire.columns} from call c where c.org_id = ${orgId} and c.call_id = ${callId}`,
  )

function callJson([row]: TextRow[]): Json {
  if (!row) throw callNotFound()
  return new Json(wire.object(row, 0))
}

/** The error for an id that is not the id of a call of the organization. */
export const callNotFound = () => notFound('object_not_found', 'No call of this organization has this id')

/** Lists the org's calls, newest first. */
export function listCalls(
  org: Org,
  cursors: Cursors,
  query: CallQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { status, to_number: to, created_since: since } = query
  const filter = new Filter(org.orgId, 'c')
    .where(status, (value) => sql`c.status = ${value}`)
    .where(to, (value) => sql`c.to_number = ${value}`)
    .where(since === undefined ? undefined : firstIdAt(since), (value) => sql`c.call_id >= ${value}::uuid`)
  const filtered = status !== undefined || to !== undefined || since !== undefined
  const total = filtered
    ? sql`select count(*) from call c where ${filter.conditions}`
    : exactTotal(org.orgId, 'call')
  const list = JSON.stringify(['calls', status, to, since])
  return readPage(org, cursors, { list, from: sql`call c`, id: sql`c.call_id`, wire, filter, total }, query)
}
