import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from './log.ts'
import { logOnceASecond } from './log-once-a-second.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an error of 2,500 requests in 2.5 seconds makes a line in each second, which counts the requests', () => {
  const lines: [object, string][] = []
  const log = { error: (fields: object, message: string) => lines.push([fields, message]) } as unknown as Log
  for (let n = 0; n < 2_500; n++) {
    logOnceASecond(log, { request_id: `r${n}` }, 'the database is not available')
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([
    [{ request_id: 'r0' }, 'the database is not available'],
    [{ failures: 999 }, 'the database is not available'],
    [{ failures: 1_000 }, 'the database is not available'],
    [{ failures: 500 }, 'the database is not available'],
  ])
  logOnceASecond(log, { request_id: 'later' }, 'the database is not available')
  logOnceASecond(log, { request_id: 'other' }, 'this process is too busy')
  expect(lines.slice(4)).toEqual([
    [{ request_id: 'later' }, 'the database is not available'],
    [{ request_id: 'other' }, 'this process is too busy'],
  ])
})
