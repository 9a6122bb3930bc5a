import type { Org } from '../db/org.ts'
import type { OrgTx } from '../db/org-tx.ts'
import type { DomainError } from '../domain-error.ts'

/** Of an effect that was begun and has no kept answer: what it is now answered with. */
export type Standing<Result> =
  | { answer: Result }
  /** Nobody knows yet. */
  | 'running'
  /** It may be begun again without harm. */
  | 'again'

/** What came of an effect: an answer to keep, or a refusal, after which the key is free. */
export type Ending<Result> = { answer: Result } | { refusal: DomainError }

/**
 * The two transactions around an effect that no transaction can hold (`effect: 'outside'` of an endpoint). With an
 * Idempotency-Key the first one claims it as well, and the second one keeps the answer.
 */
export type Once = {
  /**
   * Commits what is to be known before the effect is attempted.
   * @param objectId what the effect makes, or is done to
   * @param standing for a retry that comes when whoever began is done or dead, and no answer was kept
   * @throws what only the router may catch, where the request was answered before
   */
  begin<Result>(
    objectId: string,
    work: (tx: OrgTx) => Promise<Result>,
    standing: (tx: OrgTx, objectId: string) => Promise<Standing<unknown>>,
  ): Promise<Result>
  /** Commits what came of it. @throws Problem, its refusal, once that is committed */
  end<Result>(work: (tx: OrgTx) => Promise<Ending<Result>>): Promise<Result>
}

/** Without an Idempotency-Key: the same flow, and nothing that is kept. */
export function unkeyed(org: Org): Once {
  return {
    begin: (_objectId, work) => org.transact(work),
    end: async (work) => answerOf(await org.transact(work)),
  }
}

export function answerOf<Result>(ending: Ending<Result>): Result {
  if ('refusal' in ending) throw ending.refusal
  return ending.answer
}
