import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { idleSeconds } from './sessions.ts'

const intervalMs = 600_000
const rowsPerDelete = 1_000

/** Deletes expired sessions, links and attempts to sign in every 10 minutes, until the returned function is called. */
export function sweepSessions(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => {
      let dropped: number
      do dropped = await scope.transact((tx) => deleteExpired(tx, rowsPerDelete))
      while (dropped === rowsPerDelete && !stopping())
    },
    (error) => log.warn({ err: error }, 'expired sessions were not deleted; the next sweep deletes them'),
  )
}

/**
 * Deletes expired sessions, links, challenges, attempts of single sign-on and failures, up to `max` of each kind. Returns
 * the number of deleted rows of the most frequent kind.
 */
async function deleteExpired(tx: Tx, max: number): Promise<number> {
  const dropped = await Promise.all([
    tx.run(sql`
      delete from session where session_id in (
        select session_id from session
        where expires_at < now() or seen_at < now() - make_interval(secs => ${idleSeconds})
        limit ${max} for update skip locked)`),
    tx.run(sql`
      delete from link where link_id in (
        select link_id from link where expires_at < now() limit ${max} for update skip locked)`),
    tx.run(sql`
      delete from passkey_challenge where challenge_hash in (
        select challenge_hash from passkey_challenge where expires_at < now() limit ${max} for update skip locked)`),
    tx.run(sql`
      delete from sso_attempt where attempt_hash in (
        select attempt_hash from sso_attempt where expires_at < now() limit ${max} for update skip locked)`),
    tx.run(sql`
      delete from sign_in_failure where email_hash in (
        select email_hash from sign_in_failure where failed_at < now() - interval '1 day'
        limit ${max} for update skip locked)`),
  ])
  return Math.max(...dropped)
}
