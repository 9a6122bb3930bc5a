import type { EntityType } from '../../matching/entity-type.ts'
import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql, unprepared } from '../../platform/db/sql.ts'

/** Parts of the statement of a list of merges, with conditions on `m`. */
export type ListSql = { listed: Sql; isAfter: Sql; order: Sql; window: Sql }

/**
 * Finds the merges of a page, and counts all listed merges, for a limited member. Includes only merges of two records
 * that the member sees. Row-level security would find the same merges, but it calls functions for each merge of the
 * organization: 300,000 merges took 12 s. This statement starts with the records that the member sees.
 */
export async function findSeenMerges(
  tx: OrgTx,
  types: readonly EntityType[],
  { listed, isAfter, order, window }: ListSql,
): Promise<{ mergeIds: string[]; total: number }> {
  const seen = await tx.first(sql<{ owners: string[] | null }>`select app.seen_owners() as owners`)
  const owners = seen?.owners ?? []
  const records = joinSql(
    types.map((entityType) => seenRecords(tx.orgId, entityType, owners)),
    ' union all ',
  )
  // The statement is not prepared, so that PostgreSQL plans it for these owners: they may have ten records or half of all.
  const statement = unprepared(sql<{ total: number; merge_id: string | null }>`
    with seen as materialized (${records}), listed as materialized (
      select m.merge_id, m.score from merge m
      join seen loser on loser.id = m.loser_id join seen survivor on survivor.id = m.survivor_id
      where m.org_id = ${tx.orgId} and ${listed})
    select counted.total, page.merge_id from (select count(*) as total from listed) as counted left join (
      select m.merge_id from listed m where true ${isAfter} order by ${order} ${window}) as page on true`)
  const rows = await onAllRecords(tx, () => tx.rows(statement))
  const mergeIds = rows.flatMap(({ merge_id: mergeId }) => mergeId ?? [])
  return { mergeIds, total: rows[0]?.total ?? 0 }
}

/** The records of `owners`, and the records that were merged into them. The owner of a merged record does not count. */
function seenRecords(orgId: string, entityType: EntityType, owners: readonly string[]): Sql {
  const [id, table] = [rawSql(`${entityType}_id`), rawSql(entityType)]
  const isOwned = sql`r.org_id = ${orgId} and r.owner_id = any(${owners}::uuid[]) and r.status <> 'merged'`
  return sql`
    select r.${id} as id from ${table} r where ${isOwned}
    union all
    select absorbed.${id} from ${table} r
    join ${table} absorbed on absorbed.org_id = r.org_id and absorbed.merged_into_id = r.${id} where ${isOwned}`
}
