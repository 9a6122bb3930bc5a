import { parsePhoneNumberFromString as parseWithTypes } from 'libphonenumber-js/max'
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/min'
import { countryName } from './country.ts'

// isPossible() needs only the smaller metadata, which have lengths. isValid() would reject ranges that are newer than
// this version. The types of numbers serve only to decide between two readings.

const notPhone = 'value is not a valid phone number: '
const international = 'write it in international form, such as +1 415 555 0100'
/** The parser's own limit is 250, but its time grows with the square of the length: up to 0.5 ms. */
const inputMax = 100
const unitsMax = 500
/** More than 40 digits: 15 of E.164, 20 of an extension, and 5 to dial abroad. */
const tooManyDigits = /^(?:[^0-9]*[0-9]){41}/
/** The plus and 15 digits. Japan has longer toll-free numbers, which E.164 cannot express. */
const e164Max = 16
const plainE164 = /^\+[1-9][0-9]{6,14}$/
/** No area code of +1 begins with 0 or 1. Such a number is a national number of another country, such as 030 1234567. */
const foreignToPlusOne = /^\+1[01]/

/** The conditions for a plain E.164 number: a possible length, and no national prefix. */
type Plan = { lengths: Set<number>; prefix: RegExp | null }
const plans = new Map<string, Plan>(callingCodePlans())

/**
 * Returns the number in E.164. Accepts digits of every script, punctuation, `tel:`, `00` and `(0)`. A national number
 * needs `defaultCountry` (ISO 3166-1 alpha-2). Spreadsheets drop the plus of international numbers. A number without a
 * plus is international if only this reading makes it a mobile number. The length must be possible in the country; the
 * range may be unknown, but an area code of +1 begins with 2 to 9. E.164 has no extensions, so a number with one is
 * rejected. Never throws.
 */
export function readPhone(
  value: string,
  defaultCountry: string | null,
): { e164: string } | { problem: string } {
  if (plainE164.test(value) && isPlainlyPossible(value)) return { e164: value }
  // Check the length first, because converting a huge text takes long. A digit has one or two UTF-16 units.
  const text = value.length > unitsMax ? value : toAscii(value)
  if (text === '') return { problem: `${notPhone}it is empty; ${international}` }
  if (text.length > inputMax || tooManyDigits.test(text))
    return { problem: `${notPhone}it is too long; ${international}` }
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : null
  const first = withoutLostPlus(text, country) ?? parse(text, country)
  if ('e164' in first || !/^00[^0]/.test(text)) return first
  // Most countries dial 00 for calls abroad, and people write it everywhere.
  const second = parse(`+${text.slice(2)}`, country)
  return 'e164' in second ? second : first
}

/** True if a number has no plus, so that its country is not known. */
export const isNational = (value: string): boolean => !value.trimStart().startsWith('+')

/** A number from a query, in which a plus that was not escaped arrives as a space. */
export const withPlus = (value: string): string => value.replace(/^ (?=\d)/, '+')

function parse(text: string, country: CountryCode | null): { e164: string } | { problem: string } {
  try {
    const number = parsePhoneNumberWithError(text, {
      extract: false,
      ...(country === null ? {} : { defaultCountry: country }),
    })
    if (number.ext !== undefined) {
      return {
        problem: `${notPhone}it has an extension, which E.164 cannot hold; send it without the extension`,
      }
    }
    const fits =
      number.isPossible() && number.number.length <= e164Max && !foreignToPlusOne.test(number.number)
    const stable = fits ? canonicalE164(number.number, text) : null
    if (stable !== null) return { e164: stable }
    const abroad = text.startsWith('+')
      ? ''
      : `; if its country is not ${countryName(country)}, ${international}`
    const fault = foreignToPlusOne.test(number.number)
      ? 'no area code of +1 begins with 0 or 1'
      : `it has too few or too many digits for +${number.countryCallingCode}`
    return { problem: `${notPhone}${fault}${abroad}` }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return { problem: notPhone + problemOf(text, error.message) }
  }
}

/**
 * Reads a number that lost its plus. The parser itself reads most such numbers, because they are too long for national
 * ones. In a few countries, both readings are possible: in Germany, 4915123456789 is a mobile number, or a number in
 * the town of Leer (0491).
 */
