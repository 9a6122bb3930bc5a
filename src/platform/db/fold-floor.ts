import { type Sql, sql } from './sql.ts'

/** The smallest and the largest transaction of the snapshot of a step, as PostgreSQL's `pg_current_snapshot` has them. */
export type FoldStep = {
  /** The number of differences that the step took, and the id of the last one. */
  rows: number
  last: number
  xmin: number
  xmax: number
}

/** After this time, the next step reads all differences again. */
const lookAtAllMs = 10 * 60_000

/**
 * The id below which no difference waits to be folded. PostgreSQL cannot remove folded rows while an export or a backup
 * keeps its snapshot. A step that searched from the start would read all of them again.
 */
export class FoldFloor {
  #from = 0
  /** Once the transactions before `xmax` have ended, no difference below `from` can become visible. */
  #next: { from: number; xmax: number } | null = null
  #lookAtAllAt = performance.now() + lookAtAllMs

  /** The next step reads the differences with this id or a higher one. */
  get from(): number {
    // A process that died while it folded, or a failover, may leave a difference below that id.
    if (performance.now() >= this.#lookAtAllAt) {
      this.#lookAtAllAt = performance.now() + lookAtAllMs
      this.#from = 0
      this.#next = null
    }
    return this.#from
  }

  /** Notes a committed step, which took the oldest differences from `from` on, at most `rowsMax`. */
  note({ rows, last, xmin, xmax }: FoldStep, rowsMax: number): void {
    const tookAll = rows < rowsMax
    const next = this.#next
    if (next && xmin >= next.xmax && (tookAll || next.from <= last + 1)) {
      this.#from = Math.max(this.#from, next.from)
      this.#next = null
    }
    this.#next ??= { from: last + 1, xmax }
  }
}

/** Columns of the transactions of a statement's snapshot. */
export const snapshotColumns = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax`

/**
 * SQL of the condition that a difference is not below an id. PostgreSQL expects few rows in a range with an end, even without
 * statistics. So it reads the index and not the table.
 */
export const notBelow = (from: number): Sql => sql`delta_id between ${from} and ${Number.MAX_SAFE_INTEGER}`
