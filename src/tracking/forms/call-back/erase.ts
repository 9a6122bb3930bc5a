import type { OrgTx } from '../../../platform/db/org-tx.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** Erases the requests of erased contacts, and all other requests of the same visitors. */
export async function eraseRequests(tx: OrgTx, contactIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from call_back_request where org_id = ${tx.orgId} and visitor_id in (
      select visitor_id from form_submission where org_id = ${tx.orgId} and contact_id = any (${contactIds}::uuid[]))`)
}

const refusedDays = 30
const openDays = 7

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
