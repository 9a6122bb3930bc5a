import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctClock, dayOf, readTime } from './clock.ts'

const noon = Date.UTC(2026, 10, 24, 12)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

describe('readTime', () => {
  test.each([
    ['2026-11-24T12:00:00.000Z', noon],
    ['2026-11-24T13:00:00+01:00', noon],
    ['2026-11-24', noon - 12 * hour],
    [noon, noon],
    [noon / 1000, noon],
    ['1', null],
    ['yesterday', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-11-24T12:00:00Z'.padEnd(50), null],
    [Number.NaN, null],
    [1e20, null],
    [null, null],
    [{}, null],
    [[2026], null],
  ])('%j is read as %j', (value, ms) => {
    expect(readTime(value)).toBe(ms)
  })
})

describe('correctClock', () => {
  test.each<[string, number | null, number | null, boolean, number, boolean]>([
    ['no event time', null, noon, false, noon, false],
    ['a correct clock', noon - minute, noon, false, noon - minute, false],
    [
      'a clock that is two years behind',
      noon - 730 * day - minute,
      noon - 730 * day,
      false,
      noon - minute,
      false,
    ],
    [
      'a clock that is two years ahead',
      noon + 730 * day - minute,
      noon + 730 * day,
      false,
      noon - minute,
      false,
    ],
    ['an event that is later than its sending time', noon + minute, noon, false, noon, false],
    ['no sending time', noon - hour, null, false, noon - hour, false],
    ['no sending time, and a time in the future', noon + hour, null, false, noon, false],
    ['an event of 7 days ago', noon - 7 * day, noon, false, noon - 7 * day, false],
    ['an event of more than 7 days ago', noon - 7 * day - 1, noon, false, noon, true],
    ['an event of 400 days ago with an API key', noon - 400 * day, null, true, noon - 400 * day, false],
    ['a time before 1970 with an API key', -1, null, true, noon, true],
  ])('correctClock corrects the time of an event: %s', (_what, at, sentAt, isTrusted, occurredAt, isLate) => {
    expect(correctClock({ at, sentAt, receivedAt: noon, isTrusted })).toEqual({ occurredAt, isLate })
  })
})

const time = fc.option(fc.integer({ min: noon - 4000 * day, max: noon + 4000 * day }))

test('the time of an event is never after its receipt, and with a write key at most 7 days before', () => {
  fc.assert(
    fc.property(time, time, fc.boolean(), (at, sentAt, isTrusted) => {
      const { occurredAt } = correctClock({ at, sentAt, receivedAt: noon, isTrusted })
      expect(occurredAt).toBeLessThanOrEqual(noon)
      if (!isTrusted) expect(occurredAt).toBeGreaterThanOrEqual(noon - 7 * day)
    }),
  )
})

test('a client clock that is wrong by any constant gives the same time of the event', () => {
  fc.assert(
    fc.property(fc.nat(6 * day), fc.integer({ min: -4000 * day, max: 4000 * day }), (ago, skew) => {
      const said = { at: noon - ago + skew, sentAt: noon + skew, receivedAt: noon, isTrusted: false }
      expect(correctClock(said)).toEqual({ occurredAt: noon - ago, isLate: false })
    }),
  )
})

describe('dayOf', () => {
  test.each<[number | null, string]>([
    [null, '2026-11-24'],
    [noon - 12 * hour, '2026-11-24'],
    [noon - 12 * hour - 1, '2026-11-23'],
    [noon - 7 * day, '2026-11-17'],
    [noon - 8 * day, '2026-11-24'],
    [noon + day, '2026-11-25'],
    [noon + 2 * day, '2026-11-24'],
  ])('an event with the client time %j is stored under the day %s', (at, expected) => {
    expect(dayOf(at, noon)).toBe(expected)
  })

  test('a retry up to 6 days later has the same day', () => {
    fc.assert(
      fc.property(fc.nat(day), fc.nat(6 * day), (ago, later) => {
        expect(dayOf(noon - ago, noon + later)).toBe(dayOf(noon - ago, noon))
      }),
    )
  })
})
