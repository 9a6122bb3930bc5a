/**
 * What the answer to a try means:
 * - `delivered`: the receiver has the event
 * - `gone`: the receiver wants no event any more
 * - `endpoint_trouble`: the receiver is down or busy, so other events would fail too
 * - `event_trouble`: the receiver refuses this event
 */
export type AnswerMeaning = 'delivered' | 'gone' | 'endpoint_trouble' | 'event_trouble'

const busyStatuses = [408, 425, 429]

/** @param status null: there was no answer */
export function meaningOfStatus(status: number | null): AnswerMeaning {
  if (status === null || status >= 500 || busyStatuses.includes(status)) return 'endpoint_trouble'
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 ? 'gone' : 'event_trouble'
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The wait before each retry of an event, in milliseconds (the table of Standard Webhooks 1.0.0). */
export const retryWaits: readonly number[] = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 20 * hour, 24 * hour],
]

/** The wait before each probe of an endpoint in trouble. The last one repeats. */
const probeWaits: readonly number[] = [
  ...[1 * second, 1 * second, 2 * second, 3 * second],
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 1 * hour],
]

/** After this many failures in a row, an endpoint is `failing`. */
export const failuresMax = 5
/** After this many refused events in a row, an endpoint is in trouble. */
export const refusedMax = 20
/** How many events of one endpoint may wait for a retry. */
export const waitingMax = 1_000

/** Varies a wait by ±20 %, so that endpoints that failed together are not retried together. */
const spread = (ms: number, random: () => number) => ms * (0.8 + 0.4 * random())

/**
 * The wait before the next try of an event, in milliseconds; null: no try is left.
 * @param tries how often the event was tried, at least 1
 */
export function retryWait(tries: number, random: () => number = Math.random): number | null {
  const wait = retryWaits[tries - 1]
  return wait === undefined ? null : spread(wait, random)
}

/**
 * The wait before the next probe of an endpoint in trouble, in milliseconds.
 * @param failures how often it failed in a row, at least 1
 * @param retryAfter the seconds that the receiver asked for; an hour at most counts
 */
export function probeWait(failures: number, retryAfter = 0, random: () => number = Math.random): number {
  const wait = probeWaits[Math.min(failures, probeWaits.length) - 1] ?? second
  return Math.max(spread(wait, random), Math.min(retryAfter * second, hour))
}

export type FailureTimes = {
  /** The first failure since the last delivery, in Unix milliseconds. */
  firstFailureAt: number
  /** The failure before the current one. */
  previousFailureAt: number
  now: number
}

/** Returns whether an endpoint gets disabled: no delivery for 5 days, and failures at least 12 hours apart. */
export const isDisabledBy = ({ firstFailureAt, previousFailureAt, now }: FailureTimes): boolean =>
  now - firstFailureAt >= 120 * hour && previousFailureAt - firstFailureAt >= 12 * hour
