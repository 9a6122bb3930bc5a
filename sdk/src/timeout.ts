import { TimeoutError } from './errors.ts'

/** The longest time of a timer. With a longer time, `setTimeout` would run at once. */
const timerMax = 2 ** 31 - 1

/** `setTimeout`, but a time of more than 24 days counts as 24 days. */
export const startTimer = (run: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(run, Math.min(ms, timerMax))

/** A signal that aborts with a TimeoutError after some time, or when another signal does. */
export class Timeout {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  readonly #endsAt: number
  readonly #stop = (): void => this.#controller.abort(this.#outer?.reason)

  /** @param ms 0: no limit @param text the message of the TimeoutError */
  constructor(ms: number, text: string, outer: AbortSignal | undefined) {
    this.#outer = outer
    this.#endsAt = performance.now() + (ms || Number.POSITIVE_INFINITY)
    if (outer?.aborted) this.#stop()
    outer?.addEventListener('abort', this.#stop, { once: true })
    if (ms > 0) this.#timer = startTimer(() => this.#controller.abort(new TimeoutError(text)), ms)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get leftMs(): number {
    return this.#endsAt - performance.now()
  }

  /**
   * Stops the timer.
   * @param isFollowing whether the other signal can still abort this one
   */
  clear(isFollowing: boolean): void {
    clearTimeout(this.#timer)
    if (!isFollowing) this.#outer?.removeEventListener('abort', this.#stop)
  }
}

/**
 * Waits for `ms`.
 * @throws the reason of `signal` when it is aborted
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = startTimer(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Waits for `work`, which an abort does not stop.
 * @throws the reason of `signal` when it is aborted
 */
export function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
