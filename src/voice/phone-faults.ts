import { AsYouType, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max'
import { countryName } from '../normalize/country.ts'
import { isEmergencyNumber } from './emergency-numbers.ts'
import { countryIn, countryOf, exampleOf, planOf } from './numbering-plans.ts'
import { internationalPrefix, isInUse, parse, parseAsIs } from './phone-parsing.ts'

/** Why a text is not a phone number. `code` is the library's error code. */
export function whyUnreadable(text: string, country: CountryCode | null, code: string): string {
  const digits = text.replace(/\D/g, '')
  const isAbroad = text.startsWith('+')
  const example = exampleOf((isAbroad ? countryIn(digits) : null) ?? country ?? 'US')
  const like = `write it like ${example}`
  if (isEmergencyNumber(digits, isAbroad ? '' : country)) return emergencyText(digits, example)
  if (/[a-z]/i.test(text)) return whyLettered(text, country, like)
  if (code === 'INVALID_COUNTRY' && isAbroad) {
    return `+${digits.slice(0, 3)} begins with no country's calling code; ${like}`
  }
  if (code === 'INVALID_COUNTRY' && digits.length > shortNumberMax) {
    return `it has no country code; ${like}, or set the organization's default_country`
  }
  if (code === 'INVALID_COUNTRY') return shortNumberText(digits, example)
  if (code === 'TOO_SHORT') return `it is too short; ${like}`
  if (code === 'TOO_LONG') return `it is too long for one phone number; ${like}`
  return `it is not one phone number and nothing else; ${like}`
}

/** Why a number outside of all assigned ranges may not be called. */
export function whyNotInUse(text: string, given: CountryCode | null, number: PhoneNumber): string {
  const { countryCallingCode: code } = number
  const country = number.country ?? countryOf(code)
  const { lengths, prefix } = planOf(country)
  const example = exampleOf(country)
  const like = `write it like ${example}`
  const digits = text.replace(/\D/g, '')
  const isNational = !text.startsWith('+') && !internationalPrefix.test(text)
  if (isNational && isEmergencyNumber(digits, given)) return emergencyText(digits, example)
  if (isEmergencyNumber(number.nationalNumber, country ?? ''))
    return emergencyText(number.nationalNumber, example)
  if (isNational && digits.length <= shortNumberMax) return shortNumberText(digits, example)
  // The library keeps the trunk prefix if the other digits are not a valid number.
  const national = isNational ? withoutPrefix(number.nationalNumber, prefix) : number.nationalNumber
  const e164 = `+${code}${national}`
  const written = new AsYouType().input(e164)
  const has = national.length
  const reach = (length: number) => isReachable(e164, has, length)
  const missing = lengths.find((length) => length > has && reach(length))
  const kept = lengths.findLast((length) => length < has && reach(length))
  if (missing !== undefined)
    return `too short: ${written} needs ${missing - has} more ${digitsOf(missing - has)}; ${like}`
  if (kept !== undefined)
    return `too long: ${written} has ${has - kept} ${digitsOf(has - kept)} too many; ${like}`
  const elsewhere = isNational ? otherCountry(digits, given) : ''
  if (!lengths.includes(has)) {
    const wrong = has < lengths[0]! ? 'too short' : 'too long'
    const right = lengths.length > 3 ? `${lengths[0]} to ${lengths.at(-1)}` : lengths.join(' or ')
    return `${wrong}: ${written} has ${has} ${digitsOf(has)} after +${code}, which takes ${right}${elsewhere}; ${like}`
  }
  return `not in use: +${code} has no numbers like ${written}${elsewhere}; ${like}`
}

const withoutPrefix = (national: string, prefix: string) =>
  national.startsWith(prefix) ? national.slice(prefix.length) : national

const shortNumberMax = 6

const emergencyText = (digits: string, example: string) =>
  `${digits} is an emergency number, which an agent must not call; a number that it may call is written like ${example}`

const shortNumberText = (digits: string, example: string) =>
  `${digits} is a short code or incomplete; a call needs the whole number, written like ${example}`

const keypad = 'abc2def3ghi4jkl5mno6pqrs7tuv8wxyz9'

/** Returns the error for a number with letters. It shows the digits for these letters (ITU-T E.161). */
function whyLettered(text: string, country: CountryCode | null, like: string): string {
  const digitOf = (letter: string) => /\d/.exec(keypad.slice(keypad.indexOf(letter.toLowerCase())))![0]
  const number = parse(text.replace(/[a-z]/gi, digitOf), country)
  const isMeant = /[a-z]{3}/i.test(text) && typeof number !== 'string' && number.isValid() && !number.ext
  if (!isMeant) return `it is not a phone number; ${like}`
  return `it has letters, which are not dialed; write ${number.formatInternational()}`
}

// The beginning of an assigned range becomes an assigned number with at least one of these endings.
const possibleEndings = [
  '234567890123',
  ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(12)),
]

/** Returns whether the number could be in an assigned range if it had `length` digits and not `has`. */
function isReachable(e164: string, has: number, length: number): boolean {
  if (length < has) return isInUse(e164.slice(0, length - has))
  return possibleEndings.some((filling) => isInUse(e164 + filling.slice(0, length - has)))
}

const digitsOf = (n: number) => (n === 1 ? 'digit' : 'digits')

/** Returns the advice for a national number that may belong to another country. */
function otherCountry(digits: string, given: CountryCode | null): string {
  const number = parseAsIs(`+${digits}`, null)
  return typeof number !== 'string' && number.isValid()
    ? `; if ${number.formatInternational()} is meant, put + in front`
    : `; if its country is not ${countryName(given)}, put + and its country code in front`
}
