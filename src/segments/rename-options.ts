import { recordEvents } from '../events/record.ts'
import type { EntityType } from '../matching/entity-type.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { FilterTree, Scalar } from '../records/filters/tree.ts'
import { requestCount } from './counts.ts'

type Names = Readonly<Record<string, string>>

/** Writes the new names of options into the filters of segments that compare the field with them. */
export async function renameInSegments(
  tx: OrgTx,
  jobs: Jobs,
  { entity, key }: { entity: EntityType; key: string },
  renames: Names,
): Promise<void> {
  const byLetters = Object.fromEntries(Object.entries(renames).map(([from, to]) => [from.toLowerCase(), to]))
  const rows = await tx.rows(sql<{ segment_id: string; filter: FilterTree }>`
    select segment_id, filter from segment
    where org_id = ${tx.orgId} and entity = ${entity} and filter is not null order by segment_id for no key update`)
  for (const { segment_id: segmentId, filter } of rows) {
    const after = JSON.stringify(renameIn(filter, `custom.${key}`, byLetters))
    if (after === JSON.stringify(filter)) continue
    await tx.run(sql`
      update segment set filter = ${after}::json, version = version + 1, updated_at = clock_timestamp()
      where org_id = ${tx.orgId} and segment_id = ${segmentId}`)
    await requestCount(tx, jobs, segmentId)
    await recordEvents(tx, [{ type: 'segment.updated', objectId: segmentId, changed: ['filter'] }])
  }
}

function renameIn(tree: FilterTree, field: string, names: Names): FilterTree {
  if ('and' in tree) return { and: tree.and.map((each) => renameIn(each, field, names)) }
  if ('or' in tree) return { or: tree.or.map((each) => renameIn(each, field, names)) }
  if ('not' in tree) return { not: renameIn(tree.not, field, names) }
  if (tree.field !== field || !['eq', 'ne', 'in'].includes(tree.op)) return tree
  const rename = (value: Scalar): Scalar => {
    const name = String(value).trim().toLowerCase()
    // Each object has a member `constructor`, for example.
    return Object.hasOwn(names, name) ? (names[name] ?? value) : value
  }
  const { value } = tree
  return { ...tree, value: Array.isArray(value) ? value.map(rename) : rename(value as Scalar) }
}
