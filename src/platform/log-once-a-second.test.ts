import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from './log.ts'
import { logOnceASecond } from './log-once-a-second.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an error of 2,500 requests in 2.5 seconds makes a line in each second, which counts the requests and has the latest reason', () => {
  const lines: [object, string][] = []
  const log = { error: (fields: object, message: string) => lines.push([fields, message]) } as unknown as Log
  for (let n = 0; n < 2_500; n++) {
    logOnceASecond(
      log,
      { request_id: `r${n}`, reason: `full ${Math.floor(n / 1_000)}` },
      'the database is not available',
    )
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([
    [{ request_id: 'r0', reason: 'full 0' }, 'the database is not available'],
    [{ failures: 999, reason: 'full 0' }, 'the database is not available'],
    [{ failures: 1_000, reason: 'full 1' }, 'the database is not available'],
    [{ failures: 500, reason: 'full 2' }, 'the database is not available'],
  ])
  logOnceASecond(log, { request_id: 'later' }, 'the database is not available')
  logOnceASecond(log, { request_id: 'other' }, 'this process is too busy')
  expect(lines.slice(4)).toEqual([
    [{ request_id: 'later' }, 'the database is not available'],
    [{ request_id: 'other' }, 'this process is too busy'],
  ])
})
