import {
  type CountryCode,
  ParseError,
  type PhoneNumber,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max'

/**
 * Parses a number with the library, or returns the code of its error (`TOO_SHORT`, `INVALID_COUNTRY` …). For every
 * country, accepts 00 before a country code: most countries dial it for calls abroad.
 */
export function parse(text: string, country: CountryCode | null): PhoneNumber | string {
  const first = parseAsIs(text, country)
  const [, behind] = internationalPrefix.exec(text) ?? []
  if (behind === undefined || (typeof first !== 'string' && first.isValid())) return first
  const second = parseAsIs(`+${behind}`, country)
  return typeof second === 'string' ? first : second
}

/** Matches a text that begins with 00. The group is what follows. */
export const internationalPrefix: RegExp = /^00[\s().-]*([1-9].*)/

/** Parses a number without reading 00 as the prefix for calls abroad. */
export function parseAsIs(text: string, country: CountryCode | null): PhoneNumber | string {
  try {
    // The library reads a number's context (RFC 3966) only in a URI.
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

/** The country of a number in E.164, as in ISO 3166-1; null: the number belongs to no country, or to several. */
export function countryOfNumber(e164: string): string | null {
  const number = parseAsIs(e164, null)
  return typeof number === 'string' ? null : (number.country ?? null)
}
