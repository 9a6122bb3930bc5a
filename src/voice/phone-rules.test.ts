import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import google from 'google-libphonenumber'
import { describe, expect, test } from 'vitest'
import { anyText as anyCharacters } from '../../test/support/any-text.ts'
import { DomainError } from '../platform/domain-error.ts'
import { readCallee, requireCallee } from './phone-rules.ts'

/** Each row has the default country, the text, and the number in E.164 or the reason for the refusal. */
const table = readFileSync('test/fixtures/callee-numbers.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): [country: string | null, text: string, expected: string] => {
    const [country, text, expected] = line.split('\t')
    return [country === '-' ? null : country!, JSON.parse(text!), expected!]
  })

const read = (text: string, defaultCountry: string | null, allowPremium = false) => {
  const found = readCallee(text, { defaultCountry, allowPremium })
  return 'e164' in found ? found.e164 : found.problem
}

const util = google.PhoneNumberUtil.getInstance()
const shortNumbers = google.ShortNumberInfo.getInstance()
const regions = util.getSupportedRegions()

/** The number that Google's library reads; null if it reads none. */
function googles(text: string, country: string | null): string | null {
  try {
    const number = util.parse(text, country ?? undefined)
    const { PREMIUM_RATE, SHARED_COST, PERSONAL_NUMBER, PAGER } = google.PhoneNumberType
    const isExtra =
      [PREMIUM_RATE, SHARED_COST, PERSONAL_NUMBER, PAGER].includes(util.getNumberType(number)) ||
      [870, 878, 881, 882, 883].includes(number.getCountryCodeOrDefault())
    return util.isValidNumber(number) && !number.hasExtension() && !isExtra
      ? util.format(number, google.PhoneNumberFormat.E164)
      : null
  } catch {
    return null
  }
}

/**
 * Whether Google's metadata have the range of a number. They are from another month than the metadata of Crosswalk's
 * library.
 */
const isKnownToGoogle = (e164: string) => util.isValidNumber(util.parse(e164))

describe('numbers as people write them', () => {
  test('numbers as people write them are tested with more than 300 numbers, of which at least 30 % are callable', () => {
    expect(table.length).toBeGreaterThan(300)
    const good = table.filter(([, , expected]) => expected.startsWith('+') && !expected.includes(' '))
    expect(good.length / table.length).toBeGreaterThan(0.3)
  })

  test.each(table)("%s %j: %s, and Google's library agrees", (country, text, expected) => {
    expect(read(text, country)).toBe(expected)
    const theirs = googles(text, country)
    if (/^\+\d+$/.test(expected)) {
      expect(googles(expected, null)).toBe(expected)
      // Google's library reads 00 only in countries that dial it, accepts fewer scripts and spaces, and only one
      // plus.
      if (theirs !== null) expect(theirs).toBe(expected)
      else expect(text).toMatch(/^(tel:)?\s*(00|\+[\s+]*\+|\+00)|[^\x20-\x7e]/i)
    } else if (theirs !== null) {
      // Google's library differs: it reads letters as digits, drops unreadable parts, and accepts 976 and more than
      // 15 digits.
      expect(expected).toMatch(
        /letters|not a phone number|not one phone number|too long|extension|976|within its country/,
      )
    }
  })
})

describe('a call', () => {
  test('a call to an emergency number of any country is refused', () => {
    const numbers = [2, 3].flatMap((length) =>
      Array.from({ length: 10 ** length }, (_, n) => String(n).padStart(length, '0')),
    )
    let found = 0
    for (const region of regions)
      for (const number of numbers) {
        if (!shortNumbers.isEmergencyNumber(number, region)) continue
        found++
        const refused = expect.stringContaining(`${number} is an emergency number`)
        expect([region, number, read(number, region, true)]).toEqual([region, number, refused])
      }
    expect(found).toBeGreaterThan(600)
  })

  test.each(table.filter(([, , expected]) => expected.includes('allow_premium')))(
    '%s %j is called where the organization allows it',
    (country, text) => {
      expect(read(text, country, true)).toMatch(/^\+[1-9]\d{6,14}$/)
    },
  )
})

test('any text is read as an E.164 number or gets an error within 50 ms', () => {
  const anyText = fc.oneof(
    anyCharacters(),
    fc.stringMatching(/^[+0-9 ()x;.,#*-]{0,40}$/),
    fc
      .tuple(fc.constantFrom('+', '00', 'tel:', ''), fc.stringMatching(/^[0-9]{1,16}$/))
      .map((each) => each.join('')),
  )
  fc.assert(
    fc.property(anyText, fc.constantFrom(null, 'ZZ', ...regions), (text, country) => {
      const found = readCallee(text, { defaultCountry: country, allowPremium: false })
      if ('e164' in found) {
        expect(found.e164).toMatch(/^\+[1-9]\d{6,14}$/)
        expect(read(found.e164, null)).toBe(found.e164)
        if (isKnownToGoogle(found.e164)) expect(googles(found.e164, null)).toBe(found.e164)
      } else {
        expect(found.problem.length).toBeLessThan(400)
        if (!/leave that out|write \+|allow_premium/.test(found.problem))
          expect(found.problem).toMatch(/like \+\d+ \d/)
      }
    }),
    { numRuns: 300 },
  )
})

test('an invalid number in a request gets a 400 that names the field', () => {
  const rules = { defaultCountry: 'US', allowPremium: false }
  expect(requireCallee('(415) 555-0100', rules)).toBe('+14155550100')
  const refusal = () => requireCallee('+44 20 1234', rules)
  expect(refusal).toThrow(DomainError)
  expect(refusal).toThrow(
    'to_number: too short: +44 20 1234 needs 4 more digits; write it like +44 7400 123456',
  )
})
