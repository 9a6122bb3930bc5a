import type { Actor } from '../../platform/actor.ts'
import { JsonColumns, type TextRow } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal, Filter, readPage } from '../../platform/db/page.ts'
import { asText, sql } from '../../platform/db/sql.ts'
import { firstIdAt, timeOf } from '../../platform/db/uuid-time.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { Json } from '../../platform/json.ts'
import type { Provider } from '../credentials.ts'
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

/** A call as far as it moves. */
export type CallRow = {
  call_id: string
  status: CallStatus
  mode: 'live' | 'test'
  provider: Provider
  provider_call_id: string | null
  to_number: string | null
  from_number: string
  persona_id: string | null
  dispatch: unknown
  duration_seconds: number | null
  api_key_id: string | null
  /** Unix milliseconds. */
  created_ms: number
  ended: boolean
  /** Whom it called was erased: nothing is stored any more that tells who that was. */
  erased: boolean
  checks: number
}

export type NewCall = {
  callId: string
  provider: Provider
  to: string
  from: string
  personaId: string | null
  instructions: string | null
  variables: Record<string, string>
  metadata: Record<string, unknown>
}

/** How many seconds after it was placed a call counts against the cap, and when its provider is asked first. */
export type Deadlines = { slotSeconds: number; checkSeconds: number }

/** Writes a call that is about to be dialled, if fewer than `cap` are under way; false if there are that many. */
export async function insertCall(
  tx: OrgTx,
  actor: Actor,
  call: NewCall,
  cap: number,
  { slotSeconds, checkSeconds }: Deadlines,
): Promise<boolean> {
  const { orgId, mode, apiKeyId } = actor
  // Sent together, and by itself each: the count is taken by who holds the lock, and sees what those before committed.
  const [, inserted] = await Promise.all([
    tx.run({
      text: `select pg_advisory_xact_lock(hashtextextended('call slots ' || $1 || $2, 0))`,
      values: [orgId, mode],
    }),
    tx.run({
      text: `
        insert into call (org_id, call_id, mode, status, provider, to_number, from_number, persona_id, instructions,
          variables, metadata, api_key_id, created_at, slot_until, check_at)
        select $1, $2, $3, 'dispatching', $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0),
          clock_timestamp() + make_interval(secs => $13), clock_timestamp() + make_interval(secs => $14)
        where (
          select count(*) from call where org_id = $1 and mode = $3 and slot_until > clock_timestamp()
        ) < $15`,
      values: [
        ...[orgId, call.callId, mode, call.provider, call.to, call.from, call.personaId, call.instructions],
        ...[JSON.stringify(call.variables), JSON.stringify(call.metadata), apiKeyId, timeOf(call.callId)],
        ...[slotSeconds, checkSeconds, cap],
      ],
    }),
  ])
  return inserted > 0
}

/** How many calls of the mode count against the cap. */
export async function countSlots(tx: OrgTx, orgId: string, mode: 'live' | 'test'): Promise<number> {
  const row = await tx.first<{ taken: number }>({
    text: `
      select count(*)::int as taken from call
      where org_id = $1 and mode = $2 and slot_until > clock_timestamp()`,
    values: [orgId, mode],
  })
  return row!.taken
}

/** A call that nobody else moves until the transaction ends; undefined if the org has none of this id. */
export function holdCall(tx: OrgTx, orgId: string, callId: string): Promise<CallRow | undefined> {
  return readRow(tx, orgId, callId, 'for no key update')
}

/** The same without holding it. */
export function readRow(tx: OrgTx, orgId: string, callId: string, lock = ''): Promise<CallRow | undefined> {
  return tx.first<CallRow>({
    text: `
      select call_id, status, mode, provider, provider_call_id, to_number, from_number, persona_id, dispatch,
        duration_seconds, api_key_id, round(extract(epoch from created_at) * 1000)::bigint as created_ms,
        ended_at is not null as ended, erased, checks
      from call where org_id = $1 and call_id = $2 ${lock}`,
    values: [orgId, callId],
  })
}

/** A call as the API shows it. @throws DomainError not_found */
export async function findCall(org: Org, callId: string): Promise<Json> {
  return asJson(await org.readRows(one(org.orgId, callId)))
}

/** The same, as it is within a transaction. @throws DomainError not_found */
export async function findCallIn(tx: OrgTx, orgId: string, callId: string): Promise<Json> {
  return asJson(await tx.rows(one(orgId, callId)))
}

const one = (orgId: string, callId: string) =>
  asText(sql<TextRow>`select ${wire.columns} from call c where c.org_id = ${orgId} and c.call_id = ${callId}`)

function asJson([row]: TextRow[]): Json {
  if (!row) throw noCall()
  return new Json(wire.object(row, 0))
}

export const noCall = () => notFound('No call of this organization has this id')

/** The org's calls, newest first. */
export function listCalls(
  org: Org,
  cursors: Cursors,
  query: CallQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { status, to_number: to, created_since: since } = query
  const filter = new Filter(org.orgId, 'c')
    .where(status, (p) => sql`c.status = ${p}`)
    .where(to, (p) => sql`c.to_number = ${p}`)
    .where(since === undefined ? undefined : firstIdAt(since), (p) => sql`c.call_id >= ${p}::uuid`)
  const filtered = status !== undefined || to !== undefined || since !== undefined
  const total = filtered
    ? sql`select count(*) from call c where ${filter.conditions}`
    : exactTotal(org.orgId, 'call')
  const list = JSON.stringify(['calls', status, to, since])
  return readPage(org, cursors, { list, from: sql`call c`, id: sql`c.call_id`, wire, filter, total }, query)
}
