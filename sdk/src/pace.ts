// The server limits the requests of each second. This window is 2 % longer: latency varies, so requests can arrive
// closer together than they were sent.
const windowMs = 1020
const defaultLimit = 50
// The maximum number of open requests. Servers and proxies refuse clients with many connections.
const inFlightMax = 64
/** The longest wait for a new budget in seconds: the longest window of a limit is a minute. */
const heldMax = 60

/** Reports the end of a request. `response` is null if no answer came. */
export type EndRequest = (response: Response | null) => void

/**
 * Spaces requests to stay below the rate limits. An agency's key has one limit for all organizations, so its clients
 * share one object.
 */
export class Pace {
  readonly #waiting: ((end: EndRequest) => void)[] = []
  #sent: number[] = []
  #perSecond = defaultLimit
  #inFlight = 0
  /** How many requests are left in the current minute; null: unknown. */
  #left: number | null = null
  #heldUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Waits until a request may be sent. Returns the function that reports its end; call it once.
   * @param isRetry true: the request goes before all requests that were not tried yet
   * @throws the reason of `signal` when it is aborted
   */
  turn(isRetry: boolean, signal: AbortSignal): Promise<EndRequest> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason)
      }
      const go = (end: EndRequest) => {
        signal.removeEventListener('abort', stop)
        resolve(end)
      }
      signal.addEventListener('abort', stop, { once: true })
      if (isRetry) this.#waiting.unshift(go)
      else this.#waiting.push(go)
      this.#next()
    })
  }

  #end(response: Response | null, sentAt: number): void {
    this.#inFlight--
    if (response) this.#read(response, sentAt)
    this.#next()
  }

  #read({ ok, headers }: Response, sentAt: number): void {
    const perSecond = headers.get('x-ratelimit-limit-second')
    // Ignore a limit that is not a number, or is below 1: no request could be sent.
    if (perSecond !== null) this.#perSecond = Number(perSecond) >= 1 ? Number(perSecond) : this.#perSecond
    else if (ok) this.#perSecond = Number.POSITIVE_INFINITY
    // The request does not count: a proxy refused it, or the server refused it before counting it.
    else this.#sent = this.#sent.filter((time) => time !== sentAt)
    const remaining = headers.get('x-ratelimit-remaining')
    if (remaining === null) return
    // Requests in flight may not be counted yet.
    this.#left = Number(remaining) - this.#inFlight
    // Prefer RateLimit, in seconds from now. X-RateLimit-Reset is a time of day, and this machine's clock may be
    // wrong.
    const [, seconds] = /;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
    if (remaining === '0' && seconds)
      this.#heldUntil = performance.now() + Math.min(Number(seconds), heldMax) * 1000
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
      // Make the times distinct: two requests may start at the same time.
      const sentAt = Math.max(performance.now(), (this.#sent.at(-1) ?? 0) + 0.001)
      this.#sent.push(sentAt)
      this.#waiting.shift()?.((response) => this.#end(response, sentAt))
    }
  }

  /** Milliseconds until the next request may be sent. Infinity: wait for an answer first. */
  #waitMs(): number {
    if (this.#inFlight >= inFlightMax) return Number.POSITIVE_INFINITY
    const now = performance.now()
    if (this.#perSecond === Number.POSITIVE_INFINITY) this.#sent = []
    else while (this.#sent.length > this.#perSecond) this.#sent.shift()
    const oldest = this.#sent.length < this.#perSecond ? undefined : this.#sent[0]
    const wait = Math.max(this.#heldUntil, (oldest ?? -windowMs) + windowMs) - now
    // If no request is in flight, send one even if nothing is left: its answer contains the new limit.
    const mayAsk = this.#inFlight === 0
    return wait <= 0 && this.#left !== null && this.#left <= 0 && !mayAsk ? Number.POSITIVE_INFINITY : wait
  }
}
