import { setImmediate as soon } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { patience } from '../../../test/support/patience.ts'
import type { SystemScope } from '../db/system.ts'
import { createLog } from '../log.ts'
import { sweepAnswers } from './sweep.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a sweep that is stopped ends early, although expired answers remain', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  let deleted = 0
  const transact = async () => {
    await soon()
    deleted += 1_000
    return 1_000
  }
  const stop = sweepAnswers({ transact } as unknown as SystemScope, createLog('silent'))
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(() => expect(deleted).toBeGreaterThan(1_000), patience)
  await stop()
  const deletedBefore = deleted
  await soon()
  expect(deleted).toBe(deletedBefore)
})
