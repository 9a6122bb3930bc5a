import {
  type CountryCode,
  ParseError,
  type PhoneNumber,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/max'

/**
 * What the library reads, or the code of why it cannot (`TOO_SHORT`, `INVALID_COUNTRY` …).
 * 00 is how most of the world dials abroad, and people write it whatever their own country's prefix is.
 */
export function parse(text: string, country: CountryCode | null): PhoneNumber | string {
  const first = parseAsIs(text, country)
  const [, behind] = fromAbroad.exec(text) ?? []
  if (behind === undefined || (typeof first !== 'string' && first.isValid())) return first
  const second = parseAsIs(`+${behind}`, country)
  return typeof second === 'string' ? first : second
}

/** A text that begins with 00, and what stands behind that. */
export const fromAbroad: RegExp = /^00[\s().-]*([1-9].*)/

/** The same of a text that does not begin with 00. */
export function parseAsIs(text: string, country: CountryCode | null): PhoneNumber | string {
  try {
    // It knows the context of a number (RFC 3966) in a URI alone.
    return parsePhoneNumberWithError(/;phone-context=/i.test(text) ? `tel:${text}` : text, {
      extract: false,
      ...(country === null ? {} : { defaultCountry: country }),
    })
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    return error.message
  }
}

/** True if this is a number in a range that is in use. */
export function isInUse(e164: string): boolean {
  const number = parseAsIs(e164, null)
  return typeof number !== 'string' && number.isValid()
}
