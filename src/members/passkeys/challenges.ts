import { hash, randomBytes } from 'node:crypto'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'

/** What the signature of a challenge proves. A challenge of one purpose counts for nothing in another. */
export type Purpose = 'sign_in' | 'confirm' | 'register' | 'recover' | 'join'

/** A challenge lives this long. */
export const challengeSeconds = 300

const sha256 = (challenge: string) => hash('sha256', challenge, 'buffer')

/**
 * Stores a new challenge of 256 random bits. Returns it in base64url.
 * @param memberId the only person who may sign it; null: everyone may
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
 * Uses a challenge up, also if the check of its signature fails later. Returns the member who may sign it; undefined: it
 * is unknown, used, expired, or for another purpose.
 */
export function takeChallenge(
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
