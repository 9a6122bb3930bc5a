import { type Clock, systemClock } from '../../platform/rate-limit/rate-limit.ts'
import { RecencyMap } from '../../platform/rate-limit/recency-map.ts'

const dayMs = 86_400_000
/** The maximum burst: as many events as the steady rate allows in this many seconds. */
const burstSeconds = 10
/** The limits of a client address, with one key and with all keys. */
const ofAddress = { eventsPerSecond: 50, requestsPerSecond: 10 }
const ofAddressInAll = { eventsPerSecond: 500, requestsPerSecond: 100 }
/**
 * The limits of all keys of an organization and its sandboxes together, so that many keys do not slow other
 * organizations down.
 */
const ofPayer = { eventsPerSecond: 10_000, requestsPerSecond: 1_000, requestBurstSeconds: 2 }
/** Reading takes time for each byte, so a large event counts as several events. */
const eventBytes = 4096

export type KeyLimits = {
  id: string
  /**
   * The organization whose limits the key shares: the key's own, the owner of its sandbox, or the agency that created
   * the key.
   */
  payerId: string
  eventsPerSecond: number
  eventsPerDay: number
}

type DayCount = { day: number; events: number }

/** The number of events that a body counts as. @param bytes of the inflated body */
export const countedEvents = (bytes: number, events = 1): number =>
  Math.max(events, Math.ceil(bytes / eventBytes))

type Asked = { name: string; perSecond: number; units: number; burst?: number }

/**
 * Limits the events of a key, an organization and a client address. Counts in the memory of this process, with the
 * generic cell rate algorithm (ITU-T I.371). It allows a steady rate, and bursts of as many events as the rate allows
 * in 10 s.
 */
export class Budgets {
  readonly #clock: Clock
  readonly #keysMax: number
  /** For each budget, the monotonic time in milliseconds at which it is full again. */
  readonly #fullAt = new RecencyMap<{ ms: number }>()
  readonly #days = new RecencyMap<DayCount>()

  constructor({ clock = systemClock, keysMax = 50_000 }: { clock?: Clock; keysMax?: number } = {}) {
    this.#clock = clock
    this.#keysMax = keysMax
  }

  /**
   * Counts a request before its body is read.
   * @param key null: the body has the key
   * @param address null: the limits of addresses do not apply, as for API keys
   * @returns null if the request is accepted; otherwise nothing is counted, and the result is the number of seconds to
   * wait
   */
  countRequest(key: KeyLimits | null, address: string | null): number | null {
    const { requestsPerSecond: perSecond, requestBurstSeconds: burst } = ofPayer
    const asked: Asked[] = key ? [{ name: `requests of ${key.payerId}`, perSecond, units: 1, burst }] : []
    if (address !== null)
      asked.push(
        { name: `requests ${key?.id} ${address}`, perSecond: ofAddress.requestsPerSecond, units: 1 },
        { name: `requests ${address}`, perSecond: ofAddressInAll.requestsPerSecond, units: 1 },
      )
    return this.#take(asked, this.#longestWaitMs(asked))
  }

  /** Counts a body that contains its key as `events` events, before it is parsed. @returns as `countRequest` */
  countEventsOfUnknownKey(address: string, events: number): number | null {
    const asked = eventsOf(undefined, address, events)
    return this.#take(asked, this.#longestWaitMs(asked))
  }

  /** Counts `events` events of a key from an address. @param address as for `countRequest` @returns as `countRequest` */
  countEvents(key: KeyLimits, address: string | null, events: number): number | null {
    const asked = askedOf(key, address, events)
    const waitMs = Math.max(this.#longestWaitMs(asked), this.#dayWaitMs(key, events))
    const waitSeconds = this.#take(asked, waitMs)
    if (waitSeconds === null) this.#addToDay(key.id, events)
    return waitSeconds
  }

  /** Reverses what `countEvents` counted. */
  giveBack(key: KeyLimits, address: string | null, events: number): void {
    for (const asked of askedOf(key, address, -events)) this.#add(asked)
    this.#addToDay(key.id, -events)
  }

  #take(asked: readonly Asked[], waitMs: number): number | null {
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    for (const each of asked) this.#add(each)
    return null
  }

  #longestWaitMs(asked: readonly Asked[]): number {
    return Math.max(...asked.map((each) => this.#waitMs(each)))
  }

  #waitMs({ name, perSecond, units, burst = burstSeconds }: Asked): number {
    const missingMs = Math.max(0, (this.#fullAt.use(name)?.ms ?? 0) - this.#clock.monotonicMs())
    const askedMs = (units / perSecond) * 1000
    // A request larger than a burst needs only a full budget: it would wait forever otherwise.
    return Math.max(0, missingMs + Math.min(0, askedMs - burst * 1000))
  }

  #add({ name, perSecond, units }: Asked): void {
    const nowMs = this.#clock.monotonicMs()
    const spentMs = (units / perSecond) * 1000
    const known = this.#fullAt.use(name)
    if (known) known.ms = Math.max(known.ms, nowMs) + spentMs
    else {
      if (this.#fullAt.size >= this.#keysMax) this.#fullAt.dropOldest()
      this.#fullAt.add(name, { ms: nowMs + spentMs })
    }
  }

  #dayWaitMs({ id, eventsPerDay }: KeyLimits, events: number): number {
    const epochMs = this.#clock.epochMs()
    const count = this.#days.use(id)
    const spent = count?.day === Math.floor(epochMs / dayMs) ? count.events : 0
    return spent > 0 && spent + events > eventsPerDay ? dayMs - (epochMs % dayMs) : 0
  }

  #addToDay(id: string, events: number): void {
    const day = Math.floor(this.#clock.epochMs() / dayMs)
    const known = this.#days.use(id)
    if (known?.day === day) known.events += events
    else if (known) Object.assign(known, { day, events })
    else {
      if (this.#days.size >= this.#keysMax) this.#days.dropOldest()
      this.#days.add(id, { day, events })
    }
  }
}

function askedOf(key: KeyLimits, address: string | null, units: number): Asked[] {
  return [
    { name: `key ${key.id}`, perSecond: key.eventsPerSecond, units },
    { name: `events of ${key.payerId}`, perSecond: ofPayer.eventsPerSecond, units },
    ...(address === null ? [] : eventsOf(key.id, address, units)),
  ]
}

const eventsOf = (keyId: string | undefined, address: string, units: number): Asked[] => [
  { name: `events ${keyId} ${address}`, perSecond: ofAddress.eventsPerSecond, units },
  { name: `events ${address}`, perSecond: ofAddressInAll.eventsPerSecond, units },
]
