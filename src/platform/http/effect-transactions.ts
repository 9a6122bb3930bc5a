import type { Org } from '../db/org.ts'
import type { OrgTx } from '../db/org-tx.ts'
import type { DomainError } from '../domain-error.ts'

/** The state of an effect that has begun and has no stored answer. */
export type EffectState<Result> =
  | { answer: Result }
  /** The effect has started, and its outcome is not known yet. */
  | 'running'
  /** The effect can be started again safely. */
  | 'again'

/** The outcome of an effect: an answer to store, or a refusal, which frees the idempotency key. */
export type EffectOutcome<Result> = { answer: Result } | { refusal: DomainError }

/**
 * The two transactions before and after an effect outside the database (`effect: 'outside'`). With an Idempotency-Key,
 * the first claims the key, and the second stores the answer.
 */
export type EffectTransactions = {
  /**
   * Commits the rows that must exist before the effect.
   * @param objectId the object that the effect creates or changes
   * @param readState reads the state if a request without a stored answer is retried
   * @throws an error for the router alone, if the request was already answered
   */
  begin<Result>(
    objectId: string,
    work: (tx: OrgTx) => Promise<Result>,
    readState: (tx: OrgTx, objectId: string) => Promise<EffectState<unknown>>,
  ): Promise<Result>
  /** Commits the outcome. @throws DomainError the refusal, after the commit */
  end<Result>(work: (tx: OrgTx) => Promise<EffectOutcome<Result>>): Promise<Result>
}

/** Returns the two transactions of a request without an Idempotency-Key. No answer is stored. */
export function effectWithoutKey(org: Org): EffectTransactions {
  return {
    begin: (_objectId, work) => org.transact(work),
    end: async (work) => answerOf(await org.transact(work)),
  }
}

/** Returns the answer of an outcome. @throws DomainError the refusal */
export function answerOf<Result>(outcome: EffectOutcome<Result>): Result {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.answer
}
