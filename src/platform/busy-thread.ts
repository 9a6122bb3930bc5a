const lookEveryMs = 100
/** If the thread is busy for this many milliseconds, answers may be late only because nobody read them. */
const busyFromMs = 1_000
const recentlyMs = 60_000
const rearmsMax = 4

// The real clock, even if a test replaces the clock.
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

/** Whether this thread was too busy for a second or more since an earlier call of `busyMs` returned `before`. */
export const wasBusy = (before: number): boolean => busyMs() - before >= busyFromMs

/** For how many seconds without a break this thread was too busy, at most, in the last one to two minutes. */
export const longestBusySeconds = (): number => Math.max(latest.ms, latest.before, now() - dueAt) / 1000

/**
 * Calls `late` after `ms`, unless the returned function stops it first. If the thread was too busy to see the awaited
 * event, the wait starts again, at most 5 times.
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
 * Waits up to `ms` for `answer`. Time in which this thread was too busy to see the answer does not count.
 * @throws Error after that time
 */
export function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = timeoutUnlessBusy(ms, () => reject(new Error(`No answer within ${ms} ms`)))
  return Promise.race([answer, promise]).finally(stop)
}
