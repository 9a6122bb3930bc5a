import { randomBytes } from 'node:crypto'
import { sessionSeconds } from '../auth/console-cookies.ts'
import { idleMs } from '../auth/known-sessions.ts'
import { newId } from '../platform/db/new-id.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound, unauthenticated } from '../platform/domain-error.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import { sha256 } from './sha256.ts'

/** The seconds after which an unused session ends. */
export const idleSeconds = idleMs / 1000
/**
 * The maximum number of sessions of a person. Sessions that lack the second factor, and those of each organization's
 * single sign-on, are counted separately.
 */
const sessionsMax = 100

export type SessionKind = { isPartial?: boolean; ssoOrgId?: string | null; isRecovery?: boolean }

/** The kind for a session that replaces the current session of the browser: both have the same kind. */
export const sessionKindOf = ({ session }: RequestingBrowser): SessionKind => ({
  ssoOrgId: session?.ssoOrgId ?? null,
  isRecovery: session?.isRecovery ?? false,
})

/**
 * Opens a session, and ends the browser's earlier one: a token from before the sign-in must not become valid. If the
 * person has too many sessions, the ones that were unused for longest end.
 * @param kind `isPartial`: the second factor is missing. `ssoOrgId`: the only org that the session reaches, after
 * single sign-on there; such a session is not confirmed. `isRecovery`: it began with a link of the operator
 * @returns the token, of which only a hash is stored
 */
export async function openSession(
  tx: Tx,
  memberId: string,
  browser: RequestingBrowser,
  { isPartial = false, ssoOrgId = null, isRecovery = false }: SessionKind = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const confirmedAt = isPartial || ssoOrgId !== null ? null : sql`clock_timestamp()`
  if (browser.session) await endSession(tx, browser.session.sessionId)
  await tx.run(sql`
    insert into session (session_id, member_id, token_hash, is_partial, user_agent, created_at, seen_at, expires_at,
      confirmed_at, sso_org_id, is_recovery)
    values (${newId()}, ${memberId}, ${sha256(token)}, ${isPartial}, ${browser.userAgent}, clock_timestamp(),
      clock_timestamp(), clock_timestamp() + make_interval(secs => ${isPartial ? 600 : sessionSeconds}), ${confirmedAt},
      ${ssoOrgId}, ${isRecovery})`)
  // Sessions without the second factor are counted separately: otherwise somebody who knows the password could end all
  // sessions. The sessions of each single sign-on are counted separately too: its organization could otherwise end the
  // sessions in other organizations.
  await tx.run(sql`
    delete from session where session_id in (
      select session_id from session
      where member_id = ${memberId} and is_partial = ${isPartial} and sso_org_id is not distinct from ${ssoOrgId}
      order by seen_at desc, created_at desc, session_id desc offset ${sessionsMax})`)
  return token
}

/** Ends a session. Does nothing if it has already ended. */
export async function endSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.run(sql`delete from session where session_id = ${sessionId}`)
}

/** Returns whether the session of the browser lacks the second factor, and did not end meanwhile. */
export async function isStillPartial(tx: Tx, { session }: RequestingBrowser): Promise<boolean> {
  const sessionId = session?.sessionId ?? null
  return (await tx.run(sql`select from session where session_id = ${sessionId} and is_partial`)) > 0
}

/**
 * Requires that the session of the browser did not end since the request began: its body may arrive 30 seconds later.
 * Call this function after the lock on the person: a change of the password locks the person, then ends the sessions.
 * @throws DomainError unauthenticated
 */
export async function requireLiveSession(tx: Tx, { session }: RequestingBrowser): Promise<void> {
  const live = await tx.first(sql<{ session_id: string }>`
    select session_id from session
    where session_id = ${session?.sessionId ?? null} and not is_partial and expires_at > clock_timestamp()
    for share`)
  if (!live) throw unauthenticated('session_ended', 'You are signed out; sign in again')
}

/** Ends a session of the member. @throws DomainError not_found */
export async function endOwnSession(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  const ended = await tx.run(sql`
    delete from session where session_id = ${sessionId} and member_id = ${memberId}`)
  if (ended === 0) throw notFound('object_not_found', 'You have no session with this id')
}

/** Ends all sessions of a member. */
export async function endSessions(tx: Tx, memberId: string): Promise<void> {
  await tx.run(sql`delete from session where member_id = ${memberId}`)
}

/** Records that the person has confirmed their identity. */
export async function confirmSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.run(sql`update session set confirmed_at = clock_timestamp() where session_id = ${sessionId}`)
}

export type SessionRow = {
  session_id: string
  user_agent: string
  created_at: number
  seen_at: number
  expires_at: number
}

/**
 * Returns the valid sessions of a member, newest first.
 * @param ssoOrgId only sessions that began with the single sign-on of this organization; null: all
 */
export function listSessions(tx: Tx, memberId: string, ssoOrgId: string | null): Promise<SessionRow[]> {
  return tx.rows(sql<SessionRow>`
    select session_id, user_agent, floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from seen_at))::bigint as seen_at, floor(extract(epoch from expires_at))::bigint as expires_at
    from session
    where member_id = ${memberId} and not is_partial and expires_at > now()
      and (sso_org_id = ${ssoOrgId} or ${ssoOrgId}::uuid is null)
      and seen_at > now() - make_interval(secs => ${idleSeconds})
    order by created_at desc, session_id desc`)
}
