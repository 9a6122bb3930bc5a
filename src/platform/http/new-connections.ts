import { Counts } from '../counts.ts'

/** How many connections may open at once. A network may open one as long as it has opened fewer than are left for all. */
const atOnce = 2_000
const stepMs = 100
/** How many of the opened connections are forgotten in each step, of all networks and of one. */
const perStep = 200
const perStepOfOne = 50

/**
 * Counts the connections that opened in the last seconds. A connection that is new for each request costs the thread three times
 * as much as a request on an open one. One client can open more of them than the thread can accept. They would fill the queues of
 * the listening sockets, in which all new clients wait.
 */
export class NewConnections {
  readonly #opened = new Counts()
  #total = 0
  #stepAt: number

  /** @param now in milliseconds, as all times here */
  constructor(now: number) {
    this.#stepAt = now
  }

  /**
   * Returns whether the network may open a connection now, and counts it. One network may open 1,000 at once, and then 500 a
   * second. A network that has opened none always gets one.
   */
  mayOpen(network: string, now: number): boolean {
    this.#forget(now)
    if (this.#opened.of(network) >= Math.max(1, atOnce - this.#total)) return false
    this.#opened.add(network, 1)
    this.#total += 1
    return true
  }

  #forget(now: number): void {
    const steps = Math.floor((now - this.#stepAt) / stepMs)
    if (steps === 0) return
    this.#stepAt += steps * stepMs
    const networks = [...this.#opened.entries()]
    const each = steps * Math.min(perStepOfOne, Math.ceil(perStep / networks.length))
    for (const [network, opened] of networks) {
      this.#opened.add(network, -each)
      this.#total -= Math.min(opened, each)
    }
  }
}
