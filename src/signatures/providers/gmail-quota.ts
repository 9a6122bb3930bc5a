import { type Clock, Pace } from '../../platform/outbound/pace.ts'

/** The quota units of each method (developers.google.com/workspace/gmail/api/reference/quota). */
export const quotaUnits = { list: 1, get: 1, update: 100 } as const

/** The limit for a user. It is below both limits that Google has published: 6,000 and 15,000 units a minute. */
const forUser = { burst: 1_000, perSecond: 5_000 / 60 }
/** The limit for the whole project, below Google's 1,200,000 units a minute. */
const forProject = { burst: 20_000, perSecond: 1_100_000 / 60 }

/** Spaces requests so that they never exceed the quota of a user or a project at Google. */
export class GmailQuota {
  readonly #users: Pace
  readonly #projects: Pace

  constructor(clock?: Clock) {
    this.#users = new Pace(forUser, clock)
    this.#projects = new Pace(forProject, clock)
  }

  /** Reserves units for one user of a project. Returns the milliseconds to wait before using them. */
  take(project: string, user: string, cost: number): number {
    return Math.max(this.#users.take(`${project} ${user}`, cost), this.#projects.take(project, cost))
  }
}
