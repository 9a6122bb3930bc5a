import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { runAsOwner } from '../support/database.ts'

/**
 * How often each fault happens: once in CI, 25 times with `FAULT_ROUNDS=25 npm run test:faults`. From 2 rounds on, other
 * fault tests are longer too.
 */
export const rounds: number = Number(process.env.FAULT_ROUNDS ?? 1)

export type Report = {
  /** Requested creations, each with an Idempotency-Key of its own. */
  sent: number
  requests: number
  acknowledged: number
  found: number
  /** Creations that are stored more than once, or that have no event or several. */
  doubled: number
  /** Acknowledged creations that are not stored under their id. */
  lost: number
  unexpected: string[]
}

const retryMs = 25
const answerWithinMs = 60_000

/** Clients that create contacts one after another. Each repeats a request unchanged until it gets an answer. */
export class Clients {
  readonly #address: () => string
  readonly #token: string
  readonly #asked: string[] = []
  readonly #created = new Map<string, string>()
  readonly #unexpected: string[] = []
  #requests = 0
  #refused = 0
  #running: Promise<unknown> | null = null
  #stopping = false

  /** @param address returns the server's address, which may change with a restart */
  constructor(address: () => string, token: string) {
    this.#address = address
    this.#token = token
  }

  get acknowledged(): number {
    return this.#created.size
  }

  get refused(): number {
    return this.#refused
  }

  start(count: number): void {
    this.#stopping = false
    this.#running = Promise.all(Array.from({ length: count }, () => this.#work()))
  }

  /** Lets each client complete its current creation, with retries. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const key = randomUUID()
      this.#asked.push(key)
      await this.#create(key)
    }
  }

  async #create(key: string): Promise<void> {
    const until = performance.now() + answerWithinMs
    while (performance.now() < until) {
      const answer = await this.#send(key)
      if (answer?.status === 201) {
        this.#created.set(key, answer.id!)
        return
      }
      // The server is down, starting or stopping, or an earlier try still runs.
      if (answer?.status === 503) this.#refused++
      else if (answer !== null && answer.status !== 409) this.#unexpected.push(`${key}: ${answer.status}`)
      await delay(retryMs)
    }
    this.#unexpected.push(`${key}: no success within ${answerWithinMs} ms`)
  }

  async #send(key: string): Promise<{ status: number; id: string | undefined } | null> {
    this.#requests++
    try {
      const response = await fetch(`${this.#address()}/api/v1/contacts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ first_name: 'Ada', external_ids: { fault: key } }),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const body = await response.json()
      return { status: response.status, id: body?.data?.contact_id }
    } catch {
      return null
    }
  }

  /** Compares the answers with the database of `url`. */
  async report(url: string): Promise<Report> {
    const rows = await runAsOwner<{ key: string; ids: string[]; events: number }>(
      url,
      `select c.external_ids ->> 'fault' as key, array_agg(distinct c.contact_id::text) as ids, count(e.event_id)::int as events
       from contact c left join event e on e.org_id = c.org_id and e.object_id = c.contact_id and e.type = 'contact.created'
       where c.external_ids ->> 'fault' = any($1) group by 1`,
      [this.#asked],
    )
    const stored = new Map(rows.map(({ key, ids }) => [key, ids]))
    return {
      sent: this.#asked.length,
      requests: this.#requests,
      acknowledged: this.#created.size,
      found: rows.length,
      doubled: rows.filter(({ ids, events }) => ids.length > 1 || events !== 1).length,
      lost: [...this.#created].filter(([key, id]) => !stored.get(key)?.includes(id)).length,
      unexpected: this.#unexpected,
    }
  }
}
