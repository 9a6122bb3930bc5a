import { Counts } from '../counts.ts'
import { unavailable } from '../domain-error.ts'

export type BodyMemoryOptions = {
  /** The maximum size of all bodies in memory, in bytes; 64 MiB by default. */
  bytes?: number
  /** How many requests may wait for room; 128 by default. */
  waiting?: number
  /** How many requests of one owner may wait; 32 by default. */
  waitingEach?: number
  /** How long a request may wait; 20,000 ms by default. */
  waitMs?: number
}

/** How long small bodies may overtake a waiting large one. Without a limit, the large body could wait until it is refused. */
const passableMs = 2_000

/** Frees the reserved memory. A second call has no effect. */
export type Release = () => void

type Waiter = { owner: string; bytes: number; since: number; admit(): void; refuse(): void }

/** The room for the bodies of requests in the memory of this process. Bodies that do not fit wait, fairly among their owners. */
export class BodyMemory {
  readonly #bytesMax: number
  readonly #waitingMax: number
  readonly #waitingEachMax: number
  readonly #waitMs: number
  readonly #takenBy = new Counts()
  readonly #waiters = new Set<Waiter>()
  #taken = 0

  constructor({
    bytes = 64 * 1024 * 1024,
    waiting = 128,
    waitingEach = 32,
    waitMs = 20_000,
  }: BodyMemoryOptions = {}) {
    this.#bytesMax = bytes
    this.#waitingMax = waiting
    this.#waitingEachMax = waitingEach
    this.#waitMs = waitMs
  }

  /**
   * Reserves room for a body. `gone` ends the wait when the client has disconnected.
   * @throws DomainError unavailable if the wait is too long, or too many bodies wait
   */
  take(owner: string, bytes: number, gone?: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        gone?.removeEventListener('abort', waiter.refuse)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        owner,
        bytes: Math.min(bytes, this.#bytesMax / 2),
        since: performance.now(),
        admit: () => {
          leave()
          resolve(this.#occupy(waiter))
        },
        refuse: () => {
          leave()
          reject(noRoom())
        },
      }
      const timer = setTimeout(waiter.refuse, this.#waitMs).unref()
      gone?.addEventListener('abort', waiter.refuse)
      this.#waiters.add(waiter)
      this.#admitAll()
      if (this.#waiters.has(waiter) && this.#tooManyWait(owner)) waiter.refuse()
    })
  }

  /**
   * Admits waiting bodies in order. For 2 s, later bodies may overtake a body that does not fit. After that, only
   * bodies of owners with less room may overtake it.
   */
  #admitAll(): void {
    const passed: Waiter[] = []
    for (const waiter of this.#waiters) {
      const owned = this.#ownedWith(waiter)
      const mayPass = passed.every((each) => each.owner !== waiter.owner && owned < this.#ownedWith(each))
      if (mayPass && owned <= this.#bytesMax - this.#taken - waiter.bytes) waiter.admit()
      else if (performance.now() - waiter.since >= passableMs) passed.push(waiter)
    }
  }

  #ownedWith({ owner, bytes }: Waiter): number {
    return this.#takenBy.of(owner) + bytes
  }

  #tooManyWait(owner: string): boolean {
    if (this.#waiters.size > this.#waitingMax) return true
    let own = 0
    for (const waiter of this.#waiters) if (waiter.owner === owner) own++
    return own > this.#waitingEachMax
  }

  #occupy({ owner, bytes }: Waiter): Release {
    this.#add(owner, bytes)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#add(owner, -bytes)
      this.#admitAll()
    }
  }

  #add(owner: string, bytes: number): void {
    this.#taken += bytes
    this.#takenBy.add(owner, bytes)
  }
}

const noRoom = () =>
  unavailable('server_busy', 'The server has no room for this body now. Nothing was changed: send it again', {
    retryAfterSeconds: 2,
  })
