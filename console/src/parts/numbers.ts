import { locale } from './locale.ts'

const whole = new Intl.NumberFormat(locale)
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const milliseconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'millisecond',
  unitDisplay: 'short',
})
const seconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

export const count = (n: number): string => whole.format(n)

/** For example “42%” for a part between 0 and 1. */
export const percent = (part: number): string => share.format(part)

/** For example “34 ms” or “12.4 sec”. */
export const duration = (ms: number): string =>
  ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000)

/** An amount of money, in the smallest unit of its currency: “€48,600.00”. */
export function money(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(cents / 10 ** maximumFractionDigits)
}
