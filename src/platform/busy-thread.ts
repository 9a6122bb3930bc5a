const lookEveryMs = 100
/** From this many milliseconds on, a busy thread is the reason that an answer was not read in time. */
const busyFromMs = 1_000
const recentlyMs = 60_000
const rearmsMax = 4

// The real clock, even if a test replaces the clock.
const now = performance.now.bind(performance)

/** When the next check is due, and the total delay of all earlier checks in milliseconds. */
let dueAt = now() + lookEveryMs
let lateMs = 0
/** The longest delay of a check in this minute and in the last one. */
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

/** Whether this thread was too busy for a second or more since `busyMs` was `before`. */
export const wasBusy = (before: number): boolean => busyMs() - before >= busyFromMs

/** The longest continuous time in which this thread was too busy, in the last one to two minutes, in seconds. */
export const longestBusySeconds = (): number => Math.max(latest.ms, latest.before, now() - dueAt) / 1000

/**
 * Calls `late` after `ms`, unless it is stopped before. If the thread was too busy to see the awaited event, it waits
 * again, at most 5 times. Returns a function that stops it.
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

/** Waits for `answer` for `ms`, without the time in which this thread was too busy to see it. @throws Error after that time */
export function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = timeoutUnlessBusy(ms, () => reject(new Error(`No answer within ${ms} ms`)))
  return Promise.race([answer, promise]).finally(stop)
}
