import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { utcDay } from './utc-day.ts'

/** How many days events of bots are kept: long enough to notice that a person was mistaken for a bot. */
const botDays = 7

/** Deletes at most `limit` events of bots that are more than 7 days old, of all organizations. Returns how many there were. */
export function deleteOldBots(tx: Tx, limit: number, now: number = Date.now()): Promise<number> {
  const firstKept = utcDay(now - botDays * 86_400_000)
  return tx.run(sql`
    delete from web_event where is_bot and day < ${firstKept}::date and (org_id, day, message_key) in (
      select org_id, day, message_key from web_event where is_bot and day < ${firstKept}::date limit ${limit})`)
}
