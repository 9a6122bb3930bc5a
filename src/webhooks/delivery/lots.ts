import { setTimeout as delay } from 'node:timers/promises'
import { servesOthers as servesOthersNow } from '../../platform/recent-requests.ts'
import { isBusyWriting } from './throttle.ts'

/** A lot that takes longer, for example because its receiver is slow, no longer delays the next one. */
const lotMsMax = 50
/** A rest is this many times as long as its lot, while the process is busy with writes. Otherwise it is as long as its lot. */
const busyRests = 4

type Options = {
  servesOthers?: (orgId: string) => boolean
  isBusy?: () => boolean
  pause?: (ms: number) => Promise<unknown>
}

/**
 * Lots of deliveries. While this process also serves other organizations, the lots of one organization begin one after
 * another, with rests. Otherwise its 50 endpoints could send and get 400 messages at once: reading the answers alone would
 * block the thread for a quarter of a second.
 */
export class Lots {
  readonly #servesOthers: (orgId: string) => boolean
  readonly #isBusy: () => boolean
  readonly #pause: (ms: number) => Promise<unknown>
  /** Resolves when the last lot of an organization, and the rest after it, are over. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor({ servesOthers = servesOthersNow, isBusy = isBusyWriting, pause = delay }: Options = {}) {
    this.#servesOthers = servesOthers
    this.#isBusy = isBusy
    this.#pause = pause
  }

  /** Whether the lots of this organization begin one after another now. They should then be small. */
  takeTurns(orgId: string): boolean {
    return this.#servesOthers(orgId)
  }

  /** Runs a lot when it may begin, or at once if `signal` fires. */
  async run<Result>(orgId: string, signal: AbortSignal, lot: () => Promise<Result>): Promise<Result> {
    if (!this.takeTurns(orgId)) return lot()
    const earlier = this.#last.get(orgId)
    const ended = Promise.withResolvers<unknown>()
    const turn = Promise.resolve(earlier).then(() => ended.promise)
    this.#last.set(orgId, turn)
    turn.then(() => {
      if (this.#last.get(orgId) === turn) this.#last.delete(orgId)
    })
    if (earlier) await untilAborted(earlier, signal)
    const startedAt = performance.now()
    const running = lot()
    const over = Promise.race([running.catch(() => {}), this.#pause(lotMsMax)])
    over.then(() => this.#rest(performance.now() - startedAt)).then(ended.resolve)
    return running
  }

  #rest(lotMs: number): Promise<unknown> {
    return this.#pause(Math.min(lotMsMax, lotMs) * (this.#isBusy() ? busyRests : 1))
  }
}

/** The lots of this process. */
export const lots = new Lots()

/** Waits for `promise`, or until the signal fires. */
async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>()
  const abort = () => aborted.resolve()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
