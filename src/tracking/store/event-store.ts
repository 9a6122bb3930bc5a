import type { Database } from '../../platform/db/database.ts'
import { codeOf, DatabaseUnavailable } from '../../platform/db/errors.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { inSlices } from '../../platform/slices.ts'
import { appendSlices } from './append.ts'
import { makingRows } from './columns.ts'
import { makeDays } from './days.ts'
import { lockForStoring } from './erasure-queue.ts'
import type { Slice } from './slice.ts'

type Transactions = ReturnType<Database['unbound']>

/** Row-level security compares each row with the organizations of its statement, one after another. */
const slicesAtOnce = 64

/** The error code: PostgreSQL found no partition for a row. */
const noPartition = '23514'

/** Stores web events. */
export class EventStore {
  readonly #transactions: Transactions

  /** @param transactions of crosswalk_app, bound to no organization */
  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  /**
   * Stores the events of several organizations with one commit. Row-level security checks that each row belongs to an
   * organization of the statement. When this returns, the events are durable. An event that is stored already is only
   * counted.
   * @throws the error of PostgreSQL. Nothing was stored then, except possibly after CommitUnknown
   */
  async append(slices: readonly Slice[]): Promise<void> {
    const statements: Sql[] = [lockForStoring]
    for (const group of groupsOf(slices)) {
      const rows = await inSlices('web events', makingRows(group))
      const orgIds = [...new Set(group.map(({ orgId }) => orgId))].join(',')
      statements.push(sql`select set_config('app.org_id', ${orgIds}, true)`, appendSlices(group, rows))
    }
    try {
      await this.#transactions.runTogether(statements)
    } catch (error) {
      if (codeOf(error) !== noPartition) throw error
      await this.#transactions.transact(makeDays)
      await this.#transactions.runTogether(statements).catch((cause) => {
        throw codeOf(cause) === noPartition ? clocksDiffer() : cause
      })
    }
  }
}

/**
 * The clock of PostgreSQL decides which days have partitions. The clock of this process decides the day of an event,
 * which may have no partition yet.
 */
const clocksDiffer = () =>
  new DatabaseUnavailable(
    'the clocks of this server and of PostgreSQL differ by more than 7 days: set them, and events are stored again',
  )

/**
 * Divides slices into groups, one for each statement. No two slices of a group have the same organization and mode. The
 * slices are in the order of ids: two processes that change visitors of the same organizations would deadlock
 * otherwise.
 */
function groupsOf(slices: readonly Slice[]): Slice[][] {
  const inOrder = slices.toSorted((one, other) =>
    one.orgId + one.keyId < other.orgId + other.keyId ? -1 : 1,
  )
  const groups: Slice[][] = []
  const open = new Map<string, number>()
  for (const slice of inOrder) {
    const name = `${slice.orgId} ${slice.mode}`
    let at = open.get(name) ?? 0
    while ((groups[at]?.length ?? 0) >= slicesAtOnce) at++
    open.set(name, at + 1)
    groups[at] = [...(groups[at] ?? []), slice]
  }
  return groups
}
