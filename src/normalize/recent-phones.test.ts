import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPhone } from './phone.ts'

// A module of its own: other files of this process have already filled the memory, and started its real timer.
const own = './recent-phones.ts?own'
const { readPhoneAgain }: typeof import('./recent-phones.ts') = await import(own)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
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

test('a number is forgotten after a minute, even if no other number is read meanwhile', () => {
  const first = readPhoneAgain(spaced, 'DE')
  vi.advanceTimersByTime(59_000)
  expect(readPhoneAgain(spaced, 'DE')).toBe(first)
  vi.advanceTimersByTime(1_000)
  const second = readPhoneAgain(spaced, 'DE')
  expect(second).toEqual(first)
  expect(second).not.toBe(first)
})

test('at most 20,000 numbers are remembered', () => {
  const first = readPhoneAgain(spaced, 'DE')
  for (let n = 0; n < 20_000; n++) readPhoneAgain(`+4930${100_000 + n}`, null)
  expect(readPhoneAgain(spaced, 'DE')).not.toBe(first)
})
