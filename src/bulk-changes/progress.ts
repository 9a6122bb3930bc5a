import type { Actor } from '../platform/actor.ts'
import type { Author } from '../platform/db/database.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { type ActorPayload, authorOf } from '../platform/jobs/actor-payload.ts'
import type { BulkChangeError } from './schema.ts'

type Limit = NonNullable<Actor['recordAccess']>

type Requested = ActorPayload & {
  /** The limit on the member's records at the request, and now. */
  asked: Limit | null
  now: Limit | null
  is_member: boolean
}

/** The narrower limit comes first. */
const limits: readonly Limit[] = ['own', 'team']

const senderRemoved: BulkChangeError = {
  code: 'sender_removed',
  message:
    'The member who started the change saw only some records, and is no longer a member. The records that are left stay as they are. Start the change again.',
}

const failedRepeatedly: BulkChangeError = {
  code: 'internal_error',
  message:
    'The change failed repeatedly. The records that are left stay as they are. The server’s log says why it failed. Start the change again.',
}

/**
 * Returns who requested the change; null if the change has ended. A member has the narrower of the limits at the
 * request and now: the request counted only the records of its limit. If a limited member has left, the current limit
 * is unknown, so the change ends.
 */
export async function readBulkActor(tx: OrgTx, id: string): Promise<Author | null> {
  const row = await tx.first(sql<Requested>`
    select b.mode, b.api_key_id, b.member_id, b.connected_app_id, b.record_access as asked,
      nullif(h.record_access, 'all') as now, h.member_id is not null as is_member
    from bulk_change b left join membership h on h.org_id = b.org_id and h.member_id = b.member_id
    where b.org_id = ${tx.orgId} and b.bulk_change_id = ${id} and b.status in ('queued', 'running')`)
  if (!row) return null
  if (row.asked !== null && !row.is_member) {
    await endBulkChange(tx, id, senderRemoved)
    return null
  }
  const recordAccess = limits.find((limit) => limit === row.asked || limit === row.now)
  return { ...authorOf(row), ...(recordAccess ? { recordAccess } : {}) }
}

/** The job failed repeatedly. The records that are left stay as they are. */
export const failBulkChange = (tx: OrgTx, id: string): Promise<void> =>
  endBulkChange(tx, id, failedRepeatedly)

/**
 * Ends a change: all its records are done, somebody canceled it, or it failed with an error. Does nothing if it has ended.
 * Waits for a step that is being written.
 */
export async function endBulkChange(
  tx: OrgTx,
  id: string,
  end: 'succeeded' | 'canceled' | BulkChangeError,
): Promise<void> {
  const [status, error] = typeof end === 'string' ? [end, null] : ['failed', JSON.stringify(end)]
  await tx.run(sql`
    update bulk_change
    set status = ${status}, error = ${error}::json, selector = null,
      change = null, ended_at = now()
    where org_id = ${tx.orgId} and bulk_change_id = ${id} and status in ('queued', 'running')`)
}
