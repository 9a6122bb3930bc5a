import type { Log } from '../log.ts'
import { repeatAfterCommits } from './repeat-after-commits.ts'
import { joinSql, rawSql, type Sql, sql, unprepared } from './sql.ts'
import type { SystemScope } from './system.ts'

const intervalMs = 500
const deltasMax = 20_000

/** A table of totals, and the table of differences to add to it. docs/decisions/0004-totals.md explains why there are two. */
export type Totals = {
  deltas: string
  totals: string
  /** The columns that name a total. */
  groups: readonly string[]
  /** For each column of the totals, the column of the differences. */
  sums: Readonly<Record<string, string>>
}

function foldOf({ deltas, totals, groups, sums }: Totals): string {
  const by = groups.join(', ')
  return `
    with folded as (
      delete from ${deltas} d
      where d.ctid = any(array(select ctid from ${deltas} order by delta_id limit ${deltasMax} for update skip locked))
      returning d.*
    )
    insert into ${totals} (${by}, ${Object.keys(sums).join(', ')})
    select ${by}, ${Object.values(sums)
      .map((delta) => `sum(${delta})`)
      .join(', ')}
    from folded group by ${by} order by ${by}
    on conflict (${by}) do update set ${Object.keys(sums)
      .map((total) => `${total} = ${totals}.${total} + excluded.${total}`)
      .join(', ')}`
}

/** For each table of differences, whether it has rows. */
function filledOf(all: readonly Totals[]): Sql<Record<string, boolean>> {
  const columns = all.map(({ deltas }) => rawSql(`exists (select from ${deltas}) as ${deltas}`))
  return sql<Record<string, boolean>>`select ${joinSql(columns)}`
}

/**
 * Adds the oldest differences to the totals. The statement is planned each time, because the table can be full or nearly
 * empty. That takes longer than to ask first which tables have rows.
 */
export async function foldTotalsOnce(scope: SystemScope, all: readonly Totals[]): Promise<void> {
  const [filled] = await scope.readRows(filledOf(all))
  for (const each of all)
    if (filled?.[each.deltas]) await scope.transact((tx) => tx.run(unprepared(rawSql(foldOf(each)))))
}

/**
 * Adds the differences to the totals twice a second, so that reading a total stays cheap. Many processes can run this
 * at once.
 * @returns a function that stops it
 */
export function foldTotals(scope: SystemScope, log: Log, all: readonly Totals[]): () => Promise<void> {
  return repeatAfterCommits(
    scope,
    { everyMs: intervalMs },
    () => foldTotalsOnce(scope, all),
    (error) => log.warn({ err: error }, 'totals were not folded; they stay exact, and are folded later'),
  )
}
