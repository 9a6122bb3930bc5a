import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDisabledBy, meaningOfStatus, probeWait, retryWait, retryWaits } from './outcome.ts'

const hour = 3_600_000

describe('an answer', () => {
  test.each<[ReturnType<typeof meaningOfStatus>, (number | null)[]]>([
    ['delivered', [200, 201, 202, 204, 299]],
    ['gone', [410]],
    ['endpoint_trouble', [null, 408, 425, 429, 500, 502, 503, 504, 599]],
    ['event_trouble', [199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 413, 422, 451]],
  ])('an answer means %s', (meaning, statuses) => {
    for (const status of statuses) expect([status, meaningOfStatus(status)]).toEqual([status, meaning])
  })
})

describe('a retry', () => {
  test('retries wait 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then the event is exhausted', () => {
    const waits = Array.from({ length: 11 }, (_, index) => retryWait(index + 1, () => 0.5))
    const hours = [5 / 3_600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24]
    expect(waits.slice(0, 9).map((wait) => (wait ?? 0) / hour)).toEqual(
      hours.map((each) => expect.closeTo(each, 9)),
    )
    expect(waits.slice(9)).toEqual([null, null])
  })

  test('the wait of a retry varies by at most 20 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, random) => {
          const wait = retryWaits[tries - 1]!
          const spread = retryWait(tries, () => random)!
          return spread >= wait * 0.799_999 && spread <= wait * 1.200_001
        },
      ),
    )
  })
})

describe('a probe', () => {
  test('after 5 failed tries in a row, probes wait 5 s, 30 s, 2 min, 10 min, 30 min and then an hour each', () => {
    const waits = [5, 6, 7, 8, 9, 10, 11, 1_000].map((failures) => probeWait(failures, 0, () => 0.5) / 1_000)
    expect(waits).toEqual([5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600])
    expect([1, 2, 3, 4].map((failures) => probeWait(failures, 0, () => 0.5))).toEqual([
      1_000, 1_000, 2_000, 3_000,
    ])
  })

  test('a probe waits as long as Retry-After asks for, but at most an hour', () => {
    expect(probeWait(1, 90, () => 0.5)).toBe(90_000)
    expect(probeWait(1, 999_999, () => 0.5)).toBe(hour)
    const seconds = fc.integer({ min: 0, max: 999_999 })
    const failures = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(failures, seconds, fc.double({ min: 0, max: 1, noNaN: true }), (count, after, random) => {
        const wait = probeWait(count, after, () => random)
        return wait >= Math.min(after * 1_000, hour) && wait > 0 && wait <= 1.2 * hour + 1
      }),
    )
  })
})

test.each([
  ['after 5 days of failures', 120, 100, true],
  ['only after 5 days of failures', 119.9, 100, false],
  ['only after more than one earlier failure', 200, 0, false],
  ['only after failures over more than 12 hours', 200, 11.9, false],
])('an endpoint is disabled %s', (_what, hours, previous, disabled) => {
  const times = { firstFailureAt: hour, previousFailureAt: hour + previous * hour, now: hour + hours * hour }
  expect(isDisabledBy(times)).toBe(disabled)
})
