import type { IncomingMessage } from 'node:http'
import { givingWayToArrivals } from '../arrivals.ts'
import { FairQueue } from '../fair-queue.ts'

/** The lane of a request that waits for the thread: its requests begin in their order, and the lanes take turns. */
export type Lane = {
  name: string
  /**
   * Whether the caller has a valid API key. All lanes of strangers together begin as many requests as all lanes of such
   * callers together.
   */
  isKnown: boolean
}

export type LaneOf = (request: IncomingMessage) => Lane

/** How long beginning requests may block the thread in one iteration of the event loop, in milliseconds. */
const turnMs = 4

type Begin = () => void

/**
 * Begins requests, for 4 ms in each iteration of the event loop. The other requests wait in lanes. Otherwise a client
 * with 1,500 connections could block the thread for seconds. Node reads up to 48 times from 1,024 connections before it
 * runs anything else. And after an answer that needs no waiting, such as a 429, the client sends its next request. The
 * work that a request does after its beginning, until it first waits for something, counts too: it may take 1 ms, and
 * the beginning only 0.1 ms.
 */
export class RequestTurns {
  readonly #callers = new FairQueue<Begin>()
  readonly #strangers = new FairQueue<Begin>()
  /** When the first request of this iteration began; null: none did. */
  #since: number | null = null
  #isCallersTurn = true
  #isTurnAhead = false
  readonly #mustGiveWay = givingWayToArrivals()

  /** @param laneOf called only if the request must wait */
  run(laneOf: () => Lane, begin: Begin): void {
    if (this.#waiting === 0 && this.#hasTime()) this.#begin(begin)
    else {
      const { name, isKnown } = laneOf()
      const lanes = isKnown ? this.#callers : this.#strangers
      lanes.add(name, begin)
    }
    this.#expectTurn()
  }

  get #waiting(): number {
    return this.#callers.size + this.#strangers.size
  }

  #hasTime(): boolean {
    return this.#since === null || performance.now() - this.#since < turnMs
  }

  #expectTurn(): void {
    if (this.#isTurnAhead) return
    this.#isTurnAhead = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isTurnAhead = false
    if (this.#mustGiveWay()) return void this.#expectTurn()
    this.#since = null
    this.#beginNext()
  }

  #beginNext(): void {
    if (this.#waiting === 0 || !this.#hasTime()) return
    // The next turn counts from zero again.
    this.#expectTurn()
    this.#begin(this.#take())
    // Begin the next request after the microtasks and ticks of this request, and the microtasks of these ticks.
    queueMicrotask(() => process.nextTick(() => queueMicrotask(() => this.#beginNext())))
  }

  #take(): Begin {
    const [first, second] = this.#isCallersTurn
      ? [this.#callers, this.#strangers]
      : [this.#strangers, this.#callers]
    this.#isCallersTurn = !this.#isCallersTurn
    const begin = first.take() ?? second.take()
    if (!begin) throw new Error('a request waits in no lane')
    return begin
  }

  #begin(begin: Begin): void {
    this.#since ??= performance.now()
    begin()
  }
}
