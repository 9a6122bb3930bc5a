import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'

const intervalMs = 600_000
const dayMs = 86_400_000
/** Dropping a day locks the whole table. Writes never wait longer than this for it. */
const lockTimeout = '500ms'

/** Makes the days that writes need: 8 back to 8 ahead. Returns how many there were not yet. */
export async function makeDays(tx: Tx): Promise<number> {
  const row = await tx.first(sql<{ made: number }>`select app.make_web_event_days() as made`)
  return row?.made ?? 0
}

/** Drops all days that are more than `keptDays` old. Returns how many there were. */
export async function dropDays(tx: Tx, keptDays: number, now: number = Date.now()): Promise<number> {
  const firstKept = new Date(now - keptDays * dayMs).toISOString().slice(0, 10)
  await tx.rows(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
  const row = await tx.first(sql<{ dropped: number }>`
    select app.drop_web_event_days(${firstKept}::date) as dropped`)
  return row?.dropped ?? 0
}

/** Makes and drops days now and every 10 minutes, until the returned function is called. */
export function keepDays(scope: SystemScope, log: Log, keptDays: number): () => Promise<void> {
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'days of web events were not made or dropped; the next try is in 10 minutes')
  const act = async () => {
    await scope.transact(makeDays)
    await scope.transact((tx) => dropDays(tx, keptDays))
  }
  const first = act().catch(onError)
  const stop = repeat(intervalMs, act, onError)
  return async () => {
    await Promise.all([first, stop()])
  }
}
