import { rawSql, unprepared } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'

const intervalMs = 500
const deltasMax = 20_000

/** `deltas` is the table of differences to add to the table of totals. */
type Count = {
  deltas: string
  totals: string
  groups: readonly string[]
  sums: Readonly<Record<string, string>>
}

const counts: Count[] = [
  { deltas: 'record_delta', totals: 'record_total', groups: ['org_id', 'entity'], sums: { total: 'delta' } },
  {
    deltas: 'deal_delta',
    totals: 'deal_total',
    groups: ['org_id', 'deal_status', 'month', 'stage', 'close_reason_id', 'currency'],
    sums: { deals: 'deals', amount_cents: 'amount_cents' },
  },
]

const folds = counts.map(({ deltas, totals, groups, sums }) => {
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
})

/** Adds the oldest differences to the totals. The statement is planned each time: the table can be empty or full. */
export async function foldOnce(scope: SystemScope): Promise<void> {
  for (const fold of folds) await scope.transact((tx) => tx.run(unprepared(rawSql(fold))))
}

/**
 * Adds the differences to the totals twice a second, so that reading a total stays cheap. Many processes can run this
 * at once.
 * @returns a function that stops it
 */
export function foldTotals(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    () => foldOnce(scope),
    (error) => log.warn({ err: error }, 'totals were not folded; they stay exact, and are folded later'),
  )
}
