import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  Metadata,
} from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'

/** For each calling code that several countries share: the country whose example number is used. */
const mainCountry: Record<string, CountryCode> = {
  ...{ 1: 'US', 7: 'RU', 39: 'IT', 44: 'GB', 47: 'NO', 61: 'AU', 212: 'MA', 262: 'RE', 290: 'SH', 358: 'FI' },
  ...{ 590: 'GP', 599: 'CW' },
}

/** The main country of a calling code without its `+`, such as US for 1. */
export function countryOf(callingCode: string): CountryCode | undefined {
  return (
    mainCountry[callingCode] ?? getCountries().find((each) => getCountryCallingCode(each) === callingCode)
  )
}

/** The country whose calling code these digits begin with. */
export const countryIn = (digits: string): CountryCode | undefined =>
  [1, 2, 3].map((length) => countryOf(digits.slice(0, length))).find((country) => country !== undefined)

/**
 * The possible lengths of numbers without the calling code, ascending, and the prefix for calls within the country.
 */
export function planOf(country: CountryCode | undefined): { lengths: number[]; prefix: string } {
  const metadata = new Metadata()
  if (country !== undefined) metadata.selectNumberingPlan(country)
  const plan = metadata.numberingPlan
  if (country === undefined || plan === undefined) return { lengths: anyLength, prefix: '' }
  // The library's type declarations lack the prefix.
  const prefix: unknown =
    'nationalPrefix' in plan && typeof plan.nationalPrefix === 'function' && plan.nationalPrefix()
  return { lengths: plan.possibleLengths(), prefix: typeof prefix === 'string' ? prefix : '' }
}

// E.164 numbers have at most 15 digits; up to 3 of these are the calling code.
const anyLength = Array.from({ length: 11 }, (_, index) => 4 + index)

/**
 * An example number of a country in international form, which belongs to nobody. If the country has none, a US
 * number.
 */
export const exampleOf = (country: CountryCode | undefined): string =>
  (country && getExampleNumber(country, examples)?.formatInternational()) ?? '+1 201 555 0123'
