import { limitAgain } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * In a dry run, rolls back all writes of `work`, which calls `locked` between its locks and its writes. The locks
 * stay, so that a concurrent erasure also finds the stored answer.
 */
export async function withDryRun<Result>(
  tx: OrgTx,
  dryRun: boolean,
  work: (locked: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return work(async () => {})
  const result = await work(() => tx.run(sql`savepoint dry_run`))
  await tx.run(sql`rollback to savepoint dry_run`)
  // The savepoint was set while the transaction reached all records. So the rollback also restores the access to all
  // records, which is limited again here.
  await limitAgain(tx)
  return result
}
