import type { ClientBase } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { compareClocks } from './compare-clocks.ts'

const start = 1_796_000_000_000

describe('the clock of PostgreSQL', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['has the same time', { server: start, answeredAfter: 0, ahead: 0 }],
    ['is an hour behind', { server: start - 3_600_000, answeredAfter: 0, ahead: 3_600 }],
    ['is an hour ahead', { server: start + 3_600_000, answeredAfter: 0, ahead: -3_600 }],
    ['has the same time, and the answer takes a minute', { server: start, answeredAfter: 60_000, ahead: 0 }],
    ['is read at the end of a slow answer', { server: start + 60_000, answeredAfter: 60_000, ahead: 0 }],
    [
      'is an hour ahead of a slow answer',
      { server: start + 3_660_000, answeredAfter: 60_000, ahead: -3_600 },
    ],
    [
      'is an hour behind, and the answer is slow',
      { server: start - 3_600_000, answeredAfter: 60_000, ahead: 3_600 },
    ],
  ])('%s', async (_, { server, answeredAfter, ahead }) => {
    const query = async () => {
      vi.setSystemTime(start + answeredAfter)
      return { rows: [{ ms: server }] }
    }
    expect(await compareClocks({ query } as unknown as ClientBase)).toBe(ahead)
  })
})
