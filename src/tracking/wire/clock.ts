const dayMs = 86_400_000
const lateMs = 7 * dayMs
const isoTime = /^\d{4}-\d\d-\d\d([T ]\d|$)/

/**
 * The Unix milliseconds of a time that a client sent: ISO 8601, Unix milliseconds, or Unix seconds. Returns null if the
 * value is not a time.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') {
    const ms = Math.abs(value) < 1e11 ? value * 1000 : value
    return Number.isFinite(ms) && Math.abs(ms) < 1e14 ? Math.round(ms) : null
  }
  if (typeof value !== 'string' || value.length > 40 || !isoTime.test(value)) return null
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}

export type ClientTimes = {
  /** When the event happened, by the clock of the client; null: the client sent no time. */
  at: number | null
  /** When the request was sent, by the same clock. */
  sentAt: number | null
  receivedAt: number
  /** True for an API key, which may send any time from 1970 on. */
  isTrusted: boolean
}

export type CorrectedTime = { occurredAt: number; isLate: boolean }

/**
 * Returns when an event happened, by the clock of this server. It subtracts the time between the event and its sending
 * from the time of receipt: that difference is correct even if the client's clock is wrong. The result is never after
 * the receipt. Source: Segment, Spec: Common fields.
 */
export function correctClock({ at, sentAt, receivedAt, isTrusted }: ClientTimes): CorrectedTime {
  if (at === null) return { occurredAt: receivedAt, isLate: false }
  const corrected = sentAt === null ? at : receivedAt - (sentAt - at)
  const occurredAt = Math.min(corrected, receivedAt)
  // PostgreSQL cannot store every time that JavaScript accepts.
  const isLate = occurredAt < (isTrusted ? 0 : receivedAt - lateMs)
  return { occurredAt: isLate ? receivedAt : occurredAt, isLate }
}

/**
 * The UTC day under which an event is stored: the day that the client sent, if it is between 7 days ago and 1 day
 * ahead. A retry repeats this day. Otherwise it is the day of receipt.
 */
export function dayOf(at: number | null, receivedAt: number): string {
  const today = Math.floor(receivedAt / dayMs)
  const claimed = at === null ? today : Math.floor(at / dayMs)
  return textOf(claimed >= today - 7 && claimed <= today + 1 ? claimed : today)
}

/** Caches the last requested day: almost all events are of today. */
let last = { day: 0, text: '1970-01-01' }

function textOf(day: number): string {
  if (last.day !== day) last = { day, text: new Date(day * dayMs).toISOString().slice(0, 10) }
  return last.text
}
