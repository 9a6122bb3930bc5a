import { type Clock, systemClock } from '../../platform/rate-limit/rate-limit.ts'
import { RecencyMap } from '../../platform/rate-limit/recency-map.ts'

const dayMs = 86_400_000
/** A burst may have the events of this many seconds. */
const burstSeconds = 10
const ofAddress = { eventsPerSecond: 50, requestsPerSecond: 10 }
/** Reading takes time for each byte, so a large event counts as several. */
const eventBytes = 4096

export type KeyLimits = { id: string; eventsPerSecond: number; eventsPerDay: number }

type DayCount = { day: number; events: number }

/** As how many events a body counts. @param bytes of the inflated body */
export const eventsIn = (bytes: number, events = 1): number => Math.max(events, Math.ceil(bytes / eventBytes))

type Asked = readonly [name: string, perSecond: number, units: number]

/**
 * What a write key and a client address may send. It counts in the memory of this process, with the generic cell rate
 * algorithm (ITU-T I.371): a steady rate, and bursts of ten seconds of it.
 */
export class Budgets {
  readonly #clock: Clock
  readonly #keysMax: number
  /** For each budget, the monotonic milliseconds at which it is full again. */
  readonly #fullAt = new RecencyMap<{ ms: number }>()
  readonly #days = new RecencyMap<DayCount>()

  constructor({ clock = systemClock, keysMax = 50_000 }: { clock?: Clock; keysMax?: number } = {}) {
    this.#clock = clock
    this.#keysMax = keysMax
  }

  /**
   * Counts a request from an address before its body is read.
   * @param keyId the write key; null: the body has the key
   * @returns null, or if the request is refused the number of seconds until it has room; then nothing is counted
   */
  takeRequest(keyId: string | null, address: string): number | null {
    return this.#take([[`requests ${keyId} ${address}`, ofAddress.requestsPerSecond, 1]])
  }

  /** Counts a body of `events` events that has the key in it, before it is parsed. @returns as `takeRequest` */
  takeUnknown(address: string, events: number): number | null {
    return this.#take([[`events ${null} ${address}`, ofAddress.eventsPerSecond, events]])
  }

  /**
   * Counts `events` events of a key from an address.
   * @param address null: the limits of addresses do not apply, as for API keys
   * @returns as `takeRequest`
   */
  take(key: KeyLimits, address: string | null, events: number): number | null {
    const waitSeconds = this.waitSeconds(key, address, events)
    if (waitSeconds !== null) return waitSeconds
    this.#take(askedOf(key, address, events))
    this.#addToDay(key.id, events)
    return null
  }

  /** What `take` would return, without counting. */
  waitSeconds(key: KeyLimits, address: string | null, events: number): number | null {
    const waitMs = Math.max(this.#longestWaitMs(askedOf(key, address, events)), this.#dayWaitMs(key, events))
    return waitMs > 0 ? Math.ceil(waitMs / 1000) : null
  }

  #take(asked: readonly Asked[]): number | null {
    const waitMs = this.#longestWaitMs(asked)
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    const nowMs = this.#clock.monotonicMs()
    for (const [name, perSecond, units] of asked) this.#add(name, perSecond, units, nowMs)
    return null
  }

  #longestWaitMs(asked: readonly Asked[]): number {
    const nowMs = this.#clock.monotonicMs()
    return Math.max(...asked.map(([name, perSecond, units]) => this.#waitMs(name, perSecond, units, nowMs)))
  }

  #waitMs(name: string, perSecond: number, units: number, nowMs: number): number {
    const missingMs = Math.max(0, (this.#fullAt.use(name)?.ms ?? 0) - nowMs)
    const askedMs = (units / perSecond) * 1000
    // A request larger than a burst waits until the budget is full, and not forever.
    return Math.max(0, missingMs + Math.min(0, askedMs - burstSeconds * 1000))
  }

  #add(name: string, perSecond: number, units: number, nowMs: number): void {
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

const askedOf = ({ id, eventsPerSecond }: KeyLimits, address: string | null, events: number): Asked[] => [
  [`key ${id}`, eventsPerSecond, events],
  ...(address === null ? [] : [[`events ${id} ${address}`, ofAddress.eventsPerSecond, events] as const]),
]
