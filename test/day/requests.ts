import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '../../src/api.ts'
import { projectRoot } from '../../src/platform/config.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { defaultStatus } from '../../src/platform/http/response.ts'
import { bodyFault } from '../support/answer-check.ts'
import { chance } from './dice.ts'
import type { Ledger } from './ledger.ts'
import { type Actor, markers } from './orgs.ts'

export type RequestParts = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: object
  csv?: string
  ifMatch?: number
  mode?: 'live' | 'test'
  token?: string
  /** Statuses that the action accepts besides success and retries. */
  allow?: number[]
}

export type DayAnswer = {
  status: number
  /** Whether the status is the endpoint's success. */
  ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by endpoint
  body: any
  sentAt: number
  answeredAt: number
  /** Whether an earlier try was cut off, so that its effect is unknown. */
  doubtful: boolean
}

export type RequestAttempt = { at: number; endpoint: string; address: string; what: string; sentAt: number }

const named = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]))
const document = JSON.parse(readFileSync(join(projectRoot, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
}
/** The statuses in the reference, by endpoint. */
const described = new Map(
  Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId, responses }) => [operationId, new Set(Object.keys(responses).map(Number))]),
)
const giveUpMs = 90_000
const answerWithinMs = 30_000
// A cut-off request can continue for this time, because a statement runs for at most 15 s.
const lingersMs = 20_000
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Clients of several servers. They retry as the API reference says, and check each answer against its schema. */
export class Requests {
  readonly ledger: Ledger
  readonly counts = new Map<string, Map<number, number>>()
  readonly refused: RequestAttempt[] = []
  readonly broken: RequestAttempt[] = []
  replays = 0
  readonly actors: Actor[] = []
  limited = 0
  readonly #addresses: readonly string[]
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #underWay = new Set<{ address: string; sentAt: number }>()

  constructor(addresses: readonly string[], ledger: Ledger) {
    this.#addresses = addresses
    this.ledger = ledger
  }

  join(actor: Actor): void {
    this.actors.push(actor)
  }

  close(): void {
    this.#agent.destroy()
  }

  inFlight(address: string): number {
    const now = Date.now()
    return [...this.#underWay].filter((one) => one.address === address && now - one.sentAt > 10).length
  }

  /**
   * Sends a request until its answer is final.
   * @throws Error after 90 seconds
   */
  async send(actor: Actor, name: string, sent: RequestParts = {}): Promise<DayAnswer> {
    const endpoint = named.get(name)!
    const key = endpoint.method === 'POST' && endpoint.effect !== 'none' ? randomUUID() : null
    const answer = await this.#untilAnswered(actor, endpoint, sent, key)
    if (key !== null && answer.ok && chance(0.03)) await this.#again(actor, endpoint, sent, key, answer)
    return answer
  }

  /** Repeats the request. The answer must be the same, unless an erasure removed the stored one. */
  async #again(
    actor: Actor,
    endpoint: Endpoint,
    sent: RequestParts,
    key: string,
    before: DayAnswer,
  ): Promise<void> {
    if ((sent.body as { dry_run?: boolean } | undefined)?.dry_run) return
    const again = await this.#untilAnswered(actor, endpoint, { ...sent, allow: [409] }, key)
    if (again.status === 409) return
    this.replays++
    if (JSON.stringify(again.body) !== JSON.stringify(before.body))
      this.ledger.fault(
        `${endpoint.name} answered a retry otherwise: ${JSON.stringify([before.body, again.body])}`,
      )
  }

