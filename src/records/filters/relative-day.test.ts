import { describe, expect, test } from 'vitest'
import { dayOf, momentsOf, secondsOf } from './relative-day.ts'

describe('a relative day', () => {
  test.each([
    ['today', '2026-03-31'],
    ['-30d', '2026-03-01'],
    ['+7d', '2026-04-07'],
    [' 7d', '2026-04-07'],
    ['-2w', '2026-03-17'],
    ['-1m', '2026-02-28'],
    ['+11m', '2027-02-28'],
    ['-1y', '2025-03-31'],
    ['-9999y', '0001-01-01'],
    ['+9999y', '9999-12-31'],
  ])('%s on March 31, 2026, is %s', (value, day) => {
    expect(dayOf(value, new Date('2026-03-31T23:59:59Z'))).toBe(day)
  })

  test.each(['', '30', '30d', '-30', '-30h', 'Today', '- 30d', '-12345d', '2026-03-31', 5, null])(
    '%s is not a relative day',
    (value) => {
      expect(dayOf(value)).toBeNull()
    },
  )

  test('a year after a leap day is the last day of February', () => {
    expect(dayOf('+1y', new Date('2028-02-29T00:00:00Z'))).toBe('2029-02-28')
  })

  test('a relative day has all seconds of the day', () => {
    expect(secondsOf('1970-01-02')).toEqual([86_400, 172_800])
    const [start, next] = ['1970-01-02T00:00:00Z', '1970-01-03T00:00:00Z']
    expect((['eq', 'gt', 'gte', 'lt', 'lte'] as const).map((op) => momentsOf(op, '1970-01-02'))).toEqual([
      ['starts_with', '1970-01-02T'],
      ['gte', next],
      ['gte', start],
      ['lt', start],
      ['lt', next],
    ])
  })
})
