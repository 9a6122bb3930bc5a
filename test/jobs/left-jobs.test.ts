import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { installTestJobs, passing } from '../support/jobs/job-kinds.ts'
import { untilNoJobs } from '../support/jobs/left-jobs.ts'

// No worker runs these jobs until a test starts one.
const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close({ leavesJobs: true }))
beforeAll(() => installTestJobs(app))

test('closing a test app fails if one of its jobs waits or runs', async () => {
  await untilNoJobs(app.databaseUrl, 0)
  const { jobs } = app.app.context
  await app.operate((tx) => jobs.enqueue(tx, passing, { org_id: randomUUID(), number: 1 }))
  const left = /left jobs behind: test_passing \(created\)/
  await expect(untilNoJobs(app.databaseUrl, 0)).rejects.toThrow(left)
  const node = await startTestApp({ role: 'worker' }, app)
  await expect(node.close({ drainMs: 0 })).rejects.toThrow(left)
})
