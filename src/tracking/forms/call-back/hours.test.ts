import { getCountries } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { readCountry } from '../../../normalize/country.ts'
import { closedZone, nextOpenTime, timeZonesOf } from './hours.ts'

const at = (text: string) => Date.parse(text)
const day = { start: '09:00', end: '18:00' }

test.each([
  ['DE', '2026-11-26T08:30:00Z', true],
  ['DE', '2026-11-26T07:30:00Z', false],
  // 09:30 in New York is 04:30 in Honolulu.
  ['US', '2026-11-25T14:30:00Z', false],
  ['US', '2026-11-25T19:30:00Z', true],
  ['US', '2026-11-25T23:30:00Z', false],
])('a person in %s may be called at %s: %s', (country, now, isOpen) => {
  expect(closedZone([day], timeZonesOf(country), at(now)) === null).toBe(isOpen)
})

test('the next open time is open in every zone, and all hours count', () => {
  const zones = timeZonesOf('US')
  expect(nextOpenTime([day], zones, at('2026-11-25T14:31:00Z'))).toBe(at('2026-11-25T19:00:00Z'))
  expect(nextOpenTime([day], zones, at('2026-11-25T20:01:00Z'))).toBe(at('2026-11-25T20:01:00Z'))
  const evening = { start: '12:00', end: '20:00' }
  expect(nextOpenTime([day, evening], timeZonesOf('GB'), at('2026-11-25T09:00:00Z'))).toBe(
    at('2026-11-25T12:00:00Z'),
  )
  expect(nextOpenTime([day, { start: '19:00', end: '21:00' }], timeZonesOf('GB'), 0)).toBeNull()
})

test('each country of phone numbers has a time zone', () => {
  const countries = getCountries().filter((country) => readCountry(country) !== null)
  expect(countries.length).toBeGreaterThan(200)
  expect(countries.filter((country) => timeZonesOf(country).length === 0)).toEqual([])
})
