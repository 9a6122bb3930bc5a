import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * In the last second, answers keep their connections open. Otherwise clients would open new ones, and these are reset when
 * the server stops listening.
 */
const keepsMs = 1_000

/** The time before a stop in which the server still serves, and asks proxies and clients to use another one. */
export class Draining {
  #isOn = false
  #closesConnections = false

  /** Whether the server will stop soon. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Lets answers close their connections while the server drains. */
  announceOn({ server }: FastifyInstance): void {
    // First: another listener may answer at once.
    server.prependListener('request', (_request, response) => {
      if (this.#closesConnections) response.setHeader('connection', 'close')
    })
  }

  /** Waits for `seconds`, while `/readyz` says that the server stops. */
  async wait(seconds: number): Promise<void> {
    if (seconds === 0) return
    this.#isOn = true
    this.#closesConnections = true
    await delay(seconds * 1_000 - keepsMs)
    this.#closesConnections = false
    await delay(keepsMs)
  }
}
