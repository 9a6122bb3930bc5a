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
   * How many milliseconds ago a request of others arrived; Infinity: never. The members of the organization `orgId`, and its
   * agency while it acts on this organization, are not others.
   */
  msSinceOthers(orgId: string, now: number = awakeMs()): number {
    const found = this.#latest.find((noted) => !noted.payerId.startsWith(orgId) && noted.orgId !== orgId)
    return now - (found?.at ?? Number.NEGATIVE_INFINITY)
  }

  /** Whether a request of others arrived in this time, by default in the last 250 ms. */
  areOfOthers(orgId: string, withinMs: number = servingMs): boolean {
    return this.msSinceOthers(orgId) < withinMs
  }
}

/**
 * A process serves others if one of their requests arrived in the last 250 ms. Time in which the thread could read no request does
 * not count: after a pause, all waiting work of an organization would begin at once otherwise, and make the others wait longer.
 */
const servingMs = 250

/**
 * Statements that began before a request of others keep the cores busy for seconds. A person who works in the console, or a program
 * that asks for changes, often pauses for half a minute.
 */
const expectingMs = 60_000

/** The requests to the API of this process. */
export const recentRequests = new RecentRequests()

/**
 * Whether this process also serves others than this organization or payer now. They share its thread and PostgreSQL.
 * The members of an organization and its API keys are not others.
 */
export function servesOthers(payerId: string): boolean {
  const [orgId = ''] = payerId.split(':')
  return recentRequests.areOfOthers(orgId)
}

/** Whether this process served others than this organization or payer in the last minute, so that their next request may come soon. */
export function expectsOthers(payerId: string): boolean {
  const [orgId = ''] = payerId.split(':')
  return recentRequests.areOfOthers(orgId, expectingMs)
}
