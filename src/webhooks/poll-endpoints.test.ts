import { afterEach, expect, test, vi } from 'vitest'
import { announceEvents } from '../events/wake.ts'
import type { Context } from '../platform/context.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { isBusyWriting } from './delivery/throttle.ts'
import { pollEndpoints } from './poll-endpoints.ts'

/** Commits an event of an organization. */
const commit = () => announceEvents({ orgId: 'an org', afterCommit: (act: () => void) => act() } as OrgTx, 1)

afterEach(() => void vi.useRealTimers())

test('polling that is stopped during a poll starts no further poll', async () => {
  // Earlier tests in this process may have kept it busy.
  await vi.waitFor(() => expect(isBusyWriting()).toBe(false), { timeout: 10_000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const looks: (() => void)[] = []
  const scope = {
    readRows: async () => [{}],
    read: () => new Promise((resolve) => looks.push(() => resolve([[], []]))),
  }
  const stop = pollEndpoints(scope as unknown as SystemScope, {} as Context)
  commit()
  await vi.advanceTimersByTimeAsync(10)
  expect(looks).toHaveLength(1)
  commit()
  const stopped = stop()
  looks[0]?.()
  await stopped
  await vi.advanceTimersByTimeAsync(1_000)
  expect(looks).toHaveLength(1)
})
