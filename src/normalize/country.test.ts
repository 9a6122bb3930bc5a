import { getCountries } from 'libphonenumber-js/min'
import { expect, test } from 'vitest'
import { readCountry, readCountryOrName } from './country.ts'

test('a country code may have any letter case', () => {
  expect(readCountry('US')).toBe('US')
  expect(readCountry(' gb ')).toBe('GB')
})

test.each(['', 'UK', 'USA', 'ZZ', 'EU', 'us-ca', '美国', 'constructor'])(
  '%j is not a country code',
  (value) => {
    expect(readCountry(value)).toBeNull()
  },
)

test('every country with phone numbers has a code and a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // AC and TA have calling codes, but belong to SH in ISO 3166.
  for (const code of getCountries().filter((each) => each !== 'AC' && each !== 'TA')) {
    expect(readCountry(code)).toBe(code)
    expect(names.of(code)).toBeTypeOf('string')
  }
})

test.each([
  [' de ', 'DE'],
  ['Germany', 'DE'],
  ['DEUTSCHLAND', 'DE'],
  ['Allemagne', 'DE'],
  ['Alemania', 'DE'],
  ['U.S.A.', 'US'],
  ['UK', 'GB'],
  ['Osterreich', 'AT'],
  ['Österreich', 'AT'],
  ['Bosnia and Herzegovina', 'BA'],
  // A code wins over an abbreviation: in Spanish, RU is the United Kingdom.
  ['RU', 'RU'],
  ['', null],
  ['Europe', null],
  ['x'.repeat(1_000_000), null],
])('the text %j is read as the country %j', (text, code) => {
  expect(readCountryOrName(text.slice(0, 1_000_000))).toBe(code)
})
