/** Quota units of methods (developers.google.com/workspace/gmail/api/reference/quota). */
export const units = { list: 1, get: 1, update: 100 } as const

/** Units that may be spent at once; and a minute, which comes on top. */
type Allowance = { burst: number; perMinute: number }

/** Google's page has had 6,000 and 15,000 units a minute. */
const forUser: Allowance = { burst: 1_000, perMinute: 5_000 }
/** Google's 1,200,000 a minute, and some to spare. */
const forProject: Allowance = { burst: 20_000, perMinute: 1_100_000 }

const minuteMs = 60_000
const usersMax = 10_000

/** In milliseconds. */
export type Clock = { now(): number }

/** Spaces requests so that neither a user's nor a project's quota runs out: the virtual scheduling of ITU-T I.371. */
export class GmailQuota {
  readonly #clock: Clock
  readonly #project = new Meter(forProject)
  readonly #users = new Map<string, Meter>()

  constructor(clock: Clock = { now: () => performance.now() }) {
    this.#clock = clock
  }

  /** Takes `cost` units for a user; the milliseconds to wait before they may be spent. */
  take(user: string, cost: number): number {
    const now = this.#clock.now()
    let meter = this.#users.get(user)
    if (!meter) {
      if (this.#users.size >= usersMax) this.#forget(now)
      meter = new Meter(forUser)
      this.#users.set(user, meter)
    }
    return Math.max(meter.take(cost, now), this.#project.take(cost, now))
  }

  /** Those that owe nothing are as good as new. */
  #forget(now: number): void {
    for (const [user, meter] of this.#users) if (meter.owesNothing(now)) this.#users.delete(user)
  }
}

/** When the next unit is due, if none may come early. */
class Meter {
  readonly #msPerUnit: number
  readonly #slackMs: number
  #dueAt = Number.NEGATIVE_INFINITY

  constructor({ burst, perMinute }: Allowance) {
    this.#msPerUnit = minuteMs / perMinute
    this.#slackMs = burst * this.#msPerUnit
  }

  owesNothing(now: number): boolean {
    return this.#dueAt <= now
  }

  take(cost: number, now: number): number {
    const dueAt = Math.max(now, this.#dueAt)
    this.#dueAt = dueAt + cost * this.#msPerUnit
    return Math.max(0, this.#dueAt - this.#slackMs - now)
  }
}
