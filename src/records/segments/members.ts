import type { Org } from '../../platform/db/org.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { rowCanonicalIdSql } from '../canonical.ts'
import { withDefinedFilters } from '../defined-fields/defined-filters.ts'
import type { RecordType } from '../record-type.ts'
import { selectionOf } from '../selection.ts'
import { withSegment } from './with-segment.ts'

/**
 * Returns the ids of `recordIds` that are in a segment now. An absorbed record counts if its canonical record is in the
 * segment.
 * @throws DomainError not_found; ValidationError if the filter of the segment is not valid any more
 */
export async function membersAmong(
  org: Org,
  plainType: RecordType,
  segmentId: string,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const selector = await withSegment(org, plainType, { segment_id: segmentId }, ['segment_id'])
  const type = await withDefinedFilters(org, plainType, selector)
  const { with: before, from, id, filter } = await selectionOf(org, type, selector, 'all')
  if (recordIds.length === 0) return new Set()
  const [table, idField] = [rawSql(type.entity), rawSql(type.idField)]
  const named = sql`
    select n.${idField} as named_id, ${rowCanonicalIdSql('n', type.idField)} as canonical_id from ${table} n
    where n.org_id = ${org.orgId} and n.${idField} = any(${recordIds}::uuid[])`
  filter.and(sql`${id} = any(array(select canonical_id from (${named}) as named))`)
  const rows = await org.readRows(sql<{ named_id: string }>`
    ${before} select named.named_id from (${named}) as named
    where named.canonical_id in (select ${id} from ${from} where ${filter.conditions})`)
  return new Set(rows.map((row) => row.named_id))
}
