import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { utcDay } from './utc-day.ts'

const dayMs = 86_400_000
/** Dropping a day locks the whole table. Give up after this time, so that writes never wait longer. */
const lockTimeout = '500ms'

/** Creates the partitions that writes need: from 8 days ago to 8 days ahead. Returns how many were missing. */
export async function makeDays(tx: Tx): Promise<number> {
  const row = await tx.first(sql<{ made: number }>`select app.make_web_event_days() as made`)
  return row?.made ?? 0
}

/** The oldest UTC day that is still kept, such as `2026-11-24`, if days are kept for `keptDays` days. */
export const firstKeptDay = (keptDays: number, now: number): string => utcDay(now - keptDays * dayMs)

/** Drops the partitions of all days that are more than `keptDays` old. Returns their number. */
export async function dropDays(tx: Tx, keptDays: number, now: number = Date.now()): Promise<number> {
  await tx.rows(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
  const row = await tx.first(sql<{ dropped: number }>`
    select app.drop_web_event_days(${firstKeptDay(keptDays, now)}::date) as dropped`)
  return row?.dropped ?? 0
}