function withoutLostPlus(text: string, country: CountryCode | null): { e164: string } | null {
  if (country === null || !text.startsWith(getCountryCallingCode(country))) return null
  const isMobile = (value: string) =>
    parseWithTypes(value, { extract: false, defaultCountry: country })?.getType() === 'MOBILE'
  if (!isMobile(`+${text}`) || isMobile(text)) return null
  const read = parse(`+${text}`, country)
  return 'e164' in read ? read : null
}

/**
 * Reads a parsed number again until the result is stable: the parser may have left a national prefix. Returns null for
 * a number that is possible in only one country of a shared calling code.
 */
function canonicalE164(e164: string, text: string): string | null {
  if (e164 === text || isPlainlyPossible(e164)) return e164
  const again = parse(e164, null)
  return 'e164' in again ? again.e164 : null
}

function problemOf(text: string, code: string): string {
  if (code === 'INVALID_COUNTRY' && text.startsWith('+')) {
    return `+${text.replace(/\D/g, '').slice(0, 3)} begins with no country's calling code; ${international}`
  }
  if (code === 'INVALID_COUNTRY') {
    return `it has no country code; ${international}, or set the organization's default_country`
  }
  if (code === 'TOO_SHORT' || code === 'TOO_LONG') {
    return `it is too ${code.slice(4).toLowerCase()}; ${international}`
  }
  return `it is not one phone number and nothing else; ${international}`
}

/** ASCII digits, plus signs, brackets and spaces of every script. `tel:` and invisible marks are removed. */
export function toAscii(value: string): string {
  return value
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\0-\x7f]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0
      if (/\p{Nd}/u.test(character)) return String(digitValue(code))
      // The full-width forms of ! to ~.
      return code >= 0xff01 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : character
    })
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^tel:\s*/i, '')
}

const digitValues = new Map<number, number>()

/** Unicode has the digits 0 to 9 of each script in a row: the distance to the zero is the value. */
function digitValue(code: number): number {
  const known = digitValues.get(code)
  if (known !== undefined) return known
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  // The mathematical digits U+1D7CE–1D7FF are five sets of ten digits, one after another.
  const value = code >= 0x1d7ce && code <= 0x1d7ff ? (code - 0x1d7ce) % 10 : code - zero
  digitValues.set(code, value)
  return value
}

// A shortcut: parsing takes 6 µs, and most numbers are plain E.164. The parser returns them unchanged, except after a
// national prefix.
function isPlainlyPossible(e164: string): boolean {
  for (let end = 2; end <= 4; end += 1) {
    const plan = plans.get(e164.slice(1, end))
    if (plan === undefined) continue
    if (!plan.lengths.has(e164.length - end) || foreignToPlusOne.test(e164)) return false
    return plan.prefix === null || !plan.prefix.test(e164.slice(end))
  }
  return false
}

/** If countries share a code, the plan has only the lengths that all of them allow. */
function* callingCodePlans(): Generator<[string, Plan]> {
  const byCode = Map.groupBy(getCountries(), (country) => String(getCountryCallingCode(country)))
  for (const [code, countries] of byCode) {
    const all = countries.map(planOf)
    if (!all.every((plan) => plan !== null)) continue
    const lengths = all.map((plan) => plan.lengths).reduce((left, right) => left.intersection(right))
    const prefixes = new Set(all.map((plan) => plan.prefix).filter((prefix) => prefix !== ''))
    const prefix = prefixes.size === 0 ? null : new RegExp(`^(?:${[...prefixes].join('|')})`)
    yield [code, { lengths, prefix }]
  }
}

function planOf(country: CountryCode): { lengths: Set<number>; prefix: string } | null {
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const plan = metadata.numberingPlan
  // The library's types lack the prefix. Without the prefix, numbers take the slow path.
  if (plan === undefined || !('nationalPrefixForParsing' in plan)) return null
  if (typeof plan.nationalPrefixForParsing !== 'function') return null
  const prefix: unknown = plan.nationalPrefixForParsing()
  return { lengths: new Set(plan.possibleLengths()), prefix: typeof prefix === 'string' ? prefix : '' }
}
