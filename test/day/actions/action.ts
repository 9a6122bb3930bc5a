import { createHash, randomInt } from 'node:crypto'
import { newNonce } from '../dice.ts'
import type { Creation, Ledger } from '../ledger.ts'
import type { Actor } from '../orgs.ts'
import { type DayAnswer, type RequestParts, type Requests, Unanswered } from '../requests.ts'

export type Action = (api: ActorClient) => Promise<unknown>

/** A list of actions. An action with twice the weight happens twice as often. */
export type WeightedActions = readonly (readonly [weight: number, action: Action])[]

const poolSize = 200

/** The organization of an action, and the ledger that records its answers. */
export class ActorClient {
  readonly actor: Actor
  readonly ledger: Ledger
  readonly requests: Requests

  constructor(actor: Actor, requests: Requests) {
    this.actor = actor
    this.requests = requests
    this.ledger = requests.ledger
  }

  send(name: string, sent: RequestParts = {}): Promise<DayAnswer> {
    return this.requests.send(this.actor, name, sent)
  }

  text(nonce: string = newNonce()): string {
    return `${nonce} ${this.actor.marker}`
  }

  email(nonce: string): string {
    return `${nonce}@${this.actor.marker}.example`
  }

  pool(name: string): string[] {
    const pool = this.actor.pools.get(name) ?? []
    this.actor.pools.set(name, pool)
    return pool
  }

  keep(name: string, id: string | number): void {
    const pool = this.pool(name)
    if (pool.length < poolSize) pool.push(String(id))
    else pool[randomInt(poolSize)] = String(id)
  }

  pick(name: string): string | undefined {
    const pool = this.pool(name)
    return pool[randomInt(Math.max(pool.length, 1))]
  }

  /** Removes the object from the pool, so that no other action uses it meanwhile. */
  take(name: string): string | undefined {
    const pool = this.pool(name)
    return pool.splice(randomInt(Math.max(pool.length, 1)), 1)[0]
  }

  /** Creates an object; null if the request was refused. Later actions may change `fields`. */
  async create(
    kind: string,
    name: string,
    sent: (nonce: string) => RequestParts,
    // biome-ignore lint/suspicious/noExplicitAny: answers differ by endpoint
    idOf: (body: any) => string | number | undefined,
    fields: readonly string[] = [],
  ): Promise<DayAnswer | null> {
    const nonce = newNonce()
    const creation: Creation = this.ledger.begin(kind, this.actor.orgId, nonce)
    const request = sent(nonce)
    const answer = await this.send(name, request)
    if (!answer.ok) return null
    const id = String(idOf(answer.body))
    this.ledger.acknowledge(creation, id)
    for (const field of fields)
      this.#note(kind, id, field, (request.body as Record<string, string | undefined>)[field] ?? null, answer)
    return answer
  }

  /** Writes fields of an object, and records the possible values of each. */
  async change(
    kind: string,
    id: string | number,
    fields: Record<string, string | null>,
    name: string,
    sent: RequestParts,
    event?: string,
  ): Promise<DayAnswer> {
    const note = (answer: Pick<DayAnswer, 'sentAt' | 'answeredAt'>, acknowledged: boolean) => {
      for (const [field, value] of Object.entries(fields))
        this.#note(kind, id, field, value, answer, acknowledged)
    }
    const sentAt = Date.now()
    try {
      const answer = await this.send(name, sent)
      if (answer.ok) note(answer, true)
      // The first try may have taken effect, and made the second one fail.
      else if (answer.doubtful) note(answer, false)
      if (event && (answer.ok || answer.doubtful))
        this.ledger.effect(this.actor.orgId, event, String(id), answer.ok ? 1 : 0, answer.doubtful ? 1 : 0)
      return answer
    } catch (error) {
      if (error instanceof Unanswered) {
        note({ sentAt, answeredAt: Number.POSITIVE_INFINITY }, false)
        if (event) this.ledger.effect(this.actor.orgId, event, String(id), 0, 1)
      }
      throw error
    }
  }

  #note(
    kind: string,
    id: string | number,
    field: string,
    value: string | null,
    { sentAt, answeredAt }: Pick<DayAnswer, 'sentAt' | 'answeredAt'>,
    acknowledged = true,
  ): void {
    this.ledger.write(kind, id, field, { value, sentAt, endAt: answeredAt, acknowledged })
  }

  /** Records the values that a read showed. The audit compares them with the written values. */
  sees(
    kind: string,
    id: string,
    fields: readonly string[],
    shown: Record<string, unknown>,
    answer: DayAnswer,
  ): void {
    for (const field of fields) {
      const { sentAt, answeredAt } = answer
      this.ledger.reads.push({ of: `${kind} ${id} ${field}`, value: shown[field], sentAt, answeredAt })
    }
  }

  /** Records the shown content of each version. */
  version(kind: string, id: string, data: { version: number }): void {
    const shown = createHash('sha1').update(JSON.stringify(data)).digest('base64url')
    this.ledger.version(kind, id, data.version, shown)
  }
}
