import { JsonColumns } from '../platform/db/json-columns.ts'
import { limitLongReads } from '../platform/db/long-reads.ts'
import type { Org } from '../platform/db/org.ts'
import { exactTotal } from '../platform/db/record-totals.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'
import { forbidden } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { isDeepPage } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { actorMembers } from './actor.ts'
import type { EventQuery } from './schema.ts'
import { typesOf } from './type-patterns.ts'

const wire = new JsonColumns('e', {
  event_id: 'uuid',
  type: 'text',
  object_id: 'uuid',
  api_key_id: 'uuid',
  actor: { object: actorMembers('e') },
  mode: 'text',
  changed: 'text[]',
  data: 'jsonb',
  created_at: 'seconds',
})

// Use the expression of the index event_without_key.
const ofKind = (kind: NonNullable<EventQuery['actor_kind']>): Sql =>
  kind === 'api_key'
    ? sql`e.api_key_id is not null`
    : sql`e.api_key_id is null
        and (case when e.member_id is not null then 'member' when e.by_operator then 'operator' else 'system' end) = ${kind}`

const needsObject = () =>
  forbidden(
    'record_access_limited',
    'You see only your own records or those of your teams: give the id of one of them (object_id) to read its events',
  )

/**
 * Returns the org's events, newest first. A limited member reads the events of one object.
 * @param payerId Caller.payerId
 * @throws DomainError forbidden; OrgBusy
 */
export function listEvents(
  org: Org,
  payerId: string,
  cursors: Cursors,
  query: EventQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { type, types, object_id: objectId, actor_kind: kind, actor_id: actorId } = query
  // Without an object, PostgreSQL would check the record of every event.
  if (org.actor.recordAccess && objectId === undefined) throw needsObject()
  const { created_since: since, created_until: until } = query
  const filters = [type, types, objectId, kind, actorId, since, until]
  const named = types === undefined ? undefined : (typesOf(types) ?? undefined)
  const filter = new Filter(org.orgId, 'e')
    .where(type, (p) => sql`e.type = ${p}`)
    .where(named, (p) => sql`e.type = any (${p}::text[])`)
    .where(objectId, (p) => sql`e.object_id = ${p}::uuid`)
    .where(kind, ofKind)
    // Use the expression of the index event_by_actor.
    .where(
      actorId,
      (p) => sql`(case when e.api_key_id is null then e.member_id else e.api_key_id end) = ${p}::uuid`,
    )
    .where(since === undefined ? undefined : firstIdAt(since), (p) => sql`e.event_id >= ${p}::uuid`)
    .where(until === undefined ? undefined : firstIdAt(until), (p) => sql`e.event_id < ${p}::uuid`)
  const source = {
    list: JSON.stringify(['events', ...filters]),
    from: sql`event e`,
    id: sql`e.event_id`,
    wire,
    filter,
    total: totalOf(org.orgId, filter, kind, filters),
    // Indexes have the events of an organization, and those of an object, in the order of the list.
    planOnce: !org.actor.recordAccess && filters.every((each) => each === undefined || each === objectId),
  }
  const read = () => readPage(org, cursors, source, query)
  // The total of a filter counts all events that match, which can be most of the log. A deep page also reads the actor of each event
  // before it. An object has few events.
  const isLong = objectId === undefined && (isDeepPage(query) || filters.some((each) => each !== undefined))
  return isLong ? limitLongReads(payerId, read) : read()
}

function totalOf(orgId: string, filter: Filter, kind: string | undefined, filters: readonly unknown[]): Sql {
  const used = filters.filter((each) => each !== undefined).length
  if (used === 0) return exactTotal(orgId, 'event')
  // Count the events without an API key, because most have one.
  if (used === 1 && kind === 'api_key')
    return sql`
      select (${exactTotal(orgId, 'event')}) - count(*) from event e where e.org_id = ${orgId} and e.api_key_id is null`
  return sql`select count(*) from event e where ${filter.conditions}`
}
