import { type CallingHours, closedReason } from '../../../voice/calling-hours.ts'

const stepMs = 15 * 60_000
const daysMax = 7

type ZonedLocale = Intl.Locale & { getTimeZones(): string[] | undefined }

/** Kosovo has a country code of phone numbers, and no time zone in ICU. */
const missing: Readonly<Record<string, readonly string[]>> = { XK: ['Europe/Belgrade'] }

/** The time zones of a country, from ICU. The type declarations of TypeScript lack `getTimeZones`. */
export const timeZonesOf = (country: string): readonly string[] =>
  missing[country] ?? (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones() ?? []

/**
 * A time zone of the country in which one of the hours is closed at `now` (Unix milliseconds), with the reason; null: all
 * hours are open in the whole country. Nobody knows where the owner of a number is, and what a visitor says can be false.
 */
export function closedZone(
  hours: readonly CallingHours[],
  zones: readonly string[],
  now: number,
): { zone: string; reason: string } | null {
  for (const zone of zones)
    for (const each of hours) {
      const reason = closedReason(each, zone, now)
      if (reason !== null) return { zone, reason }
    }
  return null
}

/** The next time, in steps of 15 minutes, at which all hours are open in all zones; null: not within a week. */
export function nextOpenTime(
  hours: readonly CallingHours[],
  zones: readonly string[],
  now: number,
): number | null {
  const last = now + daysMax * 86_400_000
  const from = Math.floor(now / stepMs) * stepMs
  for (let time = now; time <= last; time = time === now ? from + stepMs : time + stepMs)
    if (closedZone(hours, zones, time) === null) return time
  return null
}
