import { getCountries } from 'libphonenumber-js/min'
import { expect, test } from 'vitest'
import { readCountry } from './country.ts'

test('codes are read in any case', () => {
  expect(readCountry('US')).toBe('US')
  expect(readCountry(' gb ')).toBe('GB')
})

test.each(['', 'UK', 'USA', 'ZZ', 'EU', 'us-ca', '美国', 'constructor'])('%j is none', (value) => {
  expect(readCountry(value)).toBeNull()
})

test('every country with phone numbers is there, and has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Ascension and Tristan da Cunha have calling codes, and are parts of SH in ISO 3166.
  for (const code of getCountries().filter((each) => each !== 'AC' && each !== 'TA')) {
    expect(readCountry(code)).toBe(code)
    expect(names.of(code)).toBeTypeOf('string')
  }
})
