import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { sha256 } from '../sha256.ts'

/** The purpose of a challenge. A challenge is valid for one purpose only. */
export type Purpose = 'sign_in' | 'confirm' | 'register' | 'recover' | 'join'

/** How long a challenge is valid. */
export const challengeSeconds = 300

/**
 * Stores a new challenge of 256 random bits, and returns it in base64url.
 * @param memberId the only person who may sign it; null: anyone
 */
export async function newChallenge(
  scope: SystemScope,
  purpose: Purpose,
  memberId: string | null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await scope.transact((tx) =>
    tx.run(sql`
      insert into passkey_challenge (challenge_hash, purpose, member_id, expires_at)
      values (${sha256(challenge)}, ${purpose}, ${memberId},
        clock_timestamp() + make_interval(secs => ${challengeSeconds}))`),
  )
  return challenge
}

/**
 * Invalidates a challenge, even if its signature turns out to be wrong later. Returns the member who may sign it;
 * undefined if it is unknown, used, expired, or for another purpose.
 */
export function consumeChallenge(
  scope: SystemScope,
  purpose: Purpose,
  challenge: string,
): Promise<{ member_id: string | null } | undefined> {
  return scope.transact((tx) =>
    tx.first(sql<{ member_id: string | null }>`
      delete from passkey_challenge
      where challenge_hash = ${sha256(challenge)} and purpose = ${purpose} and expires_at > clock_timestamp()
      returning member_id`),
  )
}
