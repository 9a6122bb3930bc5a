import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { importRecords } from '../../src/imports/jobs.ts'
import type { Job } from '../../src/platform/jobs/job.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import {
  installTestJobs,
  passing,
  serial,
  stuckOnce,
  stuckSerial,
  type TestPayload,
  type TestRun,
} from '../support/jobs/job-kinds.ts'
import { untilNoJobs } from '../support/jobs/left-jobs.ts'
import { patience } from '../support/patience.ts'
import { Child, cleanUp } from '../support/processes.ts'

let workers: Child[] = []
// This app has no worker: each test starts the processes that it needs.
const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGTERM')
  const ends = await Promise.all(workers.map(({ ended }) => ended))
  await cleanUp()
  await app.close()
  expect(ends.map(({ code }) => code)).toEqual(workers.map(() => 0))
})

const { context } = app.app

beforeAll(() => installTestJobs(app))
afterEach(() => untilNoJobs(app.databaseUrl))

test('a server that cannot listen on its port claims no job', async () => {
  const payload = { org_id: randomUUID(), import_id: randomUUID() }
  await app.operate((tx) => context.jobs.enqueue(tx, importRecords, payload))
  const { port } = new URL(app.address)
  await expect(startTestApp({ port: Number(port) }, app)).rejects.toThrow(`Port ${port} is taken`)
  const left = await runAsOwner(app.databaseUrl, 'select state::text, heartbeat_on from pgboss.job')
  expect(left).toEqual([{ state: 'created', heartbeat_on: null }])
  await runAsOwner(app.databaseUrl, 'delete from pgboss.job')
})

async function haveWorkers(count: number): Promise<void> {
  expect(workers.length).toBeLessThanOrEqual(count)
  const started = Array.from(
    { length: count - workers.length },
    () =>
      new Child('test/support/jobs/job-worker.ts', [], {
        DATABASE_URL: app.databaseUrl,
        ENCRYPTION_KEY: testKey.toString('base64'),
      }),
  )
  await Promise.all(started.map((worker) => worker.says(/working/)))
  workers.push(...started)
}

const enqueue = (kind: Job<TestPayload>, orgId: string, numbers: number[]) =>
  app.operate(async (tx) => {
    for (const number of numbers) await context.jobs.enqueue(tx, kind, { org_id: orgId, number })
  })

const runsOf = (orgId: string) =>
  runAsOwner<TestRun>(app.databaseUrl, 'select * from job_run where org_id = $1 order by began', [orgId])

const unfinished = async (orgId: string) =>
  (
    await runAsOwner(app.databaseUrl, `select from pgboss.job where group_id = $1 and state <> 'completed'`, [
      orgId,
    ])
  ).length

const numbersOf = async (orgId: string) => (await runsOf(orgId)).map(({ number }) => number)

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

async function workerOf(orgId: string): Promise<Child> {
  await expect.poll(() => runsOf(orgId), patience).not.toEqual([])
  const [run] = await runsOf(orgId)
  return workers.find(({ process }) => process.pid === run!.pid)!
}

test('jobs with the same serial key run one at a time across two processes, and jobs with other keys run meanwhile', async () => {
  const orgs = [randomUUID(), randomUUID(), randomUUID()]
  await haveWorkers(2)
  const allDone = async () =>
    (await runAsOwner(app.databaseUrl, `select from pgboss.job where name = 'test_serial'`)).length
  const processes = async () =>
    (
      await runAsOwner<{ count: number }>(
        app.databaseUrl,
        `select count(distinct pid)::int from job_run where name = 'test_serial'`,
      )
    )[0]!.count
  let each = 0
  // Enqueue more if one process ran all jobs before the other claimed any.
  while (each < 100 || (await processes()) < 2) {
    for (const orgId of orgs)
      await enqueue(
        serial,
        orgId,
        upTo(100).map((number) => each + number),
      )
    each += 100
    await expect.poll(allDone, patience).toBe(0)
  }
  for (const orgId of orgs) {
    const runs = await runsOf(orgId)
    expect(runs.map(({ number }) => number).sort((a, b) => a - b)).toEqual(upTo(each))
    const early = runs.slice(1).filter(({ began }, index) => began < runs[index]!.ended!)
    expect(early).toEqual([])
  }
  const [overlap] = await runAsOwner<{ count: number }>(
    app.databaseUrl,
    `select count(*)::int from job_run a join job_run b on a.org_id < b.org_id and a.began < b.ended and b.began < a.ended
     where a.name = 'test_serial' and b.name = 'test_serial'`,
  )
  expect(overlap!.count).toBeGreaterThan(10)
  expect((await runAsOwner(app.databaseUrl, `select from job_run where name = 'test_serial'`)).length).toBe(
    3 * each,
  )
})

test.each([
  ['', stuckOnce],
  [' serial', stuckSerial],
])(
  'a%s job whose process is killed with SIGKILL runs in another process within 30 seconds',
  async (_, kind) => {
    const orgId = randomUUID()
    await haveWorkers(2)
    await enqueue(kind, orgId, [1])
    const worker = await workerOf(orgId)
    // There is a free slot, but a job with the same serial key runs.
    await enqueue(kind, orgId, [2])
    await enqueue(passing, orgId, [3])
    await expect.poll(() => numbersOf(orgId), patience).toContain(3)
    if (kind === stuckSerial) expect(await numbersOf(orgId)).toEqual([1, 3])
    // Only the first job may be unfinished at the kill, because unfinished jobs run again.
    await expect.poll(() => unfinished(orgId), patience).toBe(kind === stuckSerial ? 2 : 1)
    worker.kill('SIGKILL')
    await worker.ended
    workers = workers.filter((each) => each !== worker)
    const again = async () => (await numbersOf(orgId)).sort((a, b) => a - b)
    await expect.poll(again, { timeout: 30_000, interval: 50 }).toEqual([1, 1, 2, 3])
  },
  180_000,
)

test('a process that gets SIGTERM returns its job to the queue, and the attempt does not count', async () => {
  const orgId = randomUUID()
  await haveWorkers(1)
  await enqueue(stuckOnce, orgId, [1])
  const worker = await workerOf(orgId)
  const toldAt = Date.now()
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
  expect(Date.now() - toldAt).toBeLessThan(10_000)
  workers = []
  expect(
    await runAsOwner(
      app.databaseUrl,
      `select state::text, retry_count, start_after <= now() as due from pgboss.job where group_id = $1`,
      [orgId],
    ),
  ).toEqual([{ state: 'retry', retry_count: 0, due: true }])
  await haveWorkers(1)
  await expect.poll(async () => (await runsOf(orgId)).length, patience).toBe(2)
})
