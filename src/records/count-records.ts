import type { Org } from '../platform/db/org.ts'
import { sql } from '../platform/db/sql.ts'
import { withDefinedFilters } from './defined-fields/defined-filters.ts'
import type { RecordType } from './record-type.ts'
import { withSegment } from './segments/with-segment.ts'
import { type RecordSelector, selectionOf } from './selection.ts'
import { storedTotalOf } from './stored-total.ts'

/**
 * Returns the exact number of active records that a selector finds.
 * @throws ValidationError at a filter that cannot be read; DomainError not_found for `segment_id`
 */
export async function countRecords(org: Org, plainType: RecordType, asked: RecordSelector): Promise<number> {
  const selector = await withSegment(org, plainType, asked, ['segment_id'])
  const type = await withDefinedFilters(org, plainType, selector)
  const { with: before, from, filter } = await selectionOf(org, type, selector, 'all')
  const stored = org.actor.recordAccess ? undefined : storedTotalOf(type, selector, org.orgId)
  const total = stored?.total ?? sql`${before} select count(*) from ${from} where ${filter.conditions}`
  const [row] = await org.readRows(sql<{ total: number }>`select (${total})::bigint as total`)
  return Number(row?.total ?? 0)
}
