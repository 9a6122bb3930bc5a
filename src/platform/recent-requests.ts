import { awakeMs } from './busy-thread.ts'

/** `payerId`: Caller.payerId. `orgId`: the organization on which the request acted. */
type Noted = { payerId: string; orgId: string; at: number }

/**
 * At most four payers belong to an organization: its keys, its members, and the keys and members of its agency. So the
 * latest five payers include at least one other payer.
 */
const payersMax = 5

/** Remembers when the latest payers last sent requests. */
export class RecentRequests {
  /** The latest request of each payer, newest first. */
  #latest: Noted[] = []

  /** Notes that a request of this caller arrived. */
  note({ payerId, orgId }: Pick<Noted, 'payerId' | 'orgId'>, at: number = awakeMs()): void {
    const others = this.#latest.filter((noted) => noted.payerId !== payerId)
    this.#latest = [{ payerId, orgId, at }, ...others.slice(0, payersMax - 1)]
  }

  /**
   * How many milliseconds ago a request of another organization arrived; Infinity: never. Requests of members of the
   * organization `orgId`, and requests of its agency that act on this organization, do not count.
   */
  msSinceOthers(orgId: string, now: number = awakeMs()): number {
    const found = this.#latest.find((noted) => !noted.payerId.startsWith(orgId) && noted.orgId !== orgId)
    return now - (found?.at ?? Number.NEGATIVE_INFINITY)
  }

  /** Whether a request of another organization arrived in this time, by default in the last 250 ms. */
  areOfOthers(orgId: string, withinMs: number = servingMs): boolean {
    return this.msSinceOthers(orgId) < withinMs
  }
}

/**
 * A process serves other organizations if one of their requests arrived in the last 250 ms. Time in which the thread
 * could read no request does not count: after a pause, all waiting work of an organization would begin at once
 * otherwise, and make other organizations wait longer.
 */
const servingMs = 250

/**
 * Statements that began before a request of another organization keep the cores busy for seconds. A person who works in
 * the console, or a program that asks for changes, often pauses for half a minute.
 */
const expectingMs = 60_000

/** The requests to the API of this process. */
export const recentRequests = new RecentRequests()

/**
 * Whether this process now also serves other organizations than that of this payer. They share its thread and
 * PostgreSQL. An organization and its members count as one.
 */
export function servesOthers(payerId: string): boolean {
  const [orgId = ''] = payerId.split(':')
  return recentRequests.areOfOthers(orgId)
}

/**
 * Whether this process served other organizations than that of this payer in the last minute, so that their next
 * request may come soon.
 */
export function expectsOthers(payerId: string): boolean {
  const [orgId = ''] = payerId.split(':')
  return recentRequests.areOfOthers(orgId, expectingMs)
}
