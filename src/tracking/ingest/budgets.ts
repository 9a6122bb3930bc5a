import { type Asked, CellRates } from '../../platform/rate-limit/cell-rates.ts'
import { type Clock, systemClock } from '../../platform/rate-limit/rate-limit.ts'
import { RecencyMap } from '../../platform/rate-limit/recency-map.ts'

const dayMs = 86_400_000
/** The limits of a client address, with one key and with all keys. */
const ofAddress = { eventsPerSecond: 50, requestsPerSecond: 10 }
const ofAddressInAll = { eventsPerSecond: 500, requestsPerSecond: 100 }
/**
 * The limits of all keys of an organization and its sandboxes together, so that many keys do not slow other
 * organizations down.
 */
const ofBudgetOwner = { eventsPerSecond: 10_000, requestsPerSecond: 1_000, requestBurstSeconds: 2 }
/** Reading takes time for each byte, so a large event counts as several events. */
const eventBytes = 4096

export type KeyLimits = {
  id: string
  /**
   * Keys with the same owner share its budget: for a write key, its organization or the owner of its sandbox; for an
   * API key, `Caller.payerId`.
   */
  budgetOwner: string
  eventsPerSecond: number
  eventsPerDay: number
}

type DayCount = { day: number; events: number }

/** The number of events that a body counts as. @param bytes of the inflated body */
export const countedEvents = (bytes: number, events = 1): number =>
  Math.max(events, Math.ceil(bytes / eventBytes))

/**
 * Limits the events of a key, an organization and a client address. Counts in the memory of this process. Each limit
 * allows a steady rate, and bursts of as many events as the rate allows in 10 s.
 */
export class Budgets {
  readonly #clock: Clock
  readonly #keysMax: number
  readonly #rates: CellRates
  readonly #days = new RecencyMap<DayCount>()

  constructor({ clock = systemClock, keysMax = 50_000 }: { clock?: Clock; keysMax?: number } = {}) {
    this.#clock = clock
    this.#keysMax = keysMax
    this.#rates = new CellRates({ clock, keysMax })
  }

  /**
   * Counts a request before its body is read.
   * @param key null: the body has the key
   * @param address null: the limits of addresses do not apply, as for API keys
   * @returns null if the request is accepted; otherwise nothing is counted, and the result is the number of seconds to
   * wait
   */
  countRequest(key: KeyLimits | null, address: string | null): number | null {
    const { requestsPerSecond: perSecond, requestBurstSeconds: burst } = ofBudgetOwner
    const asked: Asked[] = key ? [{ name: `requests of ${key.budgetOwner}`, perSecond, units: 1, burst }] : []
    if (address !== null)
      asked.push(
        { name: `requests ${key?.id} ${address}`, perSecond: ofAddress.requestsPerSecond, units: 1 },
        { name: `requests ${address}`, perSecond: ofAddressInAll.requestsPerSecond, units: 1 },
      )
    return this.#rates.take(asked)
  }

  /** Counts a body that contains its key as `events` events, before it is parsed. @returns as `countRequest` */
  countEventsOfUnknownKey(address: string, events: number): number | null {
    const asked = eventsOf(undefined, address, events)
    return this.#rates.take(asked)
  }

  /** Counts `events` events of a key from an address. @param address as for `countRequest` @returns as `countRequest` */
  countEvents(key: KeyLimits, address: string | null, events: number): number | null {
    const asked = askedOf(key, address, events)
    const waitSeconds = this.#rates.take(asked, this.#dayWaitMs(key, events))
    if (waitSeconds === null) this.#addToDay(key.id, events)
    return waitSeconds
  }

  /**
   * The name of a budget that is too small for `events` events and that all addresses share (`sharedBudgets`); null:
   * there is none, or the budget of the address is too small as well. So a single address cannot make other addresses
   * wait.
   */
  spentByAll(key: KeyLimits, address: string | null, events: number): string | null {
    const ofOne = address === null ? [] : eventsOf(key.id, address, events)
    if (this.#rates.waitMs(ofOne) > 0) return null
    const spent = sharedOf(key, events).find((each) => this.#rates.waitMs([each]) > 0)
    return spent?.name ?? (this.#dayWaitMs(key, events) > 0 ? keyName(key) : null)
  }

  /** Reverses what `countEvents` counted. */
  giveBack(key: KeyLimits, address: string | null, events: number): void {
    this.#rates.add(askedOf(key, address, -events))
    this.#addToDay(key.id, -events)
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
  return [...sharedOf(key, units), ...(address === null ? [] : eventsOf(key.id, address, units))]
}

const keyName = ({ id }: KeyLimits) => `key ${id}`
const ownerName = ({ budgetOwner }: KeyLimits) => `events of ${budgetOwner}`

/** The names of the budgets that all addresses of a key share. */
export const sharedBudgets = (key: KeyLimits): string[] => [keyName(key), ownerName(key)]

const sharedOf = (key: KeyLimits, units: number): Asked[] => [
  { name: keyName(key), perSecond: key.eventsPerSecond, units },
  { name: ownerName(key), perSecond: ofBudgetOwner.eventsPerSecond, units },
]

const eventsOf = (keyId: string | undefined, address: string, units: number): Asked[] => [
  { name: `events ${keyId} ${address}`, perSecond: ofAddress.eventsPerSecond, units },
  { name: `events ${address}`, perSecond: ofAddressInAll.eventsPerSecond, units },
]
