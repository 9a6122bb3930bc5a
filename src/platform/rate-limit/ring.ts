import { type Ceilings, highestCeiling, minuteMs, type RateDecision, secondMs } from './rate-limit.ts'

// Powers of two: a mask turns an index into a slot.
const slotsMin = 8
const slotsMax = 2 ** Math.ceil(Math.log2(highestCeiling))

/**
 * The times of a key's accepted requests in the last minute, O(1) for each request (amortized). An index only
 * increases; modulo the number of slots, it is the slot. The ring starts at 64 bytes, and doubles up to `slotsMax` (1
 * MiB). Then it drops the oldest times, which no ceiling needs. Its size does not depend on the ceilings, which may
 * change at any time.
 */
export class Ring {
  #times = new Float64Array(slotsMin)
  /** The index after the newest time. */
  #end = 0
  /** For each window, the index of its oldest time. Valid only after `#advance`. */
  #minuteStart = 0
  #secondStart = 0

  /** Decides about a request. `nowMs` (monotonic) and `epochMs` (wall clock) are the same moment. */
  take(ceilings: Ceilings, nowMs: number, epochMs: number): RateDecision {
    const { perSecond, perMinute } = ceilings
    this.#minuteStart = this.#advance(this.#minuteStart, minuteMs, nowMs)
    const roomAtMs = Math.max(this.#roomAt(perSecond, secondMs), this.#roomAt(perMinute, minuteMs))
    const allowed = roomAtMs <= nowMs
    if (allowed) this.#push(nowMs)
    const retryAfterSeconds = allowed ? null : wholeSeconds(roomAtMs - nowMs)

    const ceiling = perMinute ?? perSecond
    if (ceiling === null) {
      return {
        allowed,
        ceilings,
        remaining: null,
        resetAtMs: null,
        resetAfterSeconds: null,
        retryAfterSeconds,
      }
    }
    const start = perMinute === null ? this.#advanceSecond(nowMs) : this.#minuteStart
    const windowMs = perMinute === null ? secondMs : minuteMs
    // After a ceiling was lowered, the window can have more requests than the ceiling. The window then has no room when
    // the oldest requests leave it.
    const resetAfterMs = this.#timeAt(Math.max(start, this.#end - ceiling)) + windowMs - nowMs
    return {
      allowed,
      ceilings,
      remaining: Math.max(0, ceiling - (this.#end - start)),
      resetAtMs: epochMs + resetAfterMs,
      resetAfterSeconds: wholeSeconds(resetAfterMs),
      retryAfterSeconds,
    }
  }

  /** Whether all times are more than a minute old. A new ring would then decide the same. */
  isIdle(nowMs: number): boolean {
    return this.#end === 0 || this.#timeAt(this.#end - 1) + minuteMs <= nowMs
  }

  /** When a window has room for one more request: when its `ceiling`-th newest request leaves it. */
  #roomAt(ceiling: number | null, windowMs: number): number {
    if (ceiling === null || this.#end - this.#minuteStart < ceiling) return Number.NEGATIVE_INFINITY
    return this.#timeAt(this.#end - ceiling) + windowMs
  }

  /** The first index, from `start` on, whose time is still in the window. */
  #advance(start: number, windowMs: number, nowMs: number): number {
    let index = start
    while (index < this.#end && this.#timeAt(index) + windowMs <= nowMs) index++
    return index
  }

  #advanceSecond(nowMs: number): number {
    this.#secondStart = this.#advance(Math.max(this.#secondStart, this.#minuteStart), secondMs, nowMs)
    return this.#secondStart
  }

  #push(timeMs: number): void {
    if (this.#end - this.#minuteStart === this.#times.length) {
      if (this.#times.length < slotsMax) this.#grow()
      else this.#minuteStart++
    }
    this.#times[this.#end & (this.#times.length - 1)] = timeMs
    this.#end++
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    for (let index = this.#minuteStart; index < this.#end; index++) {
      times[index & (times.length - 1)] = this.#timeAt(index)
    }
    this.#times = times
  }

  #timeAt(index: number): number {
    return this.#times[index & (this.#times.length - 1)]!
  }
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}
