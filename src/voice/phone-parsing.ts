import {
  type CountryCode,
  ParseError,
  type PhoneNumber,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max'

/**
 * Parses a number with the library, or returns the code of the reason (`TOO_SHORT`,
 * `INVALID_COUNTRY` …). Accepts 00 before a country code for every country, because most countries
 * dial 00 for calls abroad.
 */
export function parse(text: string, country: CountryCode | null): PhoneNumber | string {
  const first = parseAsIs(text, country)
  const [, behind] = fromAbroad.exec(text) ?? []
  if (behind === undefined || (typeof first !== 'string' && first.isValid())) return first
  const second = parseAsIs(`+${behind}`, country)
  return typeof second === 'string' ? first : second
}

/** Matches a text that begins with 00. The group has the digits after it. */
export const fromAbroad: RegExp = /^00[\s().-]*([1-9].*)/

/** Parses a number without treating 00 as a prefix for calls abroad. */
export function parseAsIs(text: string, country: CountryCode | null): PhoneNumber | string {
  try {
    // The library reads the context of a number (RFC 3966) only in a URI.
    return parsePhoneNumberWithError(/;phone-context=/i.test(text) ? `tel:${text}` : text, {
      extract: false,
      ...(country === null ? {} : { defaultCountry: country }),
    })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return error.message
  }
}

/** True if this number is in an assigned range. */
export function isInUse(e164: string): boolean {
  const number = parseAsIs(e164, null)
  return typeof number !== 'string' && number.isValid()
}
