import { membersOf } from '../../platform/members.ts'
import { readId } from './ids.ts'

type Members = Readonly<Record<string, unknown>>

/** What a client sent in `context.crosswalk` to prove who the user is. */
export type Proof = { token: string | null; userHash: string | null; userId: string | null }

/** A user whose identity the organization's server confirmed. */
export type VerifiedUser = {
  userKey: string
  /** `token`: its traits are confirmed, too. `user_hash`: only the id is confirmed. */
  by: 'token' | 'user_hash'
  /** The signed traits; null: none. */
  traits: Members | null
}

/** Finds the user whom a proof of this request confirms; null: it confirms nobody. */
export type FindVerified = (proof: Proof) => VerifiedUser | null

/** The proof of an event; null: it has none. */
export function proofOf(raw: unknown): Proof | null {
  const { context, userId } = membersOf(raw)
  const { token, userHash } = membersOf(membersOf(context).crosswalk)
  const texts = { token: textOf(token), userHash: textOf(userHash), userId: readId(userId) }
  return texts.token === null && texts.userHash === null ? null : texts
}

/** The context as it is stored: never with the proof, and with `verified_by` only if the server set it. */
export function contextWithoutProof(context: Members, user: VerifiedUser | null): Members {
  if (!user && !('crosswalk' in context || 'verified_by' in context)) return context
  const { crosswalk: _proof, verified_by: _claimed, ...others } = context
  return user ? { ...others, verified_by: user.by } : others
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
