import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from './app.ts'
import { askOwner } from './database.ts'
import { installTestJobs, slow, type TestRun, testJobs } from './job-kinds.ts'
import { patience } from './patience.ts'

const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close())

const { context } = app.app

beforeAll(() => installTestJobs(app))
beforeEach(async () => {
  await context.jobs.work(testJobs, context)
})

const enqueue = (orgId: string, count: number) =>
  app.operate(async (tx) => {
    for (let number = 1; number <= count; number++)
      await context.jobs.enqueue(tx, slow, { org_id: orgId, number })
  })

/** Every run so far, in the order in which they began. */
const runs = () =>
  askOwner<TestRun>(app.databaseUrl, `select * from job_run where name = 'test_slow' order by began`)

/** How many jobs began between the enqueueing of the only job of `orgId` and that one. */
async function overtookBy(orgId: string, begunBefore: number): Promise<number> {
  await expect
    .poll(async () => (await runs()).some(({ org_id }) => org_id === orgId), { ...patience, interval: 5 })
    .toBe(true)
  return (await runs()).findIndex(({ org_id }) => org_id === orgId) - begunBefore
}

/** Both jobs that run at once may be taken on before another one is there, and begin after. */
const takenAlready = 2

const drop = async () => {
  await askOwner(app.databaseUrl, `delete from pgboss.job where name = 'test_slow' and state < 'active'`)
}

test('one org with 1,000 jobs does not hold up the one job of another', async () => {
  const [greedy, modest] = [randomUUID(), randomUUID()]
  await enqueue(greedy, 1_000)
  await expect.poll(async () => (await runs()).length, patience).toBeGreaterThan(3)
  await enqueue(modest, 1)
  const begunBefore = (await runs()).length
  expect(await overtookBy(modest, begunBefore)).toBeLessThanOrEqual(takenAlready)
  await drop()
})

test('many orgs with many jobs hold it up for one job of each at most', async () => {
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