  async #untilAnswered(
    actor: Actor,
    endpoint: Endpoint,
    sent: RequestParts,
    key: string | null,
  ): Promise<DayAnswer> {
    const sentAt = Date.now()
    let doubtful = false
    let address = this.#addresses[Math.floor(Math.random() * this.#addresses.length)]!
    while (Date.now() < sentAt + giveUpMs) {
      const tried = Date.now()
      const way = { at: tried, sentAt: tried, endpoint: endpoint.name, address, what: '' }
      try {
        const { status, headers, text } = await this.#once(actor, endpoint, sent, key, address)
        const wait = headers['retry-after']
        if (status === 503) this.refused.push({ ...way, at: Date.now(), what: text })
        const isBusy = status === 409 && wait !== undefined && key !== null
        if (status !== 503 && status !== 429 && !isBusy)
          return this.#answer(actor, endpoint, sent, status, text, { sentAt, doubtful })
        if (status === 429) this.limited++
        if (status === 503 && /saved/.test(text)) doubtful = true
        await delay(Math.min(Number(wait ?? 1), 5) * 1000 * (0.5 + Math.random()))
      } catch (error) {
        this.broken.push({ ...way, at: Date.now(), what: String((error as Error).message) })
        if (!/ECONNREFUSED/.test(String(error))) doubtful = true
        await delay(100 + Math.random() * 200)
      }
      address = this.#addresses[(this.#addresses.indexOf(address) + 1) % this.#addresses.length]!
    }
    this.ledger.fault(`${endpoint.name}: no answer within ${giveUpMs} ms`)
    throw new Unanswered(endpoint.name)
  }

  /**
   * Sends web events, and repeats the request unchanged until it is acknowledged.
   * @param key a write key; default: the API key of the organization
   */
  track(actor: Actor, batch: readonly object[], key = actor.tokens.live): Promise<boolean> {
    return this.#sendToPublic(actor, '/v1/batch', key, { batch, sentAt: new Date() })
  }

  /** Sends a form with a write key, as a page does. */
  submitForm(actor: Actor, formId: string, writeKey: string, answers: object): Promise<boolean> {
    return this.#sendToPublic(actor, `/f/${formId}/submissions`, writeKey, { answers, consent: true })
  }

  async #sendToPublic(actor: Actor, path: string, key: string, sent: object): Promise<boolean> {
    const until = Date.now() + giveUpMs
    const body = JSON.stringify(sent)
    while (Date.now() < until) {
      const address = this.#addresses[Math.floor(Math.random() * this.#addresses.length)]!
      const status = await fetch(`${address}${path}`, {
        ...{ method: 'POST', body, signal: AbortSignal.timeout(answerWithinMs) },
        headers: { authorization: `Bearer ${key}` },
      }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
        () => null,
      )
      if (status === 200) return true
      if (status !== null && status !== 503 && status !== 429) {
        this.ledger.fault(`${path} of ${actor.marker} got ${status}`)
        return false
      }
      await delay(100 + Math.random() * 400)
    }
    this.ledger.fault(`${path} of ${actor.marker}: no answer within ${giveUpMs} ms`)
    return false
  }

  #answer(
    actor: Actor,
    endpoint: Endpoint,
    sent: RequestParts,
    status: number,
    text: string,
    { sentAt, doubtful }: Pick<DayAnswer, 'sentAt' | 'doubtful'>,
  ): DayAnswer {
    const byStatus = this.counts.get(endpoint.name) ?? new Map<number, number>()
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    this.counts.set(endpoint.name, byStatus)
    const ok = status < 300
    const isFile = ok && endpoint.shape === 'file'
    const body = text === '' ? null : isFile ? text : JSON.parse(text)
    const { ledger } = this
    const where = `${endpoint.method} ${endpoint.path}`
    if (ok ? status !== defaultStatus(endpoint) : !sent.allow?.includes(status))
      ledger.fault(
        `${where} of ${actor.marker}: ${status} ${text.slice(0, 300)} to ${JSON.stringify(sent).slice(0, 300)}`,
      )
    if (!described.get(endpoint.name)?.has(status)) ledger.fault(`${where}: ${status} is not described`)
    const fault = isFile ? null : ok ? bodyFault(endpoint, body) : errorFault(body)
    if (fault) ledger.fault(`${where}: ${fault}`)
    for (const [marker] of text.matchAll(markers))
      if (!actor.relatives.has(marker)) ledger.fault(`${where} of ${actor.marker} shows ${marker}`)
    for (const [id] of text.matchAll(uuids)) {
      const owner = ledger.owners.get(id)
      if (owner !== undefined && owner !== actor.orgId && !actor.relatives.has(owner))
        ledger.fault(`${where} of ${actor.marker} shows ${id} of another org`)
    }
    return { status, ok, body, sentAt, answeredAt: Date.now() + (doubtful ? lingersMs : 0), doubtful }
  }

  #once(actor: Actor, endpoint: Endpoint, sent: RequestParts, key: string | null, address: string) {
    const { params = {}, query = {}, body, csv, ifMatch, mode = 'live' } = sent
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const text = csv ?? (body && JSON.stringify(body))
    const headers = {
      authorization: `Bearer ${sent.token ?? actor.tokens[mode]}`,
      ...(text !== undefined && { 'content-type': csv === undefined ? 'application/json' : 'text/csv' }),
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      ...(key !== null && { 'idempotency-key': key }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(actor.target !== null && { 'x-target-org-id': actor.target }),
    }
    const { method } = endpoint
    const way = { address, sentAt: Date.now() }
    this.#underWay.add(way)
    const url = `${address}/api/v1${path}${asked.size > 0 ? `?${asked}` : ''}`
    return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
      (resolve, reject) => {
        const timeout = answerWithinMs
        const outgoing = request(url, { method, headers, agent: this.#agent, timeout }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('aborted', () => reject(new Error('the answer broke off')))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: response.statusCode!, headers: response.headers, text })
          })
        })
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeout} ms`)))
        outgoing.on('error', reject)
        outgoing.end(text)
      },
    ).finally(() => this.#underWay.delete(way))
  }
}

export class Unanswered extends Error {}

function errorFault(body: unknown): string | null {
  const { detail } = (body ?? {}) as { detail?: unknown }
  const isText = typeof detail === 'string' && detail !== ''
  return isText || Array.isArray(detail) ? null : `an error without a detail: ${JSON.stringify(body)}`
}
