/** `payerId`: Caller.payerId. `orgId`: the organization on which the request acted. */
type Noted = { payerId: string; orgId: string; at: number }

const none: Noted = { payerId: '', orgId: '', at: Number.NEGATIVE_INFINITY }

/** Remembers when payers last sent requests. Two requests are enough: the latest one, and the latest one of another payer. */
export class RecentRequests {
  #latest = none
  #other = none

  /** Notes that a request of this caller arrived. */
  note({ payerId, orgId }: Pick<Noted, 'payerId' | 'orgId'>, at: number = performance.now()): void {
    if (payerId !== this.#latest.payerId) this.#other = this.#latest
    this.#latest = { payerId, orgId, at }
  }

  /**
   * How many milliseconds ago a request of others arrived; Infinity: never. The members of the organization `orgId`, and its
   * agency while it acts on this organization, are not others.
   */
  msSinceOthers(orgId: string, now: number = performance.now()): number {
    const found = [this.#latest, this.#other].find(
      (noted) => !noted.payerId.startsWith(orgId) && noted.orgId !== orgId,
    )
    return now - (found ?? none).at
  }
}

/** The requests to the API of this process. */
export const recentRequests = new RecentRequests()
