import { unavailable } from '../domain-error.ts'

export type RoomOptions = {
  /** Bytes of bodies that are in flight at once: 64 MiB. */
  bytes?: number
  /** Requests that wait for room: 128. */
  waiting?: number
  /** The most requests of one owner that wait: 32. */
  waitingEach?: number
  /** How long they wait: 20,000 ms. */
  waitMs?: number
}

/** How long later bodies may pass one that does not fit. Without this limit, small bodies would pass it until its refusal. */
const passableMs = 2_000

/** Gives the room back. More than one call is harmless. */
export type Release = () => void

type Waiter = { owner: string; bytes: number; since: number; admit(): void; refuse(): void }

/**
 * Limits the bodies in the memory of one process, because parsing a body needs many times its size. An owner gets at
 * most half of the room that other owners leave free. So slow or half-sent bodies of some owners leave room for the next
 * owner (Choudhury and Hahne, "Dynamic queue length thresholds", 1998).
 */
export class BodyRoom {
  readonly #bytesMax: number
  readonly #waitingMax: number
  readonly #waitingEachMax: number
  readonly #waitMs: number
  readonly #takenBy = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  #taken = 0

  constructor({
    bytes = 64 * 1024 * 1024,
    waiting = 128,
    waitingEach = 32,
    waitMs = 20_000,
  }: RoomOptions = {}) {
    this.#bytesMax = bytes
    this.#waitingMax = waiting
    this.#waitingEachMax = waitingEach
    this.#waitMs = waitMs
  }

  /**
   * Waits for room for a body, and occupies it. `gone` ends the wait when the client has gone.
   * @throws DomainError unavailable if the wait is too long, or too many wait
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
   * Admits waiters in order. For 2 s, others may pass a waiter that does not fit, because it may wait for bodies of its own
   * owner. After that, only owners that use less room than its owner may pass it.
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
    return (this.#takenBy.get(owner) ?? 0) + bytes
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
    const taken = (this.#takenBy.get(owner) ?? 0) + bytes
    if (taken === 0) this.#takenBy.delete(owner)
    else this.#takenBy.set(owner, taken)
  }
}

const noRoom = () =>
  unavailable('server_busy', 'The server has no room for this body now. Nothing was changed: send it again', {
    retryAfterSeconds: 2,
  })
