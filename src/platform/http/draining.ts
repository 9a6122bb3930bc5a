import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The time before a stop in which the server still serves, and asks proxies and clients to use another one. */
export class Draining {
  #isOn = false

  /** Whether the server will stop soon. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Lets each answer to a request that comes later close its connection. */
  announceOn({ server }: FastifyInstance): void {
    // First: another listener may answer at once.
    server.prependListener('request', (_request, response) => {
      if (this.#isOn) response.setHeader('connection', 'close')
    })
  }

  /** Waits for `seconds`, while `/readyz` says that the server stops. */
  async wait(seconds: number): Promise<void> {
    this.#isOn = true
    await delay(seconds * 1_000)
  }
}
