import { type Asked, CellRates } from '../../../platform/rate-limit/cell-rates.ts'
import type { Clock } from '../../../platform/rate-limit/rate-limit.ts'

const [minute, hour, day] = [60, 3_600, 86_400]
/** Submissions of a form in an hour; each further one needs a proof of work. */
const withoutProof = 20
/** Call-back requests of a network, in an hour. */
const callsPerHour = 3
/**
 * Submissions of a form: a burst of at most this many, and one more each second. Submissions with a proof of work have
 * a separate budget of the same size.
 */
const formBurst = 1_000
/** How many times a day the same proof counts. A person sends it again after an invalid answer. */
const usesOfProof = 5

/** Limits submissions in the memory of this process. Every submission counts, even an invalid one. */
export class FormBudgets {
  readonly #rates: CellRates

  constructor(clock?: Clock) {
    this.#rates = new CellRates(clock && { clock })
  }

  /**
   * Counts a submission before its answers are read.
   * @param form `mainOrgId` is the organization whose budgets the form shares
   * @param address the network of the client
   * @param proofId the challenge that the client solved; null: none. Submissions without a proof of work cannot use up
   * the budget of those with one, so an attack does not block people whose browser solves the proof
   * @returns null if it may be sent; otherwise the number of seconds to wait
   */
  count(
    { formId, mainOrgId }: { formId: string; mainOrgId: string },
    address: string,
    proofId: string | null = null,
  ): number | null {
    const kind = proofId !== null && this.#counts(proofId) ? 'solved' : 'form'
    const asked: Asked[] = [
      { name: `minute ${mainOrgId} ${address}`, perSecond: 5 / minute, burst: minute, units: 1 },
      { name: `hour ${mainOrgId} ${address}`, perSecond: 30 / hour, burst: hour, units: 1 },
      { name: `${kind} ${formId}`, perSecond: 1, burst: formBurst, units: 1 },
    ]
    return this.#rates.take(asked)
  }

  /** Whether a proof was not used too often. */
  #counts(proofId: string): boolean {
    const name = `uses of ${proofId}`
    return this.#rates.take([{ name, perSecond: usesOfProof / day, burst: day, units: 1 }]) === null
  }

  /**
   * Counts a call-back request. Returns whether the network may ask the organization for one more call.
   */
  mayAskForCall(mainOrgId: string, address: string): boolean {
    const name = `calls ${mainOrgId} ${address}`
    return this.#rates.take([{ name, perSecond: callsPerHour / hour, burst: hour, units: 1 }]) === null
  }

  /** Counts a readable submission. Returns whether it needs a proof of work. */
  needsProof(formId: string): boolean {
    return (
      this.#rates.take([
        { name: `proof ${formId}`, perSecond: withoutProof / hour, burst: hour, units: 1 },
      ]) !== null
    )
  }
}
