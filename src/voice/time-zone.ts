import { Refusal } from '../platform/http/refusal.ts'
import { isTimeZone, notTimeZone } from '../platform/http/timezone.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'

/** The name of the time zone. @throws ValidationError at `timezone` */
export function requireTimeZone(value: string | undefined): string {
  if (value !== undefined && isTimeZone(value)) return value
  const refusal =
    value === undefined
      ? new Refusal(
          'missing',
          'Field required: this organization has calling hours, which use the time zone of the callee, such as America/New_York',
        )
      : notTimeZone()
  throw new ValidationError([detailAt(['body', 'timezone'], refusal)])
}

/** The local time in a time zone. */
export class WallClock {
  /** The name of the zone in its standard letter case. */
  readonly name: string
  readonly #parts: Intl.DateTimeFormat
  readonly #words: Intl.DateTimeFormat

  /** @param timeZone a name for which `isTimeZone` is true */
  constructor(timeZone: string) {
    const numeric = 'numeric'
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const day = { year: numeric, month: numeric, day: numeric, second: numeric } as const
    this.#parts = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...time, ...day })
    this.#words = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, ...time, weekday: 'long', day: numeric, month: 'long' },
    })
    const usual = this.#parts.resolvedOptions().timeZone
    this.name = usual.toLowerCase() === timeZone.toLowerCase() ? usual : timeZone
  }

  /** How far the zone is ahead of UTC, in milliseconds, at a time in Unix milliseconds. */
  offsetAt(time: number): number {
    const part = partsOf(this.#parts, time)
    const [year, month, day] = [Number(part.year), Number(part.month) - 1, Number(part.day)]
    const shown = Date.UTC(year, month, day, Number(part.hour), Number(part.minute), Number(part.second))
    return shown - Math.floor(time / 1000) * 1000
  }

  /** The local time and day: `08:00` and `Monday 23 November`. */
  read(time: number): { time: string; date: string } {
    const part = partsOf(this.#words, time)
    return { time: `${part.hour}:${part.minute}`, date: `${part.weekday} ${part.day} ${part.month}` }
  }

  /**
   * The first clock change after `from` and up to `to` (Unix milliseconds); null without one. Two changes within an
   * hour would be missed, but no zone ever had them.
   */
  firstChange(from: number, to: number): number | null {
    const before = this.offsetAt(from)
    for (let start = from; start < to; start += hourMs) {
      const end = Math.min(start + hourMs, to)
      if (this.offsetAt(end) !== before) return this.#changeWithin(start, end, before)
    }
    return null
  }

  #changeWithin(from: number, to: number, before: number): number {
    let [early, late] = [from, to]
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2)
      if (this.offsetAt(middle) === before) early = middle
      else late = middle
    }
    return late
  }
}

const hourMs = 3_600_000

function partsOf(format: Intl.DateTimeFormat, time: number): Partial<Record<string, string>> {
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
}
