import type { Log } from '../log.ts'
import { FoldFloor, type FoldStep, notBelow, snapshotColumns } from './fold-floor.ts'
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

function foldOf({ deltas, totals, groups, sums }: Totals, from: number): Sql<FoldStep> {
  const [table, stored, by] = [deltas, totals, groups.join(', ')].map(rawSql)
  const names = Object.keys(sums)
  const added = names.map((total) => `${total} = ${totals}.${total} + excluded.${total}`)
  return sql<FoldStep>`
    with folded as (
      delete from ${table} d
      where d.ctid = any(array(
        select ctid from ${table} where ${notBelow(from)} order by delta_id limit ${deltasMax} for update skip locked))
      returning d.*
    ), stored as (
      insert into ${stored} (${by}, ${rawSql(names.join(', '))})
      select ${by}, ${rawSql(
        Object.values(sums)
          .map((delta) => `sum(${delta})`)
          .join(', '),
      )}
      from folded group by ${by} order by ${by}
      on conflict (${by}) do update set ${rawSql(added.join(', '))}
    )
    select count(*)::int as rows, max(delta_id) as last, ${rawSql(snapshotColumns)} from folded`
}

/**
 * For each table of differences, whether it has rows at or above the floor. The statement reads an index, because a
 * table with removed rows is long.
 */
function filledOf(
  all: readonly Totals[],
  floorOf: (totals: Totals) => FoldFloor,
): Sql<Record<string, boolean>> {
  const columns = all.map((each) => {
    const deltas = rawSql(each.deltas)
    return sql`
      (select delta_id from ${deltas} where ${notBelow(floorOf(each).from)} order by delta_id limit 1) is not null as ${deltas}`
  })
  return sql<Record<string, boolean>>`select ${joinSql(columns)}`
}

/** Adds the differences of some tables to their totals. */
export class TotalsFolder {
  readonly #scope: Pick<SystemScope, 'readRows' | 'transact'>
  readonly #all: readonly Totals[]
  readonly #floors = new Map<Totals, FoldFloor>()

  constructor(scope: Pick<SystemScope, 'readRows' | 'transact'>, all: readonly Totals[]) {
    this.#scope = scope
    this.#all = all
  }

  /**
   * Adds the oldest differences of each table. The statement is planned each time, because the table can be full or
   * nearly empty. Planning takes longer than asking which tables have rows, so this is asked first.
   */
  async fold(): Promise<void> {
    const floorOf = (totals: Totals) => this.#floorOf(totals)
    const [filled] = await this.#scope.readRows(filledOf(this.#all, floorOf))
    for (const each of this.#all) {
      if (!filled?.[each.deltas]) continue
      const floor = floorOf(each)
      const statement = unprepared(foldOf(each, floor.from))
      const [step] = await this.#scope.transact((tx) => tx.rows(statement))
      if (step && step.rows > 0) floor.note(step, deltasMax)
    }
  }

  #floorOf(totals: Totals): FoldFloor {
    const floor = this.#floors.get(totals) ?? new FoldFloor()
    this.#floors.set(totals, floor)
    return floor
  }
}

/**
 * Adds the differences to the totals twice a second, so that reading a total stays cheap. Many processes can run this
 * at once.
 * @returns a function that stops it
 */
export function foldTotals(scope: SystemScope, log: Log, all: readonly Totals[]): () => Promise<void> {
  const folder = new TotalsFolder(scope, all)
  return repeatAfterCommits(
    scope,
    { everyMs: intervalMs },
    () => folder.fold(),
    (error) => log.warn({ err: error }, 'totals were not folded; they stay exact, and are folded later'),
  )
}
