import { JsonColumns } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import { sql } from '../platform/db/sql.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { exactTotal, Filter, readPage } from '../platform/page.ts'
import type { EventQuery } from './schema.ts'

const wire = new JsonColumns('e', {
  event_id: 'uuid',
  type: 'text',
  object_id: 'uuid',
  api_key_id: 'uuid',
  mode: 'text',
  changed: 'text[]',
  data: 'jsonb',
  created_at: 'seconds',
})

/** The org's events, newest first. */
export function listEvents(
  org: Org,
  cursors: Cursors,
  query: EventQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { type, object_id: objectId, created_since: since } = query
  const filter = new Filter(org.orgId, 'e')
    .where(type, (p) => sql`e.type = ${p}`)
    .where(objectId, (p) => sql`e.object_id = ${p}::uuid`)
    .where(since === undefined ? undefined : firstIdAt(since), (p) => sql`e.event_id >= ${p}::uuid`)
  const filtered = type !== undefined || objectId !== undefined || since !== undefined
  return readPage(
    org,
    cursors,
    {
      list: JSON.stringify(['events', type, objectId, since]),
      from: sql`event e`,
      id: sql`e.event_id`,
      wire,
      filter,
      total: filtered
        ? sql`select count(*) from event e where ${filter.conditions}`
        : exactTotal(org.orgId, 'event'),
    },
    query,
  )
}
