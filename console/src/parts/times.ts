import { locale, whenUsed } from './locale.ts'

const minute = 60
const hour = 3_600
const day = 86_400

const units: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [365 * day, 'year'],
  [30 * day, 'month'],
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
  [1, 'second'],
]

const relative = whenUsed(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
const timeFormat = (options: Intl.DateTimeFormatOptions) =>
  whenUsed(() => new Intl.DateTimeFormat(locale, options))
const formats = {
  full: timeFormat({ dateStyle: 'medium', timeStyle: 'medium' }),
  minute: timeFormat({ dateStyle: 'medium', timeStyle: 'short' }),
  date: timeFormat({ dateStyle: 'medium' }),
  clock: timeFormat({ timeStyle: 'short' }),
  hour: timeFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  today: timeFormat({ weekday: 'long', day: 'numeric', month: 'long' }),
  // In UTC, because the API's days begin at midnight UTC.
  day: timeFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
  weekday: timeFormat({ weekday: 'short', timeZone: 'UTC' }),
}

export const now = (): number => Date.now() / 1000

/** The beginning of the first of some hours or days, of which the last has begun. Days begin at midnight UTC. */
export const firstOf = (bars: number, seconds: number): number =>
  Math.floor(now() / seconds) * seconds - (bars - 1) * seconds

/**
 * For example “in 6 days” or “12 sec. ago”. Times of less than 90 days are in days, because API keys are valid for a number of days.
 * @param at Unix seconds
 */
export function ago(at: number): string {
  const distance = at - now()
  const size = Math.abs(distance)
  // Round up: a new key for 90 days must show 90 days, not 89, and a new link for an hour must show 1 hour.
  const least = distance > 0 ? 0.99 : 1
  const offered = size < 90 * day ? units.slice(2) : units
  const [seconds, unit] = offered.find(([seconds]) => size >= seconds * least) ?? [1, 'second']
  const value = distance > 0 ? Math.round(distance / seconds) : Math.trunc(distance / seconds)
  return relative().format(value, unit)
}

/** A duration in its largest unit: “3 hours”. */
export function durationWords(length: number): string {
  const [seconds, unit] = units.slice(2).find(([seconds]) => length >= seconds) ?? [1, 'second']
  const value = Math.max(0, Math.trunc(length / seconds))
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

export const fullTime = (at: number): string => formats.full().format(at * 1000)
/** For example “Nov 23, 2026, 2:00 PM”. */
export const minuteOf = (at: number): string => formats.minute().format(at * 1000)
export const dateOf = (at: number): string => formats.date().format(at * 1000)
export const clockOf = (at: number): string => formats.clock().format(at * 1000)
/** For example “Nov 23, 2:00 PM”. */
export const hourOf = (at: number): string => formats.hour().format(at * 1000)
/** For example “Nov 23”, for a day that began at midnight UTC. */
export const dayOf = (at: number): string => formats.day().format(at * 1000)
/** For example “Mon”, for a day that began at midnight UTC. */
export const weekdayOf = (at: number): string => formats.weekday().format(at * 1000)
/** For example “Monday, November 23”, in the time zone of this computer. */
export const today = (): string => formats.today().format()
export const daysUntil = (at: number): number => Math.floor((at - now()) / day)

/** Returns whether a time is past, or less than `days` away. */
export const isSoon = (at: number, days = 7): boolean => daysUntil(at) < days
