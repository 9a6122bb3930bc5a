import { Counts } from '../../platform/counts.ts'
import { CommitUnknown, isUnavailable } from '../../platform/db/errors.ts'
import { unavailable } from '../../platform/domain-error.ts'
import { rest as restNow } from '../../platform/jobs/rest.ts'
import { RecentRequests, servesOthers as servesOthersNow } from '../../platform/recent-requests.ts'
import { hourOf, type Slice } from '../store/slice.ts'
import type { DropReason, WebEvent } from '../wire/event.ts'

/** The accepted events of one request. */
export type Delivery = Slice & {
  /**
   * Owners take turns, and each may use half of the memory that other owners do not use. Sandboxes count with their
   * organization.
   */
  owner: string
  /**
   * An organization may have two owners: its visitors, and its API keys. While this process serves other organizations,
   * both rest together.
   */
  payerId: string
  /** The size of the request, for the bound of memory. */
  bytes: number
}

export type GroupCommitOptions = {
  /** Stores slices with one commit. */
  append: (slices: readonly Slice[]) => Promise<void>
  /**
   * The maximum number of bytes that wait; 64 MiB by default. An owner may use half of the bytes that other owners do
   * not use.
   */
  bytesMax?: number
  /** If the oldest request has waited longer than this, a new one is refused; 2,000 ms by default. */
  waitMsMax?: number
  /** Whether this process now also serves other organizations. */
  servesOthers?: (orgId: string) => boolean
  /** Waits as long as it took to store a lot. */
  rest?: (lotMs: number) => Promise<void>
}

const lotEvents = 2_000
const lotBytes = 1024 * 1024
/** How many lots commit at once. With two, PostgreSQL stores one lot while this process handles the answer to the other. */
const lotsAtOnce = 2
/** A second lot needs at least this many events. Fewer events wait, because a small lot costs more for each event. */
const secondLotEvents = 200
/** A payer with this many events in a lot rests after the lot while other payers send requests. */
const restEvents = 200
/** A lot with more events of a payer is large. While other payers send events, only one large lot commits at a time. */
const largeEvents = 500

type Waiting = { delivery: Delivery; since: number; done: () => void; failed: (error: unknown) => void }

/**
 * Stores the events of many requests, a lot, with one commit. Requests that arrive while lots commit wait for the next
 * lot, which takes one request of each owner in turn. So a single request does not wait, and many requests share the
 * wait for the disk. While other payers send requests to this process, a payer with many events has one lot at a time.
 * The payer then rests as long as the lot took, because with two lots, PostgreSQL would use two cores without a break.
 * While other payers send events, at most one of the two lots has many events of a payer, so that small requests do not
 * wait for that lot.
 */
export class GroupCommit {
  readonly #options: Required<GroupCommitOptions>
  /** The waiting requests of each owner. The owner whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting[]>()
  readonly #bytesOf = new Map<string, number>()
  #bytes = 0
  /** Payers whose requests wait until their lot and their rest end. Each promise resolves at this end. */
  readonly #resting = new Map<string, PromiseWithResolvers<void>>()
  /** The waiting events of payers that do not rest. */
  #readyEvents = 0
  /** How many loops commit lots, one after another. */
  #loops = 0
  /** How many large lots commit. */
  #largeLots = 0
  readonly #recent = new RecentRequests()

  constructor({
    append,
    bytesMax = 64 * 1024 * 1024,
    waitMsMax = 2_000,
    servesOthers = servesOthersNow,
    rest = restNow,
  }: GroupCommitOptions) {
    this.#options = { append, bytesMax, waitMsMax, servesOthers, rest }
  }

