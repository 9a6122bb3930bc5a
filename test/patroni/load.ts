import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** A way to the database: the servers whose clients use it. */
export type Way = { name: string; addresses: string[] }

const paceMs = 50
const retryMs = 50
const answerWithinMs = 60_000

export type Creation = {
  name: string
  /** With an Idempotency-Key, and repeated until it succeeds. */
  isKeyed: boolean
  /** The id in the 201; null: none yet. */
  id: string | null
  /** Every answer was a refusal that says that nothing changed. */
  isRefused: boolean
  requests: number
}

/** Clients that create contacts at a steady pace: some with idempotency keys, and some without. */
export class Load {
  readonly creations: Creation[] = []
  readonly unexpected: string[] = []
  readonly #ways: readonly Way[]
  readonly #token: string
  readonly #acknowledged = new Map<string, number[]>()
  #running: Promise<unknown> = Promise.resolve()
  #isStopping = false

  constructor(ways: readonly Way[], token: string) {
    this.#ways = ways
    this.#token = token
    for (const { name } of ways) this.#acknowledged.set(name, [])
  }

  start(): void {
    this.#running = Promise.all(
      this.#ways.flatMap((way) => [true, true, false].map((isKeyed) => this.#work(way, isKeyed))),
    )
  }

  /** Lets each client finish its current creation. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  /** How many creations of each way succeeded so far. */
  counts(): number[] {
    return [...this.#acknowledged.values()].map(({ length }) => length)
  }

  /** The longest time since `sinceMs` in which no creation of a way succeeded, in milliseconds. */
  longestPause(way: string, sinceMs: number): number {
    const moments = [sinceMs, ...this.#acknowledged.get(way)!.filter((moment) => moment > sinceMs)]
    return Math.max(0, ...moments.slice(1).map((moment, index) => moment - moments[index]!))
  }

  async #work(way: Way, isKeyed: boolean): Promise<void> {
    while (!this.#isStopping) {
      const creation = { name: randomUUID(), isKeyed, id: null, isRefused: true, requests: 0 }
      this.creations.push(creation)
      await this.#create(way, creation)
      await delay(paceMs)
    }
  }

  async #create(way: Way, creation: Creation): Promise<void> {
    const until = performance.now() + answerWithinMs
    do {
      // A repeated request goes to the next server.
      const address = way.addresses[creation.requests++ % way.addresses.length]!
      const answer = await this.#send(address, creation)
      if (answer?.status === 201) {
        creation.id = answer.id
        creation.isRefused = false
        this.#acknowledged.get(way.name)!.push(performance.now())
        return
      }
      const isRefusal = answer?.status === 503 && answer.code !== 'outcome_unknown'
      if (!isRefusal) creation.isRefused = false
      const isInProgress = creation.isKeyed && answer?.status === 409
      if (answer && answer.status !== 503 && !isInProgress)
        this.unexpected.push(`${way.name}: ${answer.status} ${answer.code}`)
      await delay(retryMs)
    } while (creation.isKeyed && performance.now() < until)
    if (creation.isKeyed) this.unexpected.push(`${way.name}: no success within ${answerWithinMs} ms`)
  }

  /** null: no answer. */
  async #send(address: string, { name, isKeyed }: Creation) {
    try {
      const response = await fetch(`${address}/api/v1/contacts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          ...(isKeyed && { 'idempotency-key': name }),
        },
        body: JSON.stringify({ first_name: 'Ada', external_ids: { failover: name } }),
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const body = (await response.json()) as { data?: { contact_id: string }; code?: string }
      return { status: response.status, id: body.data?.contact_id ?? null, code: body.code }
    } catch {
      return null
    }
  }
}
