// The server limits the requests of every sliding second. Latency varies, so requests may arrive closer together than
// they were sent: the window here is 2 % longer.
const windowMs = 1020
const defaultLimit = 50
// Servers and proxies refuse clients that open many connections.
const inFlightMax = 64

/** Ends the turn of a request. `response` is null if no answer came. */
export type EndTurn = (response: Response | null) => void

/**
 * Spaces requests to stay below the rate limits. An agency's key has one limit for all organizations, so one object
 * serves them all.
 */
export class Pace {
  readonly #waiting: ((end: EndTurn) => void)[] = []
  #sent: number[] = []
  #perSecond = defaultLimit
  #inFlight = 0
  /** The requests that remain in the current minute; null: not known. */
  #left: number | null = null
  #heldUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Waits for the turn of a request. Returns the function that ends it; call that once.
   * @param isRetry true: before all requests that were not tried yet
   * @throws the reason of `signal` once it is aborted
   */
  turn(isRetry: boolean, signal: AbortSignal): Promise<EndTurn> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        reject(signal.reason)
      }
      const go = (end: EndTurn) => {
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
    if (perSecond !== null) this.#perSecond = Number(perSecond)
    else if (ok) this.#perSecond = Number.POSITIVE_INFINITY
    // A proxy refused the request, or the server did before it counted it.
    else this.#sent = this.#sent.filter((time) => time !== sentAt)
    const remaining = headers.get('x-ratelimit-remaining')
    if (remaining === null) return
    // The server may not have counted the requests in flight.
    this.#left = Number(remaining) - this.#inFlight
    // RateLimit gives seconds from now. X-RateLimit-Reset gives a time of day, and this machine's clock may be wrong.
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
      // Two requests may start at the same time.
      const sentAt = Math.max(performance.now(), (this.#sent.at(-1) ?? 0) + 0.001)
      this.#sent.push(sentAt)
      this.#waiting.shift()?.((response) => this.#end(response, sentAt))
    }
  }

  /** Milliseconds until the next request may be sent. Infinity: wait for an answer in flight. */
  #waitMs(): number {
    if (this.#inFlight >= inFlightMax) return Number.POSITIVE_INFINITY
    const now = performance.now()
    if (this.#perSecond === Number.POSITIVE_INFINITY) this.#sent = []
    else while (this.#sent.length > this.#perSecond) this.#sent.shift()
    const oldest = this.#sent.length < this.#perSecond ? undefined : this.#sent[0]
    const wait = Math.max(this.#heldUntil, (oldest ?? -windowMs) + windowMs) - now
    // Without a request in flight, send one even if nothing remains in this minute: its answer has the new limit.
    const mayAsk = this.#inFlight === 0
    return wait <= 0 && this.#left !== null && this.#left <= 0 && !mayAsk ? Number.POSITIVE_INFINITY : wait
  }
}
