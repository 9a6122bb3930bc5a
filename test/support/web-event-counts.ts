import type { OrgTx } from '../../src/platform/db/org-tx.ts'
import { readCounts } from '../../src/tracking/store/counts.ts'

/** How many events of an organization had each outcome, at any time. */
export async function countsOf(tx: OrgTx, mode: 'live' | 'test' = 'live'): Promise<Record<string, number>> {
  const counts = await readCounts(tx, { mode, first: 0, last: 4_000_000_000, seconds: 86_400 })
  const sums: Record<string, number> = {}
  for (const { outcome, n } of counts) sums[outcome] = (sums[outcome] ?? 0) + n
  return sums
}
