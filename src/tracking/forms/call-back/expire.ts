import { sql } from '../../../platform/db/sql.ts'
import type { Tx } from '../../../platform/db/tx.ts'

const refusedDays = 30
/** How long a request waits, because the consent to a call is not used longer. */
export const openDays = 7

/** Expires at most `limit` requests that nobody decided within 7 days, of all organizations. Returns how many. */
export function expireRequests(tx: Tx, limit: number, now: number = Date.now()): Promise<number> {
  return tx.run(sql`
    update call_back_request set status = 'expired', call_at = null where (org_id, request_id) in (
      select org_id, request_id from call_back_request
      where status in ('waiting', 'scheduled') and created_at < ${new Date(now - openDays * 86_400_000)} limit ${limit}
      for update skip locked)`)
}

/** Deletes at most `limit` requests that were refused 30 days ago, of all organizations. Returns how many there were. */
export function deleteOldRefused(tx: Tx, limit: number, now: number = Date.now()): Promise<number> {
  return tx.run(sql`
    delete from call_back_request where (org_id, request_id) in (
      select org_id, request_id from call_back_request
      where status = 'refused' and created_at < ${new Date(now - refusedDays * 86_400_000)} limit ${limit}
      for update skip locked)`)
}
