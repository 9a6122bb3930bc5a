import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { installTestJobs, slow, type TestRun, testJobs } from '../support/jobs/job-kinds.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close())

const { context } = app.app

beforeAll(() => installTestJobs(app))
beforeEach(async () => {
  await app.app.worker?.work(testJobs, context)
})

const enqueue = (orgId: string, count: number) =>
  app.operate(async (tx) => {
    for (let number = 1; number <= count; number++)
      await context.jobs.enqueue(tx, slow, { org_id: orgId, number })
  })

const runs = () =>
  runAsOwner<TestRun>(app.databaseUrl, `select * from job_run where name = 'test_slow' order by began`)

/** The number of jobs that began after the only job of `orgId` was enqueued, and before that job began. */
async function overtookBy(orgId: string, begunBefore: number): Promise<number> {
  await expect
    .poll(async () => (await runs()).some(({ org_id }) => org_id === orgId), { ...patience, interval: 5 })
    .toBe(true)
  return (await runs()).findIndex(({ org_id }) => org_id === orgId) - begunBefore
}

/** Two jobs run at a time. Both may have been claimed before the other org's job was enqueued. */
const claimedBefore = 2

const drop = async () => {
  await runAsOwner(app.databaseUrl, `delete from pgboss.job where name = 'test_slow' and state < 'active'`)
}

test('an org with 1,000 jobs does not delay the only job of another org', async () => {
  const [greedy, modest] = [randomUUID(), randomUUID()]
  await enqueue(greedy, 1_000)
  await expect.poll(async () => (await runs()).length, patience).toBeGreaterThan(3)
  await enqueue(modest, 1)
  const begunBefore = (await runs()).length
  expect(await overtookBy(modest, begunBefore)).toBeLessThanOrEqual(claimedBefore)
  await drop()
})

test('orgs with many jobs delay the only job of another org by at most one job each', async () => {
  const greedy = Array.from({ length: 6 }, () => randomUUID())
  for (const orgId of greedy) await enqueue(orgId, 100)
  const begunAtFirst = (await runs()).length
  await expect.poll(async () => (await runs()).length - begunAtFirst, patience).toBeGreaterThan(10)
  const modest = randomUUID()
  await enqueue(modest, 1)
  const begunBefore = (await runs()).length
  expect(await overtookBy(modest, begunBefore)).toBeLessThanOrEqual(greedy.length)
  await drop()
  const since = (await runs()).slice(begunAtFirst)
  const shares = greedy.map((orgId) => since.filter(({ org_id }) => org_id === orgId).length)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2)
})
