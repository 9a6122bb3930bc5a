import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import type { Log } from '../../platform/log.ts'
import { repeatEvery } from '../../platform/repeat-every.ts'

const intervalMs = 3_600_000
const callsPerDelete = 1_000
const daySeconds = 86_400

/** Deletes at most 1,000 ended calls with lower ids, and counts them in the totals. Returns how many there were. */
async function deleteSome(tx: Tx, firstKept: string): Promise<number> {
  const row = await tx.first(sql<{ deleted: number }>`
    with gone as (
      delete from call c using (
        select o.org_id, old.call_id from org o cross join lateral (
          select call_id from call
          where org_id = o.org_id and call_id < ${firstKept}::uuid and slot_until is null and check_at is null
          order by call_id limit ${callsPerDelete} for update skip locked
        ) as old limit ${callsPerDelete}
      ) as old where c.org_id = old.org_id and c.call_id = old.call_id
      returning c.org_id
    ), counted as (
      insert into record_delta (org_id, entity, delta) select org_id, 'call', -count(*) from gone group by org_id
    )
    select count(*)::int as deleted from gone`)
  return row?.deleted ?? 0
}

/** Deletes the calls that were placed more than `keptDays` ago and have ended, in small transactions. */
export async function sweepOnce(
  scope: SystemScope,
  keptDays: number,
  { stopping = (): boolean => false, now = Date.now() } = {},
): Promise<void> {
  const firstKept = firstIdAt(Math.floor(now / 1000) - keptDays * daySeconds)
  let deleted: number
  do deleted = await scope.transact((tx) => deleteSome(tx, firstKept))
  while (deleted === callsPerDelete && !stopping())
}

/**
 * Sweeps once an hour, until the returned function is called. Several processes may sweep at once.
 * @param keptDays null: calls are kept forever
 */
export function sweepCalls(scope: SystemScope, log: Log, keptDays: number | null): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => keptDays !== null && sweepOnce(scope, keptDays, { stopping }),
    (error) => log.warn({ err: error }, 'old calls were not deleted; the next sweep deletes them'),
  )
}
