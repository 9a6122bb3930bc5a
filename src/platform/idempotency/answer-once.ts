import type { Org } from '../db/org.ts'
import { DomainError } from '../domain-error.ts'
import { type SerializedAnswer, wireRefusal } from '../http/response.ts'
import { KeyRefusal } from './key-refusal.ts'
import { answerToStore, isStored, type KeyClaim, replayed } from './replay.ts'
import { claimKey, storeAnswer } from './stored-answers.ts'

/**
 * Runs `effect` once, even if this process dies: the claim of the key, the effect and its answer commit together.
 * Later requests with the key get the stored answer, byte for byte.
 * @param effect uses the org that it gets; after a deadlock it runs again
 * @throws KeyRefusal while the key is in use; ValidationError if the key belongs to another request; the errors of
 * `effect`
 */
export async function answerOnce(
  claim: KeyClaim,
  effect: (org: Org) => Promise<SerializedAnswer>,
): Promise<SerializedAnswer> {
  try {
    return await storedAnswerOr(effect, claim)
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof KeyRefusal || !isStored(error)) throw error
    // The refusal rolled back the claim, so store it in a second transaction.
    return storedAnswerOr(async () => wireRefusal(error), claim)
  }
}

function storedAnswerOr(
  effect: (org: Org) => Promise<SerializedAnswer>,
  claim: KeyClaim,
): Promise<SerializedAnswer> {
  const { org, scope } = claim
  return org.transact(async (tx) => {
    const stored = await claimKey(tx, scope)
    if (stored) return replayed(stored, claim)
    const answer = await effect(org.within(tx))
    await storeAnswer(tx, scope, answerToStore(answer, claim))
    return answer
  })
}
