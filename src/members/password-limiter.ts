import { type DomainError, tooMany, unavailable } from '../platform/domain-error.ts'
import { FairQueue } from '../platform/fair-queue.ts'

const atOnce = 2
/** How many networks may wait. A check takes 0.3 s and two run at once, so the last network waits 5 s. */
const waitingMax = 30

type Waiter = { begin(): void; refuse(error: DomainError): void }

/**
 * Runs two password checks at once. At most one check of each network runs or waits. So many guesses from one address
 * delay other addresses by only one check. Neighboring networks share one place in the order of
 * turns: a client can have thousands of IPv6 networks.
 */
export class PasswordLimiter {
  #running = 0
  readonly #networks = new Set<string>()
  /** The waiting checks; their owners are neighborhoods. */
  readonly #waiting = new FairQueue<Waiter>()

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
    this.#networks.add(network)
    try {
      await this.#turn(neighborhoodOf(network))
      try {
        return await work()
      } finally {
        // Start the next check directly, so that no later one overtakes it.
        const next = this.#waiting.take()
        if (next) next.begin()
        else this.#running--
      }
    } finally {
      this.#networks.delete(network)
    }
  }

  async #turn(neighborhood: string): Promise<void> {
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    this.#makeRoomFor(neighborhood)
    await new Promise<void>((begin, refuse) => this.#waiting.add(neighborhood, { begin, refuse }))
  }

  /**
   * If all places are taken, refuses the newest waiting check of the largest neighborhood. If the neighborhood of the
   * new check would become as large, refuses the new check instead.
   * @throws DomainError unavailable
   */
  #makeRoomFor(neighborhood: string): void {
    if (this.#waiting.size < waitingMax) return
    const largest = this.#waiting.largest() ?? neighborhood
    if (this.#waiting.sizeOf(largest) < this.#waiting.sizeOf(neighborhood) + 2) throw busy()
    this.#waiting.takeNewestOf(largest)?.refuse(busy())
  }
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address, which one client can have (RFC 6177). */
const neighborhoodOf = (network: string): string => network.split(/[.:]/, 3).join('.')

const busy = () =>
  unavailable('sign_in_busy', 'Many people sign in at this moment; try again in a few seconds', {
    retryAfterSeconds: 5,
  })
