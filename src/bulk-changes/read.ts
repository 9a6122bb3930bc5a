import { actorMembers } from '../events/actor.ts'
import type { EntityType } from '../matching/entity-type.ts'
import { JsonColumns, type TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql, withTextRows } from '../platform/db/sql.ts'
import { notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { ListQuery } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { BulkChange } from './schema.ts'

const wire = new JsonColumns('b', {
  bulk_change_id: 'uuid',
  entity: 'text',
  status: 'text',
  change: 'json',
  records: 'integer',
  changed: 'integer',
  unchanged: 'integer',
  refused: 'integer',
  refusals: 'json',
  error: 'json',
  // The operator has no command for bulk changes.
  created_by: { object: actorMembers('b', 'false') },
  created_at: 'seconds',
  ended_at: 'seconds',
})

/** A bulk change as answers show it. @throws DomainError not_found */
export async function readBulkChange(tx: OrgTx, id: string): Promise<BulkChange> {
  const found = sql<TextRow>`
    select ${wire.columns} from bulk_change b where b.org_id = ${tx.orgId} and b.bulk_change_id = ${id}`
  const row = await tx.first(withTextRows(found))
  if (!row) throw notFound('object_not_found', 'No bulk change of this organization has this id')
  return JSON.parse(wire.object(row, 0))
}

/** Returns the bulk changes of these record types, newest first. */
export function listBulkChanges(
  org: Org,
  cursors: Cursors,
  entities: readonly EntityType[],
  { status, ...query }: ListQuery & { status?: BulkChange['status'] | undefined },
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'b')
    .and(sql`b.entity = any(${entities}::text[])`)
    .where(status, (value) => sql`b.status = ${value}`)
  const list = `bulk changes ${entities} ${status ?? ''}`.trim()
  const source = { list, from: sql`bulk_change b`, id: sql`b.bulk_change_id` }
  return readPage(org, cursors, { ...source, wire, filter }, query)
}
