import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'

const intervalMs = 500
const deltasMax = 20_000

const fold = `
  with folded as (
    delete from record_delta d using (
      select org_id, entity, delta_id from record_delta order by delta_id limit ${deltasMax} for update skip locked
    ) as oldest
    where d.org_id = oldest.org_id and d.entity = oldest.entity and d.delta_id = oldest.delta_id
    returning d.org_id, d.entity, d.delta
  )
  insert into record_total (org_id, entity, total)
  select org_id, entity, sum(delta) from folded group by org_id, entity order by org_id, entity
  on conflict (org_id, entity) do update set total = record_total.total + excluded.total`

/** Moves the oldest counted differences into the totals; planned anew each time, since the table is empty or full. */
export async function foldOnce(scope: SystemScope): Promise<void> {
  await scope.transact((tx) => tx.run({ text: fold, values: [], once: true }))
}

/**
 * Moves counted differences into the totals, twice a second, so that reading a total stays cheap. Any number of
 * processes may do so at once. Returns how to stop.
 */
export function foldTotals(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    () => foldOnce(scope),
    (error) => log.warn({ err: error }, 'totals were not folded; they stay exact, and are folded later'),
  )
}
