import { locale } from './locale.ts'

const dayMs = 86_400_000

const formats = {
  near: new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }),
  far: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
}
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** The day in `later` days, in the time zone of this computer: `2026-03-31`. */
export function localDay(later = 0): string {
  const now = new Date()
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + later)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** For example “Today”, “3 days ago” or “Fri, Apr 3”. */
export function dayWords(day: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(localDay())) / dayMs)
  if (days >= -6 && days <= 1) return upperFirst(relative.format(days, 'day'))
  return (Math.abs(days) < 180 ? formats.near : formats.far).format(Date.parse(day))
}

const upperFirst = (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
