import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPhone } from './phone.ts'
import { readPhoneAgain } from './recent-phones.ts'

let now = Math.ceil(performance.now())
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const spaced = '030 1 2 3 4 5 6 7'

test.each([
  ['DE', { e164: '+49301234567' }],
  ['AT', { e164: '+43301234567' }],
  [null, readPhone(spaced, null)],
])('a number is read with the country %s', (country, read) => {
  expect(readPhoneAgain(spaced, country)).toEqual(read)
  expect(readPhoneAgain(spaced, country)).toEqual(read)
})

test('a number is parsed once a minute', () => {
  now += 60_000
  const first = readPhoneAgain(spaced, 'DE')
  now += 59_000
  expect(readPhoneAgain(spaced, 'DE')).toBe(first)
  now += 1_000
  const second = readPhoneAgain(spaced, 'DE')
  expect(second).toEqual(first)
  expect(second).not.toBe(first)
})

test('at most 20,000 numbers are remembered', () => {
  const first = readPhoneAgain(spaced, 'DE')
  for (let n = 0; n < 20_000; n++) readPhoneAgain(`+4930${100_000 + n}`, null)
  expect(readPhoneAgain(spaced, 'DE')).not.toBe(first)
})
