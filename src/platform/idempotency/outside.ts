import type { Org } from '../db/org.ts'
import type { OrgTx } from '../db/org-tx.ts'
import { answerOf, type Ending, type Once, type Standing } from '../http/once.ts'
import { type WireAnswer, wireRefusal } from '../http/response.ts'
import {
  claimKey,
  endUnfinished,
  finishWithAnswer,
  inUse,
  type Kept,
  keepUnfinished,
} from './kept-answers.ts'
import { type Claim, keptRefusals, replayed, toKeep } from './replay.ts'

/** Longer than any one attempt at an effect takes: whoever is not done by then is dead. */
const attemptSeconds = 30

/** Thrown out of a handler whose request was answered before. */
class AnsweredBefore extends Error {
  readonly answer: WireAnswer

  constructor(answer: WireAnswer) {
    super('This request was answered before')
    this.answer = answer
  }
}

/**
 * Has an effect outside of the database attempted once: the claim of the key is committed before, the answer after.
 * Whoever comes in between is told to try again; whoever comes after this process died gets what the endpoint then knows.
 * @param handle does the effect between `begin` and `end` of what it is given
 * @param serialize what an answer of the endpoint is on the wire
 */
export async function answerOutside(
  claim: Claim,
  serialize: (answer: unknown) => WireAnswer,
  handle: (once: Once) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  try {
    return await handle(new KeyedOnce(claim, serialize))
  } catch (error) {
    if (error instanceof AnsweredBefore) return error.answer
    throw error
  }
}

class KeyedOnce implements Once {
  readonly #claim: Claim
  readonly #org: Org
  readonly #serialize: (answer: unknown) => WireAnswer
  #objectId: string | null = null

  constructor(claim: Claim, serialize: (answer: unknown) => WireAnswer) {
    this.#claim = claim
    this.#org = claim.org
    this.#serialize = serialize
  }

  async begin<Result>(
    objectId: string,
    work: (tx: OrgTx) => Promise<Result>,
    standing: (tx: OrgTx, objectId: string) => Promise<Standing<unknown>>,
  ): Promise<Result> {
    const { scope, fingerprint, keptDays: days } = this.#claim
    const begun = await this.#org.transact(async (tx) => {
      const kept = await claimKey(tx, scope)
      const before = kept && (await this.#answeredBefore(tx, kept, standing))
      if (before) return { before }
      const unfinished = { fingerprint, days, objectId, busySeconds: attemptSeconds }
      // Together with what the work sends first: should that be refused, neither commits.
      const [result] = await Promise.all([work(tx), keepUnfinished(tx, scope, unfinished)])
      return { result }
    })
    if ('before' in begun) throw new AnsweredBefore(begun.before)
    this.#objectId = objectId
    return begun.result
  }

  async end<Result>(work: (tx: OrgTx) => Promise<Ending<Result>>): Promise<Result> {
    const objectId = this.#objectId!
    const ending = await this.#org.transact(async (tx) => {
      const made = await work(tx)
      if ('answer' in made) await this.#keep(tx, objectId, this.#serialize(made.answer))
      else if (keptRefusals.has(made.refusal.kind)) await this.#keep(tx, objectId, wireRefusal(made.refusal))
      else await endUnfinished(tx, this.#claim.scope, objectId)
      return made
    })
    return answerOf(ending)
  }

  /** What a key stands for that was claimed before; null: it may be used again. @throws KeyRefusal, ValidationError */
  async #answeredBefore(
    tx: OrgTx,
    kept: Kept,
    standing: (tx: OrgTx, objectId: string) => Promise<Standing<unknown>>,
  ): Promise<WireAnswer | null> {
    const { unfinished } = kept
    // Also refuses what is another request.
    const answer = replayed(kept, this.#claim)
    if (unfinished === null) return answer
    if (kept.busy) throw inUse()
    const stands = await standing(tx, unfinished)
    if (stands === 'running') throw inUse()
    if (stands === 'again') {
      await endUnfinished(tx, this.#claim.scope, unfinished)
      return null
    }
    const now = this.#serialize(stands.answer)
    await this.#keep(tx, unfinished, now)
    return { ...now, headers: { ...now.headers, 'idempotent-replayed': 'true' } }
  }

  /** Keeps an answer in place of the claim, unless somebody found one in the meantime. */
  async #keep(tx: OrgTx, objectId: string, answer: WireAnswer): Promise<void> {
    await finishWithAnswer(tx, this.#claim.scope, objectId, toKeep(answer, this.#claim))
  }
}
