// The server limits the requests of every sliding second. Requests may arrive closer together than they were sent,
// because latency varies. So the window here is 2 % longer.
const windowMs = 1020
const defaultLimit = 50
// Servers and proxies refuse connections of a client that opens many.
const inFlightMax = 64

/**
 * Spaces requests, so that a client stays below the rate limits. An agency's key uses the agency's limit for every
 * organization, so one object serves them all.
 */
export class Pace {
  readonly #waiting: (() => void)[] = []
  #sent: number[] = []
  #perSecond = defaultLimit
  #inFlight = 0
  /** How many requests the current minute has left; null: not known. */
  #left: number | null = null
  #heldUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Waits for the turn of a request. Call `end` once for each turn.
   * @param isRetry true: goes before all requests that were not tried yet
   * @throws the reason of `signal` once it is aborted
   */
  turn(isRetry: boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason)
      }
      const go = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      signal.addEventListener('abort', stop, { once: true })
      if (isRetry) this.#waiting.unshift(go)
      else this.#waiting.push(go)
      this.#next()
    })
  }

  /** Ends a turn. @param response the answer; null if none came */
  end(response: Response | null): void {
    this.#inFlight--
    if (response) this.#read(response)
    this.#next()
  }

  #read({ ok, headers }: Response): void {
    const perSecond = headers.get('x-ratelimit-limit-second')
    if (perSecond !== null) this.#perSecond = Number(perSecond)
    else if (ok) this.#perSecond = Number.POSITIVE_INFINITY
    const remaining = headers.get('x-ratelimit-remaining')
    if (remaining === null) return
    // The server may not have counted the requests in flight when it sent this answer.
    this.#left = Number(remaining) - this.#inFlight
    // RateLimit gives seconds from now. X-RateLimit-Reset gives a time of day, and the clock of this machine may be
    // wrong.
    const [, seconds] = /;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
    if (remaining === '0' && seconds) this.#heldUntil = performance.now() + Number(seconds) * 1000
  }

  #next(): void {
    clearTimeout(this.#timer)
    while (this.#waiting.length > 0) {
      const wait = this.#waitMs()
      if (wait > 0) {
        if (wait < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#next(), Math.ceil(wait))
        return
      }
      this.#inFlight++
      if (this.#left !== null) this.#left--
      this.#sent.push(performance.now())
      this.#waiting.shift()?.()
    }
  }

  /** The milliseconds until the next request may be sent. Infinity: wait for the answer of a request in flight. */
  #waitMs(): number {
    if (this.#inFlight >= inFlightMax) return Number.POSITIVE_INFINITY
    const now = performance.now()
    if (this.#perSecond === Number.POSITIVE_INFINITY) this.#sent = []
    else while (this.#sent.length > this.#perSecond) this.#sent.shift()
    const oldest = this.#sent.length < this.#perSecond ? undefined : this.#sent[0]
    const wait = Math.max(this.#heldUntil, (oldest ?? -windowMs) + windowMs) - now
    // If nothing may be sent in this minute, and no request is in flight, send one request: its answer says how many
    // are left now.
    const mayAsk = this.#inFlight === 0
    return wait <= 0 && this.#left !== null && this.#left <= 0 && !mayAsk ? Number.POSITIVE_INFINITY : wait
  }
}
