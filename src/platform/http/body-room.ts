import { DomainError } from '../domain-error.ts'

export type RoomOptions = {
  /** Bytes of bodies that are in flight at once: 64 MiB. */
  bytes?: number
  /** Requests that wait for room: 128. */
  waiting?: number
  /** How many of these one owner has at most: 32. */
  waitingEach?: number
  /** How long they wait: 20,000 ms. */
  waitMs?: number
}

/** How long later bodies may pass one that does not fit: small ones would otherwise pass it until it is refused. */
const passableMs = 2_000

/** Gives room back; once is enough. */
export type Release = () => void

type Waiter = { owner: string; bytes: number; since: number; admit(): void; refuse(): void }

/**
 * Room for the bodies that one process holds at once: a body that is parsed takes many times its size. An owner never
 * gets more than what is then left free: the first one half of the room, the next one half of the rest. So slow or
 * half-sent bodies of some owners leave room for the next owner (Choudhury and Hahne, "Dynamic queue length
 * thresholds", 1998).
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
   * Takes room for a body, once there is; `gone` tells that nobody waits for it any more.
   * @throws DomainError unavailable if that lasts too long, or too many wait
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
   * Admits waiters in order. For 2 s, a waiter that does not fit holds up no other: its owner may have to wait for itself.
   * After that, nothing passes it of its owner, or of an owner that would then have as much as it asks for.
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
  new DomainError(
    'unavailable',
    'The server has no room for this body now. Nothing was changed: send it again',
    { retryAfterSeconds: 2 },
  )
