import { setTimeout as delay } from 'node:timers/promises'
import { renderEvents } from '../../events/render.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import type { JobRun } from '../../platform/jobs/job.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import { Pace } from '../../platform/outbound/pace.ts'
import type { OutboundSession } from '../../platform/outbound/session.ts'
import { disableWithoutOwner } from '../owner.ts'
import { disableWithInvalidSegment, type EndpointSegment } from '../segment.ts'
import { type BatchEventResult, sendBatch } from './batch.ts'
import { type DeliveryEndpoint, lockAgainstDeletion, readEndpoint } from './endpoint.ts'
import { blankErased } from './erased.ts'
import { type BatchEvaluation, evaluateBatch, type Health } from './evaluate-batch.ts'
import { storeHealth } from './health.ts'
import { LogQueue, readPositions } from './log-queue.ts'
import { lots } from './lots.ts'
import { refusedMax } from './outcome.ts'
import type { DueBatch, DueEvent, DueResults, Queue } from './queue.ts'
import { countRetries } from './retries.ts'
import { answerBytesMax, type DeliveryTarget, type Trial, tryDelivery } from './send.ts'
import { type DeliveryAttempt, storeAttempts } from './store-attempts.ts'
import { behindMaxMs, throttleDeliveries } from './throttle.ts'

/** Results are stored after this many events, or after a time. A crash then repeats one batch at most. */
const batchSize = 50
/** The same while batches of an organization take turns. */
const turnBatchSize = 25
const batchMs = 1_000
/** How much longer a batch may send events that precede a sent one, so that the later event is not sent again. */
const gapMs = 2_000
/** After this many bytes, a batch gets no more bodies: 64 endpoints may send large objects at once. */
const batchBytes = 1024 * 1024

type Opened = { waiting: number; positions: ReadonlyMap<string, string> }
type Turn = Pick<JobRun<unknown>, 'context' | 'signal' | 'outside'>

/** The deliveries to one endpoint during a turn: its connections, its pace and its health. */
export class DeliveryTurn {
  readonly endpoint: DeliveryEndpoint
  /** The positions in the logs of the organizations that were passed to `open`, as they were then. */
  readonly positions: ReadonlyMap<string, string>
  readonly #org: Org
  readonly #context: Context
  readonly #session: OutboundSession
  readonly #target: DeliveryTarget
  readonly #pace: Pace | null
  readonly #signal: AbortSignal
  readonly #outside: Turn['outside']
  #health: Health
  #waiting: number
  #isOutdated = false
  /** The age of the oldest event of the last batch from the log. */
  #behindMs = 0

