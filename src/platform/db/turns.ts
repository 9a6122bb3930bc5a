import { expectsOthers } from '../recent-requests.ts'
import { FairLimiter, type FairLimiterOptions } from './fair-limiter.ts'

/**
 * Runs one piece of work at a time for each organization, if the work may keep a core of PostgreSQL busy. This applies
 * while the process also serves other organizations, and for a minute after that. Limits for each kind of work and each
 * payer are not enough: a search and a list of the keys, together with a search and a list of the members, would use
 * all cores. Each payer has one piece of work in the rotation, so that members do not wait for all work of the keys.
 */
export class Turns {
  readonly #ofPayers: FairLimiter
  readonly #ofOrgs: FairLimiter

  constructor(options: Pick<FairLimiterOptions, 'servesOthers'> = {}) {
    const limits = {
      ...{ max: Number.POSITIVE_INFINITY, maxBesideOthers: 1, waitMs: 20_000 },
      ...{ servesOthers: expectsOthers, ...options },
    }
    this.#ofPayers = new FairLimiter(limits)
    this.#ofOrgs = new FairLimiter(limits)
  }

  /**
   * @param payerId Caller.payerId
   * @throws OrgBusy if the wait takes too long
   */
  run<Result>(payerId: string, work: () => Promise<Result>): Promise<Result> {
    const [orgId = ''] = payerId.split(':')
    return this.#ofPayers.run(payerId, () => this.#ofOrgs.run(orgId, work))
  }
}

const turns = new Turns()

/**
 * Runs `work`, a list or search that may keep a core of PostgreSQL busy, in its turn.
 * @throws OrgBusy if the wait takes too long
 */
export const takeTurn = <Result>(payerId: string, work: () => Promise<Result>): Promise<Result> =>
  turns.run(payerId, work)
