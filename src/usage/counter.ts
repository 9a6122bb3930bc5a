import type { Caller } from '../platform/caller.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'

const flushMs = 3_000
const hourMs = 3_600_000

/** The organization and the mode that a request counts for. */
export type UsageScope = Pick<Caller, 'orgId' | 'mode'>

/** Requests of one organization, mode and hour. */
type Tally = UsageScope & { hourMs: number; requests: number; limited: number }

/**
 * Counts each organization's requests in memory, and adds the numbers to the table `usage_hour` every 3 s, in one
 * statement. If the process is killed, the numbers of the last seconds are lost.
 */
export class RequestCounter {
  readonly #scope: SystemScope
  readonly #log: Log
  #tallies = new Map<string, Tally>()
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(scope: SystemScope, log: Log) {
    this.#scope = scope
    this.#log = log
  }

  /**
   * Counts an answered request.
   * @param counted null: no organization accepted the request
   */
  note(counted: UsageScope | null, status: number): void {
    // A member's request may act on no organization.
    if (!counted || counted.orgId === '') return
    const hour = Math.floor(Date.now() / hourMs) * hourMs
    const key = counted.mode === 'live' ? counted.orgId : `${counted.orgId} test`
    let tally = this.#tallies.get(key)
    if (tally?.hourMs !== hour) tally = this.#begin(key, counted, hour)
    tally.requests += 1
    if (status === 429) tally.limited += 1
  }

  #begin(key: string, { orgId, mode }: UsageScope, hour: number): Tally {
    const before = this.#tallies.get(key)
    // Keep the numbers of the previous hour under another key.
    if (before) this.#tallies.set(`${key} ${before.hourMs}`, before)
    const tally = { orgId, mode, hourMs: hour, requests: 0, limited: 0 }
    this.#tallies.set(key, tally)
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
    return tally
  }

  /** Stores the pending numbers. Logs a failure, and stores them with the next ones. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#store())
    return this.#flushing
  }

  async #store(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const tallies = [...this.#tallies.values()]
    this.#tallies = new Map()
    if (tallies.length === 0) return
    await addToHours(this.#scope, tallies).catch((error) => {
      this.#log.warn({ err: error }, 'the numbers of requests were not stored; retrying')
      for (const tally of tallies) this.#putBack(tally)
    })
  }

  #putBack(tally: Tally): void {
    const key = `${tally.orgId} ${tally.mode} ${tally.hourMs}`
    const known = this.#tallies.get(key)
    if (known) {
      known.requests += tally.requests
      known.limited += tally.limited
    } else this.#tallies.set(key, tally)
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }
}

async function addToHours(scope: SystemScope, tallies: readonly Tally[]): Promise<void> {
  const rows = tallies.flatMap(({ orgId, mode, hourMs: hour, requests, limited }) => [
    { orgId, mode, hour, series: 'requests', n: requests },
    ...(limited > 0 ? [{ orgId, mode, hour, series: 'rate_limited', n: limited }] : []),
  ])
  // Use one order: two processes that lock the rows in different orders could deadlock.
  await scope.transact((tx) =>
    tx.run(sql`
      insert into usage_hour (org_id, mode, hour, series, n)
      select u.org_id, u.mode, to_timestamp(u.hour_ms / 1000.0), u.series, sum(u.n)
      from unnest(${rows.map(({ orgId }) => orgId)}::uuid[], ${rows.map(({ mode }) => mode)}::text[],
        ${rows.map(({ hour }) => hour)}::bigint[], ${rows.map(({ series }) => series)}::text[],
        ${rows.map(({ n }) => n)}::bigint[]) as u (org_id, mode, hour_ms, series, n)
      where exists (select from org o where o.org_id = u.org_id)
      group by u.org_id, u.mode, u.hour_ms, u.series
      order by u.org_id, u.mode, u.hour_ms, u.series
      on conflict (org_id, mode, hour, series) do update set n = usage_hour.n + excluded.n`),
  )
}
