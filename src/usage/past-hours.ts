import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'

const intervalMs = 60_000
const hourMs = 3_600_000
/** After this time, all transactions that began in an hour have ended. */
const lateMs = hourMs
/** One statement counts one day of events at most. */
const stepMs = 24 * hourMs
/** One more than 400, because the first day of the period is not complete. */
const keptDays = 401
const rowsPerDelete = 5_000

const idAt = (unixMs: number) => firstIdAt(Math.max(0, Math.floor(unixMs / 1000)))

/**
 * Counts the events of past hours, so that reading them is cheap. `GET /usage` counts later events itself, so its
 * numbers are always exact. Also deletes hours that are older than 400 days.
 */
export async function rollUp(scope: SystemScope, stopping: () => boolean = () => false): Promise<void> {
  while ((await scope.transact(rollUpOnce)) && !stopping());
  let deleted: number
  do deleted = await scope.transact(deleteOld)
  while (deleted === rowsPerDelete && !stopping())
}

/** @returns whether there may be more to count */
async function rollUpOnce(tx: Tx): Promise<boolean> {
  const progress = await tx.first(sql<{ events_until: Date }>`
    select events_until from app.usage_progress for update skip locked`)
  if (!progress) return false
  const from = progress.events_until.getTime()
  const ended = Math.floor((Date.now() - lateMs) / hourMs) * hourMs
  const to = Math.min(ended, from + stepMs)
  if (to <= from) return false
  const [first, last] = [new Date(from), new Date(to)]
  await tx.run(sql`
    insert into usage_hour (org_id, mode, hour, series, n)
    select e.org_id, e.mode, to_timestamp(floor(extract(epoch from e.created_at) / 3600) * 3600), 'events', count(*)
    from event e where e.created_at >= ${first} and e.created_at < ${last}
      -- Reads only the partitions of these months. The time of an id may differ a little from created_at.
      and e.event_id >= ${idAt(from - stepMs)}::uuid and e.event_id < ${idAt(to + stepMs)}::uuid
    group by 1, 2, 3
    on conflict (org_id, mode, hour, series) do update set n = excluded.n`)
  await tx.run(sql`update app.usage_progress set events_until = ${last}`)
  return to < ended
}

const deleteOld = (tx: Tx): Promise<number> =>
  tx.run(sql`
    delete from usage_hour where ctid = any(array(
      select ctid from usage_hour where hour < now() - make_interval(days => ${keptDays}) limit ${rowsPerDelete}))`)

/** Runs `rollUp` once a minute until the returned function is called. Many processes can run this at once. */
export function rollUpUsage(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    (stopping) => rollUp(scope, stopping),
    (error) => log.warn({ err: error }, 'the events of past hours were not counted; retrying in a minute'),
  )
}
