import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { recentRequests } from '../../src/platform/recent-requests.ts'
import { sharedTestApp } from '../support/app.ts'
import { whileLocked } from '../support/locked-table.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
afterEach(() => vi.restoreAllMocks())

test('while others are served, a long read of an organization begins only after the previous one', async () => {
  vi.spyOn(recentRequests, 'areOfOthers').mockReturnValue(true)
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const reads: Promise<{ status: number }>[] = []
  await whileLocked(app, 'note', async (waiting) => {
    reads.push(org.get('/notes'), org.get('/notes?limit=3'))
    await waiting.until(1)
    // A read of another organization begins after both, and does not wait for them.
    expect((await other.get('/tasks')).status).toBe(200)
    expect(await waiting.count()).toBe(1)
  })
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200])
})
