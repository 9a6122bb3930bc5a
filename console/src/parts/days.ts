import { locale, whenUsed } from './locale.ts'

const dayMs = 86_400_000

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  whenUsed(() => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }))
const near = dayFormat({ weekday: 'short', month: 'short', day: 'numeric' })
const far = dayFormat({ dateStyle: 'medium' })
const relative = whenUsed(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

/** The day in `later` days, in the time zone of this computer: `2026-03-31`. */
export function localDay(later = 0): string {
  const now = new Date()
  return dayText(new Date(now.getFullYear(), now.getMonth(), now.getDate() + later))
}

const two = (number: number) => String(number).padStart(2, '0')

/** The day of a time, in the time zone of this computer: `2026-03-31`. */
export function dayText(day: Date): string {
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** A time in the time zone of this computer, as a field for times has it: `2026-03-31T09:30`. */
export function localTimeText(time: Date): string {
  const seconds = time.getSeconds()
  return `${dayText(time)}T${two(time.getHours())}:${two(time.getMinutes())}${seconds ? `:${two(seconds)}` : ''}`
}

/** A time as the API stores it: `2026-03-31T09:30:00Z`. */
export const utcText = (time: Date): string => time.toISOString().replace('.000', '')

/** For example “Today”, “3 days ago” or “Fri, Apr 3”. */
export function dayWords(day: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(localDay())) / dayMs)
  if (days >= -6 && days <= 1) return upperFirst(relative().format(days, 'day'))
  return (Math.abs(days) < 180 ? near() : far()).format(Date.parse(day))
}

/** For example “Apr 3, 2026”. A day has no time zone: it is the same one everywhere. */
export const dateOfDay = (day: string): string => far().format(Date.parse(day))

const upperFirst = (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
