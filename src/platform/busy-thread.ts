const lookEveryMs = 100
/** The thread counts as busy if a check is this many milliseconds late. */
const busyFromMs = 1_000
const recentlyMs = 60_000
const rearmsMax = 4

const now = performance.now.bind(performance)

/** The time when the next check is due, and the total delay of all earlier checks in milliseconds. */
let dueAt = now() + lookEveryMs
let lateMs = 0
/** The longest delay of a check in the current minute and in the previous minute. */
let latest = { ms: 0, before: 0, since: now() }

setInterval(() => {
  const at = now()
  const late = Math.max(0, at - dueAt)
  lateMs += late
  dueAt = at + lookEveryMs
  if (at - latest.since > recentlyMs) latest = { ms: 0, before: latest.ms, since: at }
  latest.ms = Math.max(latest.ms, late)
}, lookEveryMs).unref()

/** The total time since the start in which this thread was too busy for timers and answers, in milliseconds. */
export const busyMs = (): number => lateMs + Math.max(0, now() - dueAt)

/** A clock that does not advance while this thread is too busy for timers and answers, in milliseconds. */
export const awakeMs = (): number => now() - busyMs()

/** Returns whether this thread was too busy for a second or more since `before`, an earlier result of `busyMs`. */
export const wasBusy = (before: number): boolean => busyMs() - before >= busyFromMs

/** The longest busy time without a break in the last one to two minutes, in seconds. */
export const longestBusySeconds = (): number => Math.max(latest.ms, latest.before, now() - dueAt) / 1000

/**
 * Calls `late` after `ms`, unless stopped first. If the thread was too busy to see the event, it waits again, at most
 * 4 times.
 */
export function timeoutUnlessBusy(ms: number, late: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = (rearms: number) => {
    const before = busyMs()
    timer = setTimeout(() => {
      if (rearms < rearmsMax && wasBusy(before)) arm(rearms + 1)
      else late()
    }, ms)
  }
  arm(0)
  return () => clearTimeout(timer)
}

/**
 * Waits up to `ms` for `answer`, not counting time in which this thread was too busy.
 * @throws Error after that time
 */
export function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = timeoutUnlessBusy(ms, () => reject(new Error(`No answer within ${ms} ms`)))
  return Promise.race([answer, promise]).finally(stop)
}
