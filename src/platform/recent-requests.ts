type Noted = { payerId: string; at: number }

const none: Noted = { payerId: '', at: Number.NEGATIVE_INFINITY }

/** Remembers when payers last sent requests. Two requests are enough: the latest one, and the latest one of another payer. */
export class RecentRequests {
  #latest = none
  #other = none

  /** Notes that a request of this payer (Caller.payerId) arrived. */
  note(payerId: string, at: number = performance.now()): void {
    if (payerId !== this.#latest.payerId) this.#other = this.#latest
    this.#latest = { payerId, at }
  }

  /**
   * How many milliseconds ago a request of others arrived; Infinity: never. The members of the organization `orgId` are
   * not others.
   */
  msSinceOthers(orgId: string, now: number = performance.now()): number {
    const found = [this.#latest, this.#other].find(({ payerId }) => !payerId.startsWith(orgId))
    return now - (found ?? none).at
  }
}

/** The requests to the API of this process. */
export const recentRequests = new RecentRequests()
