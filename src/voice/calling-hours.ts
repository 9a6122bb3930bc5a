import { invalid } from '../platform/domain-error.ts'
import { requireTimeZone, WallClock } from './time-zone.ts'

/**
 * `HH:MM` in the callee's local time; the end is excluded. If the end is before the start, the hours go past
 * midnight.
 */
export type CallingHours = { start: string; end: string }

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Refuses a call outside of the calling hours.
 * @param hours null: calls are allowed at any time
 * @param now Unix milliseconds
 * @throws ValidationError if `timezone` is missing or invalid; DomainError invalid that says when
 * the hours begin
 */
export function requireCallingHours(
  hours: CallingHours | null,
  timezone: string | undefined,
  now: number,
): void {
  if (hours === null) {
    if (timezone !== undefined) requireTimeZone(timezone)
    return
  }
  const problem = closedReason(hours, requireTimeZone(timezone), now)
  if (problem !== null) throw invalid('outside_calling_hours', problem)
}

/** Why a call at `now` (Unix milliseconds) is refused, and when it is allowed; null if it is allowed now. */
export function closedReason(hours: CallingHours, timeZone: string, now: number): string | null {
  const clock = new WallClock(timeZone)
  if (isOpen(hours, clock, now)) return null
  const opens = nextOpening(hours, clock, now)
  const [seen, then] = [clock.read(now), clock.read(opens)]
  return (
    `It is ${seen.time} on ${seen.date} in ${clock.name}, outside of the calling hours ${hours.start} to ${hours.end}: ` +
    `opens at ${then.time} on ${then.date} in ${clock.name}, in ${duration(opens - now)}`
  )
}

/** True if the local time is within the hours. */
function isOpen({ start, end }: CallingHours, clock: WallClock, time: number): boolean {
  const [from, to, shown] = [minutesOf(start), minutesOf(end), timeOfDay(clock, time) / minuteMs]
  return from < to ? from <= shown && shown < to : from <= shown || shown < to
}

/** The next time at which the calling hours begin, or at which a clock change moves the local time into them. */
function nextOpening(hours: CallingHours, clock: WallClock, now: number): number {
  for (let time = now; ; ) {
    const toStart = (minutesOf(hours.start) * minuteMs - timeOfDay(clock, time) + dayMs) % dayMs
    const change = clock.firstChange(time, time + toStart)
    if (change === null) return time + toStart
    if (isOpen(hours, clock, change)) return change
    time = change
  }
}

/** Returns the local time of day in milliseconds since midnight. */
function timeOfDay(clock: WallClock, time: number): number {
  return (((time + clock.offsetAt(time)) % dayMs) + dayMs) % dayMs
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** Writes a duration as `7 h 12 min`, rounded up to the minute. */
function duration(ms: number): string {
  const minutes = Math.ceil(ms / minuteMs)
  const [h, min] = [Math.floor(minutes / 60), minutes % 60]
  return [...(h > 0 ? [`${h} h`] : []), ...(min > 0 ? [`${min} min`] : [])].join(' ')
}
