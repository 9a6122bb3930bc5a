import { tooMany, unavailable } from '../platform/domain-error.ts'

const atOnce = 2
/** How many networks may wait. A check takes 0.3 s and two run at once, so the last network waits 5 s. */
const waitingMax = 30

/**
 * Runs two password checks at once. At most one check of each network runs or waits. So many guesses from one address
 * delay other addresses by only one check.
 */
export class PasswordLimiter {
  #running = 0
  readonly #networks = new Set<string>()
  readonly #waiting: (() => void)[] = []

  /**
   * Waits until `work` may run, and returns its result.
   * @param network the address of the client: see `ConsoleBrowser`
   * @throws DomainError too_many while another check of the network runs or waits; unavailable while 30 networks wait
   */
  async run<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#networks.has(network)) {
      throw tooMany(
        'sign_in_in_progress',
        'The server is checking another password from your network address; try again in a second',
        { retryAfterSeconds: 1 },
      )
    }
    if (this.#waiting.length >= waitingMax) {
      throw unavailable('sign_in_busy', 'Many people sign in at this moment; try again in a few seconds', {
        retryAfterSeconds: 5,
      })
    }
    this.#networks.add(network)
    try {
      if (this.#running < atOnce) this.#running++
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
      return await work()
    } finally {
      this.#networks.delete(network)
      // Start the next check directly, so that no later one overtakes it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
