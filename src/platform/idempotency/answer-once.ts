import type { Org } from '../db/org.ts'
import { DomainError } from '../domain-error.ts'
import { type WireAnswer, wireRefusal } from '../http/response.ts'
import { claimKey, keepAnswer } from './kept-answers.ts'
import { KeyRefusal } from './key-refusal.ts'
import { type Claim, keptRefusals, replayed, toKeep } from './replay.ts'

/**
 * Has `effect` happen once, whatever becomes of this process: the claim of the key, the effect and its answer commit in
 * one transaction. Whoever comes later gets that answer, byte for byte.
 * @param effect works through the org that it is given; after a deadlock it runs again
 * @throws KeyRefusal while the key is in use; ValidationError if it stands for another request; what `effect` throws
 */
export async function answerOnce(
  claim: Claim,
  effect: (org: Org) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  try {
    return await keptOr(effect, claim)
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof KeyRefusal || !keptRefusals.has(error.kind))
      throw error
    // The claim was rolled back with all that the handler did: that it refused is kept in a transaction of its own.
    return keptOr(async () => wireRefusal(error), claim)
  }
}

function keptOr(effect: (org: Org) => Promise<WireAnswer>, claim: Claim): Promise<WireAnswer> {
  const { org, scope } = claim
  return org.transact(async (tx) => {
    const kept = await claimKey(tx, scope)
    if (kept) return replayed(kept, claim)
    const answer = await effect(org.within(tx))
    await keepAnswer(tx, scope, toKeep(answer, claim))
    return answer
  })
}
