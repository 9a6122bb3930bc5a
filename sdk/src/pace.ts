// The server counts requests in windows that slide. Latency varies, so that requests may arrive closer together than
// they were sent: a window here is 2 % longer.
const windowMs = 1020
const defaultLimit = 50
// Servers and proxies refuse connections of a client that opens many.
const inFlightMax = 64

/**
 * Spaces requests, so that a client stays below the rate limits. One object serves all organizations of a client: an
 * agency's key spends the limit of the agency.
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
   * @param isRetry goes before requests that were never sent
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
    // Requests that were sent since then may not be counted in this answer.
    this.#left = Number(remaining) - this.#inFlight
    // Seconds from now, unlike X-RateLimit-Reset: the clock of this machine may be wrong.
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

  /** Milliseconds until a request may be sent; infinite: as soon as one of those in flight is answered. */
  #waitMs(): number {
    if (this.#inFlight >= inFlightMax) return Number.POSITIVE_INFINITY
    const now = performance.now()
    if (this.#perSecond === Number.POSITIVE_INFINITY) this.#sent = []
    else while (this.#sent.length > this.#perSecond) this.#sent.shift()
    const oldest = this.#sent.length < this.#perSecond ? undefined : this.#sent[0]
    const wait = Math.max(this.#heldUntil, (oldest ?? -windowMs) + windowMs) - now
    // After a hold, one request asks how many the minute has left.
    const mayAsk = this.#inFlight === 0
    return wait <= 0 && this.#left !== null && this.#left <= 0 && !mayAsk ? Number.POSITIVE_INFINITY : wait
  }
}
