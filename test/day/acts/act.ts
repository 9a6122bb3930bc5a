import { createHash, randomInt } from 'node:crypto'
import { newNonce } from '../dice.ts'
import type { Creation, Ledger } from '../ledger.ts'
import type { Actor } from '../orgs.ts'
import { type Requests, type Sent, type Told, Unanswered } from '../requests.ts'

/** What somebody does in an organization, in a request or a few. */
export type Act = (visit: Visit) => Promise<unknown>

/** Acts, each with how often it is done among all others. */
export type Acts = readonly (readonly [weight: number, act: Act])[]

const poolSize = 200

/** One act's way to its organization, and to the log of what was told. */
export class Visit {
  readonly actor: Actor
  readonly ledger: Ledger
  readonly requests: Requests

  constructor(actor: Actor, requests: Requests) {
    this.actor = actor
    this.requests = requests
    this.ledger = requests.ledger
  }

  send(name: string, sent: Sent = {}): Promise<Told> {
    return this.requests.send(this.actor, name, sent)
  }

  /** A text that nothing else has, with the marker of the organization. */
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

  /** Nobody else gets it until it is kept again. */
  take(name: string): string | undefined {
    const pool = this.pool(name)
    return pool.splice(randomInt(Math.max(pool.length, 1)), 1)[0]
  }

  /** Makes a thing; null if that was refused. `fields` are what it has of what may change. */
  async create(
    kind: string,
    name: string,
    sent: (nonce: string) => Sent,
    // biome-ignore lint/suspicious/noExplicitAny: answers differ by endpoint
    idOf: (body: any) => string | number | undefined,
    fields: readonly string[] = [],
  ): Promise<Told | null> {
    const nonce = newNonce()
    const creation: Creation = this.ledger.begin(kind, this.actor.orgId, nonce)
    const request = sent(nonce)
    const told = await this.send(name, request)
    if (!told.ok) return null
    const id = String(idOf(told.body))
    this.ledger.acknowledge(creation, id)
    for (const field of fields)
      this.#note(kind, id, field, (request.body as Record<string, string | undefined>)[field] ?? null, told)
    return told
  }

  /** Writes fields of a thing: what they may be from then on. */
  async change(
    kind: string,
    id: string | number,
    fields: Record<string, string | null>,
    name: string,
    sent: Sent,
    event?: string,
  ): Promise<Told> {
    const note = (told: Pick<Told, 'sentAt' | 'answeredAt'>, acknowledged: boolean) => {
      for (const [field, value] of Object.entries(fields))
        this.#note(kind, id, field, value, told, acknowledged)
    }
    const sentAt = Date.now()
    try {
      const told = await this.send(name, sent)
      if (told.ok) note(told, true)
      // Of two tries the first may have done what the second one is refused for.
      else if (told.doubtful) note(told, false)
      if (event && (told.ok || told.doubtful))
        this.ledger.effect(this.actor.orgId, event, String(id), told.ok ? 1 : 0, told.doubtful ? 1 : 0)
      return told
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
    { sentAt, answeredAt }: Pick<Told, 'sentAt' | 'answeredAt'>,
    acknowledged = true,
  ): void {
    this.ledger.write(kind, id, field, { value, sentAt, endAt: answeredAt, acknowledged })
  }

  /** Notes what a read shows: it is held against the writes once these have all been answered. */
  sees(
    kind: string,
    id: string,
    fields: readonly string[],
    shown: Record<string, unknown>,
    told: Told,
  ): void {
    for (const field of fields) {
      const { sentAt, answeredAt } = told
      this.ledger.reads.push({ of: `${kind} ${id} ${field}`, value: shown[field], sentAt, answeredAt })
    }
  }

  /** Notes which version was shown how. */
  version(kind: string, id: string, data: { version: number }): void {
    const shown = createHash('sha1').update(JSON.stringify(data)).digest('base64url')
    this.ledger.version(kind, id, data.version, shown)
  }
}
