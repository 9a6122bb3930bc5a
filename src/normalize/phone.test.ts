import fc from 'fast-check'
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { runs } from '../../test/support/runs.ts'
import { readPhone } from './phone.ts'

describe('a phone number', () => {
  test.each([
    ['+14155550100', null, '+14155550100'],
    [' +1 (415) 555-0100 ', null, '+14155550100'],
    ['+1\u00a0415\u2009555\u30000100', null, '+14155550100'],
    ['\u202a+1.415.555.0100\u202c', null, '+14155550100'],
    ['(415) 555‑0100', 'US', '+14155550100'],
    ['1 415 555 0100', 'US', '+14155550100'],
    ['tel:+1-415-555-0100', null, '+14155550100'],
    ['＋１（４１５）５５５－０１００', null, '+14155550100'],
    ['+١٤١٥٥٥٥٠١٠٠', null, '+14155550100'],
    ['+۱۴۱۵۵۵۵۰۱۰۰', null, '+14155550100'],
    ['+१४१५५५५०१००', null, '+14155550100'],
    ['+𝟙415555𝟶100', null, '+14155550100'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 (0)20 7946 0958', null, '+442079460958'],
    ['0044 20 7946 0958', null, '+442079460958'],
    ['0044 20 7946 0958', 'US', '+442079460958'],
    ['011 44 20 7946 0958', 'US', '+442079460958'],
    ['+39 06 1234 5678', null, '+390612345678'],
    ['06 1234 5678', 'IT', '+390612345678'],
    ['+54 11 15 1234 5678', null, '+5491112345678'],
    ['+800 1234 5678', null, '+80012345678'],
    [`+1${' '.repeat(300)}415 555 0100`, null, '+14155550100'],
    [`+1-415-555-0100${'-'.repeat(85)}`, null, '+14155550100'],
    // Spreadsheets remove the plus.
    ['4915123456789', 'DE', '+4915123456789'],
    ['49 170 1234567', 'DE', '+491701234567'],
    ['436641234567', 'AT', '+436641234567'],
    ['447911123456', 'GB', '+447911123456'],
    ['14155550100', 'US', '+14155550100'],
    ['62812345678', 'ID', '+62812345678'],
    ['38343201234', 'XK', '+38343201234'],
    // Both readings are fixed lines: in Cologne, and with the area code 04922. The national one wins.
    ['492211234567', 'DE', '+49492211234567'],
    ['0491 9123456', 'DE', '+494919123456'],
    ['491 9123456', 'DE', '+494919123456'],
    // Another country's code needs a plus.
    ['436641234567', 'DE', '+49436641234567'],
    // The number includes the trunk prefix, and has a possible length.
    ['019674', 'CC', '+6119674'],
    // The length is possible; the range is unused.
    ['+1 200 111 0000', null, '+12001110000'],
    // Japan reads this as a toll-free number that is too long for E.164. Other countries read it as a Russian number.
    ['00780000000000', 'JP', '+70000000000'],
  ])('the phone number %j in %j is read as %j', (value, country, e164) => {
    expect(readPhone(value, country)).toEqual({ e164 })
  })

  test.each([
    ['', null, 'it is empty'],
    ['415 555 0100', null, "set the organization's default_country"],
    ['415 555 0100', 'AQ', "set the organization's default_country"],
    ['415 555 0100', 'nonsense', 'such as +1 415 555 0100'],
    ['555 0100', 'US', 'too few or too many digits for +1'],
    // Seven digits are possible only within Canada.
    ['4020881', 'CA', 'too few or too many digits for +1; if its country is not Canada (CA)'],
    ['+1415555010', null, 'too few or too many digits for +1'],
    // A number of Berlin in an organization of the United States.
    ['030 1234567', 'US', 'no area code of +1 begins with 0 or 1; if its country is not United States (US)'],
    ['+1 030 123 4567', null, 'no area code of +1 begins with 0 or 1'],
    ['+10301234567', null, 'no area code of +1 begins with 0 or 1'],
    ['+999 1234 5678', null, '+999 begins with no country'],
    ['+1 415 555 0100 ext. 5', null, 'an extension, which E.164 cannot hold'],
    ['(415) 555-0100 x12', 'US', 'an extension'],
    ['+1 415 555 0100;ext=5', null, 'an extension'],
    ['+1 415 555 0100 / +1 415 555 0101', null, 'not one phone number'],
    ['call +1 415 555 0100', null, 'not one phone number'],
    ['1-800-FLOWERS', 'US', 'not one phone number'],
    ['4155550100²', 'US', 'not one phone number'],
    ['1'.repeat(1000), 'US', 'too long'],
    [`+14155550100;ext=${'1 '.repeat(50)}`, 'US', 'too long'],
    ['1 '.repeat(41), 'US', 'too long'],
    [`+14155550100;ext=${'1'.repeat(20)}`, null, 'an extension'],
  ])('the phone number %j in %j is rejected', (value, country, reason) => {
    expect(readPhone(value, country)).toEqual({
      problem: expect.stringMatching(/^value is not a valid phone number: /),
    })
    expect(readPhone(value, country)).toHaveProperty('problem', expect.stringContaining(reason))
  })
})

/** The parser's result, parsed again until it does not change. */
function parsed(value: string): string | null {
  const number = parsePhoneNumberFromString(value, { extract: false })
  if (!number?.isPossible() || /^\+1[01]/.test(number.number)) return null
  return number.number === value ? value : parsed(number.number)
}

test('plain E.164 is read without the parser, and with the same result', () => {
  const codes = [
    ...new Set(getCountries().map((country) => getCountryCallingCode(country))),
    '800',
    '979',
    '999',
  ]
  const number = fc
    .tuple(fc.constantFrom(...codes), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 13 }))
    .map((parts) => `+${parts.join('')}`)
  fc.assert(
    fc.property(number, fc.constantFrom(null, ...getCountries()), (value, country) => {
      const read = readPhone(value, country)
      expect('e164' in read ? read.e164 : null).toBe(parsed(value))
    }),
    { numRuns: runs(1_000, 20_000) },
  )
})

test('parsing never throws, and parsing E.164 again returns the same number', () => {
  const value = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'+0123456789 ()-./xX#,;=٣３𝟗') }))
  fc.assert(
    fc.property(value, fc.oneof(fc.string(), fc.constantFrom(null, ...getCountries())), (text, country) => {
      const read = readPhone(text, country)
      if (!('e164' in read)) return
      expect(readPhone(read.e164, null)).toEqual(read)
      expect(read.e164).toMatch(/^\+[1-9]\d{4,14}$/)
    }),
    { numRuns: runs(1_000, 20_000) },
  )
})
