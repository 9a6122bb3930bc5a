import type { Org } from '../db/org.ts'
import type { OrgTx } from '../db/org-tx.ts'
import {
  answerOf,
  type EffectOutcome,
  type EffectState,
  type EffectTransactions,
} from '../http/effect-transactions.ts'
import { type SerializedAnswer, wireRefusal } from '../http/response.ts'
import { answerToStore, isStored, type KeyClaim, replayed } from './replay.ts'
import {
  claimKey,
  endUnfinished,
  finishWithAnswer,
  keyInUse,
  type StoredAnswer,
  storeUnfinished,
} from './stored-answers.ts'

/** After this time, the process that made the attempt is considered dead. */
const attemptSeconds = 30

/** Thrown to end a handler if an earlier attempt already answered the request. */
class AnsweredBefore extends Error {
  readonly answer: SerializedAnswer

  constructor(answer: SerializedAnswer) {
    super('This request was answered before')
    this.answer = answer
  }
}

/**
 * Attempts an effect outside the database once. Commits the claim of the key before the effect, and the answer after
 * it. A concurrent request with the key gets 409. If this process dies, a retry gets the state that the endpoint
 * reads.
 * @param handle performs the effect between `begin` and `end`
 * @param serialize turns the endpoint's result into the answer that is sent
 */
export async function answerOutside(
  claim: KeyClaim,
  serialize: (answer: unknown) => SerializedAnswer,
  handle: (once: EffectTransactions) => Promise<SerializedAnswer>,
): Promise<SerializedAnswer> {
  try {
    return await handle(new KeyedOnce(claim, serialize))
  } catch (error) {
    if (error instanceof AnsweredBefore) return error.answer
    throw error
  }
}

class KeyedOnce implements EffectTransactions {
  readonly #claim: KeyClaim
  readonly #org: Org
  readonly #serialize: (answer: unknown) => SerializedAnswer
  #objectId: string | null = null

  constructor(claim: KeyClaim, serialize: (answer: unknown) => SerializedAnswer) {
    this.#claim = claim
    this.#org = claim.org
    this.#serialize = serialize
  }

  async begin<Result>(
    objectId: string,
    work: (tx: OrgTx) => Promise<Result>,
    readState: (tx: OrgTx, objectId: string) => Promise<EffectState<unknown>>,
  ): Promise<Result> {
    const { scope, fingerprint, storedDays: days } = this.#claim
    const begun = await this.#org.transact(async (tx) => {
      const stored = await claimKey(tx, scope)
      const before = stored && (await this.#answeredBefore(tx, stored, readState))
      if (before) return { before }
      const unfinished = { fingerprint, days, objectId, busySeconds: attemptSeconds }
      // Use one transaction: if the work is refused, the claim must roll back too.
      const [result] = await Promise.all([work(tx), storeUnfinished(tx, scope, unfinished)])
      return { result }
    })
    if ('before' in begun) throw new AnsweredBefore(begun.before)
    this.#objectId = objectId
    return begun.result
  }

  async end<Result>(work: (tx: OrgTx) => Promise<EffectOutcome<Result>>): Promise<Result> {
    const objectId = this.#objectId!
    const ending = await this.#org.transact(async (tx) => {
      const made = await work(tx)
      if ('answer' in made) await this.#store(tx, objectId, this.#serialize(made.answer))
      else if (isStored(made.refusal)) await this.#store(tx, objectId, wireRefusal(made.refusal))
      else await endUnfinished(tx, this.#claim.scope, objectId)
      return made
    })
    return answerOf(ending)
  }

  /**
   * Returns the answer of an earlier request with the key; null if the key is free again.
   * @throws KeyRefusal, ValidationError
   */
  async #answeredBefore(
    tx: OrgTx,
    stored: StoredAnswer,
    readState: (tx: OrgTx, objectId: string) => Promise<EffectState<unknown>>,
  ): Promise<SerializedAnswer | null> {
    const { unfinished } = stored
    // Throws if the key belongs to another request.
    const answer = replayed(stored, this.#claim)
    if (unfinished === null) return answer
    if (stored.busy) throw keyInUse()
    const state = await readState(tx, unfinished)
    if (state === 'running') throw keyInUse()
    if (state === 'again') {
      await endUnfinished(tx, this.#claim.scope, unfinished)
      return null
    }
    const now = this.#serialize(state.answer)
    await this.#store(tx, unfinished, now)
    return { ...now, headers: { ...now.headers, 'idempotent-replayed': 'true' } }
  }

  /** Replaces the claim with an answer. Does nothing if another process has already stored an answer. */
  async #store(tx: OrgTx, objectId: string, answer: SerializedAnswer): Promise<void> {
    await finishWithAnswer(tx, this.#claim.scope, objectId, answerToStore(answer, this.#claim))
  }
}
