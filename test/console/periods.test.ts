import { afterEach, expect, test, vi } from 'vitest'
import { rangeOf } from '../../console/src/routes/reports/period.ts'

afterEach(() => void vi.useRealTimers())

test.each([
  ['day', 24, 3_600],
  ['week', 168, 3_600],
  ['month', 30, 86_400],
  ['quarter', 90, 86_400],
] as const)('a report of a %s has %i whole hours or days', (period, bars, seconds) => {
  for (const time of ['2026-11-29T23:59:59Z', '2026-11-30T00:00:00Z', '2026-10-25T01:30:00Z']) {
    vi.useFakeTimers({ now: new Date(time) })
    const { from, to } = rangeOf(period)
    expect([from % seconds, Math.ceil((to - from) / seconds)]).toEqual([0, bars])
  }
})
