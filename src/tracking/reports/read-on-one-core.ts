import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'

/** Runs `read` without parallel workers: with them, one read of many rows takes all cores from other organizations. */
export const readOnOneCore = <Result>(org: Org, read: (tx: OrgTx) => Promise<Result>): Promise<Result> =>
  org.read(async (tx) => {
    await tx.rows(sql`select set_config('max_parallel_workers_per_gather', '0', true)`)
    return read(tx)
  })