  /** The bytes of all requests that wait or commit. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Stores the events of a request. They are durable when the promise resolves.
   * @throws DomainError unavailable, before anything is stored, if too much waits; DatabaseUnavailable
   */
  add(delivery: Delivery): Promise<void> {
    const { owner, bytes } = delivery
    const owned = (this.#bytesOf.get(owner) ?? 0) + bytes
    const { bytesMax, waitMsMax } = this.#options
    const isFull = owned > bytesMax - (this.#bytes + bytes)
    if (this.#bytes > 0 && (isFull || this.#waitsLonger(owner, waitMsMax)))
      return Promise.reject(
        unavailable(
          'server_busy',
          'Too many events wait for the disk now. Nothing was stored: send them again.',
          {
            retryAfterSeconds: 1,
          },
        ),
      )
    this.#recent.note(delivery)
    this.#bytes += bytes
    this.#bytesOf.set(owner, owned)
    return new Promise((done, failed) => {
      const queue = this.#queues.get(owner)
      const waiting = { delivery, since: performance.now(), done, failed }
      if (queue) queue.push(waiting)
      else this.#queues.set(owner, [waiting])
      if (this.#resting.has(delivery.payerId)) return
      this.#readyEvents += delivery.events.length
      this.#begin()
    })
  }

  /** Resolves when the rest of a payer is over, and the lot before it. */
  async untilRested(payerId: string): Promise<void> {
    for (let rest = this.#resting.get(payerId); rest; rest = this.#resting.get(payerId)) await rest.promise
  }

  #begin(): void {
    if (this.#loops === 0 || (this.#loops < lotsAtOnce && this.#needsSecondLot())) void this.#run()
  }

  #needsSecondLot(): boolean {
    return this.#readyEvents >= secondLotEvents || (this.#largeLots > 0 && this.#readyEvents > 0)
  }

  /** Check only the owner's own requests: the backlog of other owners must not cause a refusal. */
  #waitsLonger(owner: string, ms: number): boolean {
    const eldest = this.#queues.get(owner)?.[0]
    return eldest !== undefined && performance.now() - eldest.since > ms
  }

  async #run(): Promise<void> {
    this.#loops++
    // Requests that arrive in the same iteration of the event loop join the first lot.
    await new Promise(setImmediate)
    while (this.#loops === 1 || this.#needsSecondLot()) {
      const lot = this.#nextLot()
      if (lot.length === 0) break
      await this.#commit(lot)
    }
    this.#loops--
  }

  /** Takes requests, one of each owner in turn, until the lot is full. A request that does not fit keeps its place. */
  #nextLot(): Waiting[] {
    const lot: Waiting[] = []
    const sentBy = new Counts()
    let [events, bytes] = [0, 0]
    // A Map also iterates over the owners that are moved to its end.
    for (const [owner, queue] of this.#queues) {
      if (events >= lotEvents) break
      const next = queue[0] as Waiting
      const { payerId, events: sent, bytes: size } = next.delivery
      if (this.#resting.has(payerId)) continue
      if (lot.length > 0 && (events + sent.length > lotEvents || bytes + size > lotBytes)) continue
      const isLarge = sentBy.of(payerId) + sent.length > largeEvents
      if (isLarge && this.#largeLots > 0 && this.#recent.areOfOthers(payerId)) continue
      sentBy.add(payerId, sent.length)
      queue.shift()
      this.#queues.delete(owner)
      // The owner's next turn comes after the turns of all other owners.
      if (queue.length > 0) this.#queues.set(owner, queue)
      lot.push(next)
      events += sent.length
      bytes += size
    }
    this.#readyEvents -= events
    return lot
  }

  async #commit(lot: readonly Waiting[]): Promise<void> {
    const bySlice = [...Map.groupBy(lot, ({ delivery }) => sliceNameOf(delivery)).values()]
    const startedAt = performance.now()
    const paused = this.#pauseLarge(lot)
    const isLarge = byPayer(lot)
      .values()
      .some((own) => eventsOf(own) > largeEvents)
    if (isLarge) this.#largeLots++
    try {
      await this.#options.append(bySlice.map(sliceOf))
      for (const { done } of lot) done()
    } catch (error) {
      if (bySlice.length > 1 && !isUnavailable(error))
        for (const each of bySlice) await this.#commitAlone(each)
      else for (const { failed } of lot) failed(retryable(error))
    } finally {
      for (const { delivery } of lot) this.#release(delivery)
      if (isLarge) this.#largeLots--
      if (paused.length > 0) void this.#resumeAfterRest(paused, performance.now() - startedAt)
    }
  }

  /** Lets the payers with many events in a lot wait if other payers send requests. Returns these payers. */
  #pauseLarge(lot: readonly Waiting[]): string[] {
    const paused: string[] = []
    for (const [payerId, own] of byPayer(lot)) {
      if (eventsOf(own) < restEvents || !this.#options.servesOthers(own[0]!.delivery.orgId)) continue
      this.#resting.set(payerId, Promise.withResolvers())
      this.#readyEvents -= this.#waitingEventsOf(payerId)
      paused.push(payerId)
    }
    return paused
  }

  async #resumeAfterRest(payerIds: readonly string[], lotMs: number): Promise<void> {
    await this.#options.rest(lotMs)
    for (const payerId of payerIds) {
      this.#resting.get(payerId)?.resolve()
      this.#resting.delete(payerId)
      this.#readyEvents += this.#waitingEventsOf(payerId)
    }
    this.#begin()
  }

  /** All requests of an owner have the same payer. */
  #waitingEventsOf(payerId: string): number {
    return this.#queues
      .values()
      .filter(([first]) => first?.delivery.payerId === payerId)
      .reduce((sum, queue) => sum + eventsOf(queue), 0)
  }

  /** One slice caused the error. The others must not fail with it. */
  async #commitAlone(lot: readonly Waiting[]): Promise<void> {
    try {
      await this.#options.append([sliceOf(lot)])
      for (const { done } of lot) done()
    } catch (error) {
      for (const { failed } of lot) failed(retryable(error))
    }
  }

  #release({ owner, bytes }: Delivery): void {
    this.#bytes -= bytes
    const owned = (this.#bytesOf.get(owner) ?? 0) - bytes
    if (owned > 0) this.#bytesOf.set(owner, owned)
    else this.#bytesOf.delete(owner)
  }
}

/**
 * The client must also repeat the request after an unknown commit: an event that is already stored is not stored again.
 */
function retryable(error: unknown): unknown {
  if (!(error instanceof CommitUnknown)) return error
  return unavailable('server_busy', 'It is not known whether the events were stored: send them again.', {
    retryAfterSeconds: 1,
  })
}

const byPayer = (lot: readonly Waiting[]) => Map.groupBy(lot, ({ delivery }) => delivery.payerId)

const eventsOf = (lot: readonly Waiting[]) =>
  lot.reduce((sum, { delivery }) => sum + delivery.events.length, 0)

/** Requests with the same name can be in one slice: their counts have the same key and hour. */
const sliceNameOf = ({ orgId, mode, keyId, receivedAt }: Delivery) =>
  `${orgId} ${mode} ${keyId} ${hourOf(receivedAt)}`

function sliceOf(lot: readonly Waiting[]): Slice {
  const [first] = lot as [Waiting, ...Waiting[]]
  const { orgId, mode, keyId, receivedAt } = first.delivery
  const events: WebEvent[] = []
  const dropped = new Map<DropReason, number>()
  for (const { delivery } of lot) {
    for (const event of delivery.events) events.push(event)
    for (const [reason, n] of delivery.dropped) dropped.set(reason, (dropped.get(reason) ?? 0) + n)
  }
  return { orgId, mode, keyId, receivedAt, events, dropped }
}