  private constructor(
    org: Org,
    { context, signal, outside }: Turn,
    endpoint: DeliveryEndpoint,
    { waiting, positions }: Opened,
  ) {
    const { url, endpointId, headers, secrets, maxInFlight, maxPerSecond } = endpoint
    const { config, log } = context
    const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
    this.#org = org
    this.#context = context
    this.endpoint = endpoint
    this.#session = outbound.session(url.origin, { idleMax: maxInFlight, maxBytes: answerBytesMax })
    this.#target = {
      endpointId,
      session: this.#session,
      path: `${url.pathname}${url.search}`,
      headers,
      secrets,
    }
    this.#pace = maxPerSecond === null ? null : new Pace({ burst: 1, perSecond: maxPerSecond })
    this.#signal = signal
    this.#outside = outside
    this.#health = endpoint.health
    this.#waiting = waiting
    this.positions = positions
  }

  /**
   * Begins deliveries to an endpoint; null if it is deleted or disabled, its owner left, or its segment is not valid any
   * more. Call `close` afterwards.
   * @param sourceOrgIds the organizations whose events will be sent
   * @throws Error if its secret does not open: requests would be unsigned
   */
  static async open(
    org: Org,
    turn: Turn,
    { endpointId, sourceOrgIds }: { endpointId: string; sourceOrgIds: readonly string[] },
  ): Promise<DeliveryTurn | null> {
    const [endpoint, waiting, positions] = await org.read((tx) =>
      Promise.all([
        readEndpoint(tx, turn.context.secrets, endpointId),
        countRetries(tx, endpointId),
        readPositions(tx, endpointId, sourceOrgIds),
      ]),
    )
    if (!endpoint || endpoint.health.status === 'disabled') return null
    if (endpoint.isOrphan) {
      await org.transact((tx) => disableWithoutOwner(tx, endpointId))
      return null
    }
    if (endpoint.segment && !(await hasValidSegment(org, turn.context, endpoint.segment))) {
      await org.transact((tx) => disableWithInvalidSegment(tx, endpointId, endpoint.version))
      return null
    }
    if (endpoint.secrets.length === 0) throw new Error('The secret of a webhook endpoint does not open')
    return new DeliveryTurn(org, turn, endpoint, { waiting, positions })
  }

  /** Whether events wait for a retry. */
  get hasRetries(): boolean {
    return this.#waiting > 0
  }

  /**
   * Whether somebody changed the endpoint during the turn, such as its URL or secret, or disabled it. Only a new turn may
   * send more.
   */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  get health(): Health {
    return this.#health
  }

  /**
   * Closes the connections, then waits until the next request may start. The next turn may be in another process, which
   * cannot know when this turn sent its last request.
   */
  async close(): Promise<void> {
    this.#session.close()
    const waitMs = this.#pace?.take('') ?? 0
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.#signal }).catch(() => {})
  }

  /** Ends the wait of an endpoint in trouble that has no event to try it with: the next event or replay tries it. */
  async endWait(): Promise<void> {
    const { endpointId, version } = this.endpoint
    const before = this.#health
    const after = { ...before, nextProbeAt: null }
    await this.#org.transact((tx) =>
      storeHealth(tx, endpointId, { version, before, after, succeededAt: null }),
    )
    this.#health = after
  }

  /**
   * Sends the next events of a queue, and stores the results.
   * @param limit the maximum number of events
   * @returns how many events were tried, and whether the queue may have more to send now
   */
  async deliver(queue: Queue, limit: number = batchSize): Promise<{ tried: number; hasMore: boolean }> {
    const { maxPerSecond } = this.endpoint
    const { orgId } = this.#org
    const sizeMax = lots.takeTurns(orgId) ? turnBatchSize : batchSize
    const size = Math.min(limit, sizeMax, maxPerSecond ?? sizeMax)
    if (this.#behindMs < behindMaxMs) await throttleDeliveries(orgId, size, this.#signal)
    return lots.run(orgId, this.#signal, () => this.#deliverNow(queue, size))
  }

  async #deliverNow(queue: Queue, size: number): Promise<{ tried: number; hasMore: boolean }> {
    const batch = await queue.next(size)
    if (!batch) return { tried: 0, hasMore: false }
    const [first] = batch.items
    this.#behindMs = queue instanceof LogQueue && first ? Date.now() - timeOf(first.eventId) : 0
    const results = await this.#sendAll(batch.items)
    // Subtract the retries of this batch: `#waiting` counts them.
    const waiting = this.#waiting - batch.items.filter(({ tries }) => tries > 0).length
    const evaluated = evaluateBatch(this.#health, results, { now: Date.now(), waiting })
    const isStored = await this.#org.transact((tx) => this.#store(tx, batch, evaluated))
    this.#health = evaluated.health
    const added = evaluated.results.filter(
      ({ item, decision }) => item.tries === 0 && decision.kind === 'retry',
    )
    this.#waiting += added.length
    const tried = results.filter(({ trial }) => trial !== null).length
    // Events that were committed during the batch are for the next turn.
    const isOver = batch.isLast && tried === results.length
    const canContinue =
      isStored && !this.#isOutdated && !evaluated.stops && evaluated.health.nextProbeAt === null
    return { tried, hasMore: canContinue && tried > 0 && !isOver }
  }

  /** Sends events, and returns a result for each. The result of an event that was not sent has no `trial`. */
  async #sendAll(items: readonly DueEvent[]): Promise<BatchEventResult<DueEvent>[]> {
    const bodies = await this.#render(items)
    const unmade = items.findIndex((item) => !bodies.has(item))
    const made = unmade === -1 ? items : items.slice(0, unmade)
    let refusals = this.#health.refusals
    const sending = sendBatch(made, {
      send: (item) => this.#send(item, bodies.get(item) ?? ''),
      inFlight: this.endpoint.maxInFlight,
      startMs: batchMs,
      gapMs,
      pace: () => this.#pace?.take('') ?? 0,
      halts: ({ meaning }: Trial) => {
        refusals = meaning === 'event_trouble' ? refusals + 1 : 0
        return meaning === 'gone' || meaning === 'endpoint_trouble' || refusals >= refusedMax
      },
      signal: this.#signal,
    })
    const sent = await this.#outside(sending)
    return items.map((item, index) => sent[index] ?? { item, trial: null })
  }

  #send(item: DueEvent, body: string): Promise<Trial> {
    const { eventId, event } = item
    const { traceparent } = event
    return tryDelivery(this.#target, { eventId, body, number: this.#numberOf(item), traceparent })
  }

  /**
   * The number of a try, from 1. While an endpoint is in trouble, tries are counted for the endpoint and not for each
   * event. So the number of a later event can be too high.
   */
  #numberOf({ tries }: DueEvent): number {
    return tries + 1 + this.endpoint.health.failures
  }

  /** The bodies of events with their current objects, up to `batchBytes`. They are never stored. */
  async #render(items: readonly DueEvent[]): Promise<Map<DueEvent, string>> {
    const { payload, permissions } = this.endpoint
    const bodies = new Map<DueEvent, string>()
    let left = batchBytes
    for (const [sourceOrgId, some] of Map.groupBy(items, (item) => item.sourceOrgId)) {
      const isOwn = sourceOrgId === this.#org.orgId
      const source = isOwn ? this.#org : this.#context.database.org(sourceOrgId)
      const events = some.map(({ event }) => event)
      const options = { payload, permissions, bytesMax: left }
      const texts = await renderEvents(source, this.#context.readObjects, events, options)
      for (const [index, text] of texts.entries()) {
        const item = some[index]
        if (item) bodies.set(item, text)
        left -= Buffer.byteLength(text)
      }
    }
    return bodies
  }

  /** @returns false if the endpoint was deleted, or the queue was changed meanwhile */
  async #store(
    tx: OrgTx,
    batch: DueBatch,
    { results, health: after }: Pick<BatchEvaluation<DueEvent>, 'results' | 'health'>,
  ): Promise<boolean> {
    const { endpointId, version } = this.endpoint
    // A deletion of the endpoint came before this, or waits until the results are stored.
    const [currentVersion, attempts] = await Promise.all([
      lockAgainstDeletion(tx, endpointId),
      blankErased(
        tx,
        attemptsOf(results, (item) => this.#numberOf(item)),
      ),
    ])
    this.#isOutdated ||= currentVersion !== version
    if (currentVersion === null) return false
    const delivered = attempts.filter(({ outcome }) => outcome === 'delivered')
    const succeededAt =
      delivered.length === 0 ? null : Math.max(...delivered.map((each) => each.trial.startedAt))
    const [isStored] = await Promise.all([
      batch.store(tx, results),
      storeAttempts(tx, endpointId, attempts),
      storeHealth(tx, endpointId, { version, before: this.#health, after, succeededAt }),
    ])
    return isStored
  }
}

const hasValidSegment = async (org: Org, context: Context, { segmentId, entity }: EndpointSegment) =>
  (await context.readMembers(org, segmentId, entity, [])) !== null

function attemptsOf(results: DueResults, numberOf: (item: DueEvent) => number): DeliveryAttempt[] {
  return results.flatMap(({ item, trial, decision }) => {
    if (!trial) return []
    const { eventId, objectId, sourceOrgId, event } = item
    const outcome =
      decision.kind === 'exhausted'
        ? decision.kind
        : trial.meaning === 'delivered'
          ? 'delivered'
          : ('failed' as const)
    return [{ eventId, objectId, sourceOrgId, type: event.type, number: numberOf(item), outcome, trial }]
  })
}
