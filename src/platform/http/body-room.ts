import { Problem } from './problem.ts'

export type RoomOptions = {
  /** Bytes of large bodies that are in flight at once: 64 MiB. */
  bytes?: number
  /** Requests that wait for room: 32. */
  waiting?: number
  /** How long they wait: 20,000 ms. */
  waitMs?: number
}

/** Gives room back; once is enough. */
export type Release = () => void

type Waiter = { owner: string; bytes: number; admit(): void; refuse(): void }

/**
 * Room for the large bodies that one process holds at once: a body that is parsed takes many times its size. One owner
 * gets half of it at most, so that nobody's uploads, however slow, keep everybody else's out.
 */
export class BodyRoom {
  readonly #bytesMax: number
  readonly #waitingMax: number
  readonly #waitMs: number
  readonly #takenBy = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  #taken = 0

  constructor({ bytes = 64 * 1024 * 1024, waiting = 32, waitMs = 20_000 }: RoomOptions = {}) {
    this.#bytesMax = bytes
    this.#waitingMax = waiting
    this.#waitMs = waitMs
  }

  /**
   * Takes room for a body, once there is; `gone` tells that nobody waits for it any more.
   * @throws Problem 503 if that lasts too long, or too many wait
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
        admit: () => {
          leave()
          resolve(this.#occupy(waiter))
        },
        refuse: () => {
          leave()
          reject(noRoom())
          // It may have held up smaller ones behind it.
          this.#admitAll()
        },
      }
      const timer = setTimeout(waiter.refuse, this.#waitMs).unref()
      gone?.addEventListener('abort', waiter.refuse)
      this.#waiters.add(waiter)
      this.#admitAll()
      if (this.#waiters.size > this.#waitingMax) waiter.refuse()
    })
  }

  /** Lets those in for whom there is room, in order; who has to wait for bodies of their own holds up no others. */
  #admitAll(): void {
    for (const waiter of this.#waiters) {
      if ((this.#takenBy.get(waiter.owner) ?? 0) + waiter.bytes > this.#bytesMax / 2) continue
      if (this.#taken + waiter.bytes > this.#bytesMax) return
      waiter.admit()
    }
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
  new Problem(503, 'Too many large bodies are on their way right now; nothing was changed. Send it again', {
    'retry-after': '2',
  })
