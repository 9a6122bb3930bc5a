import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { installTestJobs, slow, type TestRun, testJobs } from '../support/jobs/job-kinds.ts'
import { newChild } from '../support/jobs/new-child.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close())

const { context } = app.app

beforeAll(() => installTestJobs(app))
beforeEach(async () => {
  await app.app.worker?.work(testJobs, context)
})

const enqueue = (orgIds: readonly string[], count: number) =>
  app.operate(async (tx) => {
    for (const org_id of orgIds)
      for (let number = 1; number <= count; number++) await context.jobs.enqueue(tx, slow, { org_id, number })
  })

const runs = () =>
  runAsOwner<TestRun>(app.databaseUrl, `select * from job_run where name = 'test_slow' order by began`)

/** The number of jobs that began after the jobs of `orgId` were enqueued, and before the last of them began. */
async function overtookBy(orgId: string, begunBefore: number, count = 1): Promise<number> {
  const begun = async () => (await runs()).filter(({ org_id }) => org_id === orgId).length
  await expect.poll(begun, { ...patience, interval: 5 }).toBe(count)
  return (await runs()).findLastIndex(({ org_id }) => org_id === orgId) - begunBefore - (count - 1)
}

/** Two jobs run at a time. Both may have been claimed before the other org's job was enqueued. */
const claimedBefore = 2

const drop = async () => {
  await runAsOwner(app.databaseUrl, `delete from pgboss.job where name = 'test_slow' and state < 'active'`)
}

test('an org with 1,000 jobs does not delay the only job of another org', async () => {
  const [greedy, modest] = [randomUUID(), randomUUID()]
  await enqueue([greedy], 1_000)
  await expect.poll(async () => (await runs()).length, patience).toBeGreaterThan(3)
  await enqueue([modest], 1)
  const begunBefore = (await runs()).length
  expect(await overtookBy(modest, begunBefore)).toBeLessThanOrEqual(claimedBefore)
  await drop()
})

test('an agency with many clients and sandboxes delays each job of another org by about one job', async () => {
  const { orgId: agency } = await app.newAgency()
  const orgs = [agency]
  for (let n = 0; n < 9; n++) orgs.push(await newChild(app, { agency }))
  for (const owner of orgs.slice(0, 5)) orgs.push(await newChild(app, { owner }))
  const begunAtFirst = (await runs()).length
  await enqueue(orgs, 200)
  await expect.poll(async () => (await runs()).length - begunAtFirst, patience).toBeGreaterThan(orgs.length)
  const modest = randomUUID()
  await enqueue([modest], 10)
  const begunBefore = (await runs()).length
  // Without the common share, each of the 15 organizations would run a job before each of the 10.
  expect(await overtookBy(modest, begunBefore, 10)).toBeLessThanOrEqual(50)
  await drop()
  const since = (await runs()).slice(begunAtFirst)
  const shares = orgs.map((orgId) => since.filter(({ org_id }) => org_id === orgId).length)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2)
})

test('orgs with many jobs delay the only job of another org by at most one job each', async () => {
  const greedy = Array.from({ length: 6 }, () => randomUUID())
  await enqueue(greedy, 100)
  const begunAtFirst = (await runs()).length
  await expect.poll(async () => (await runs()).length - begunAtFirst, patience).toBeGreaterThan(10)
  const modest = randomUUID()
  await enqueue([modest], 1)
  const begunBefore = (await runs()).length
  expect(await overtookBy(modest, begunBefore)).toBeLessThanOrEqual(greedy.length)
  await drop()
  const since = (await runs()).slice(begunAtFirst)
  const shares = greedy.map((orgId) => since.filter(({ org_id }) => org_id === orgId).length)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2)
})
