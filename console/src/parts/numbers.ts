import { digitsOf } from './currency-digits.ts'
import { locale, whenUsed } from './locale.ts'

const whole = whenUsed(() => new Intl.NumberFormat(locale))
const decimals = whenUsed(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }))
const share = whenUsed(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }))
const milliseconds = whenUsed(
  () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }),
)
const seconds = whenUsed(
  () =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: 'second',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
)

export const count = (n: number): string => whole().format(n)

/** A number with all of its decimals, such as “1,234.56789”. */
export const exact = (n: number): string => decimals().format(n)

/** For example “42%” for a part between 0 and 1. */
export const percent = (part: number): string => share().format(part)

/** For example “34 ms” or “12.4 sec”. */
export const duration = (ms: number): string =>
  ms < 1000 ? milliseconds().format(ms) : seconds().format(ms / 1000)

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known) return known
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digitsOf(currency),
    trailingZeroDisplay: 'stripIfInteger',
  })
  moneyFormats.set(currency, format)
  return format
}

/** An amount as a decimal number: “48600.50” for 4860050 cents. Exact, also above 2^53. */
export function decimalOf(minor: number | string | bigint, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Commas between thousands, or between lakhs, and never before decimals: “99,50” must not become 9,950. */
const grouped = /^[+-]?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/

/** A typed number without its spaces and the commas of its groups; null: a comma is at another place. */
function ungrouped(typed: string): string | null {
  const text = typed.replaceAll(/\s/g, '')
  if (!text.includes(',')) return text
  return grouped.test(text) ? text.replaceAll(',', '') : null
}

/** The number that a person typed, such as “1,000” or “0.5”; null: it is no number. */
export function numberOf(typed: string): number | null {
  const text = ungrouped(typed)
  return text && Number.isFinite(Number(text)) ? Number(text) : null
}

/** The whole number that a person typed. As in imports, “1.000” is 1,000: as a decimal number, it would be stored as 1. */
export const wholeOf = (typed: string): number | null =>
  numberOf(/^\s*\d{1,3}(\.\d{3})+\s*$/.test(typed) ? typed.replaceAll('.', '') : typed)

/**
 * Says how to write a typed number that can mean two numbers: “1.000” is 1,000 in many countries, and 1 in others.
 * null: it has one meaning.
 */
export function twoMeanings(typed: string): string | null {
  const text = typed.trim()
  if (!/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)) return null
  return `“${text}” can mean two numbers. Write ${text.replace('.', '')} or ${text}0.`
}

/** The amount in the minor unit of its currency that a person typed, such as “48,600.50”; null: it is no amount. */
export function minorOf(typed: string, currency: string): number | null {
  const digits = digitsOf(currency)
  const match = /^(\d+)(?:\.(\d*))?$/.exec(ungrouped(typed) ?? '')
  const [, whole = '', part = ''] = match ?? []
  return match && part.length <= digits ? Number(whole + part.padEnd(digits, '0')) : null
}

/** An amount of money, in the smallest unit of its currency: “€48,600” or “€48,600.50”. */
export const money = (minor: number | string | bigint, currency: string): string =>
  moneyFormat(currency).format(decimalOf(minor, currency) as `${number}`)

/** An amount without the parts of its currency, such as “€48,601”, for the axis of a plot. */
export const wholeMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)
