import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '../../src/platform/jobs/job.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import {
  failing,
  failingUntilRepaired,
  installTestJobs,
  passing,
  permanentlyFailing,
  type TestPayload,
  testJobs,
} from '../support/jobs/job-kinds.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, command } from '../support/processes.ts'

const app = await startTestApp()
afterAll(async () => {
  await app.close()
  await cleanUp()
})
const { context } = app.app
const orgId = randomUUID()
const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }

const enqueue = (kind: Job<TestPayload>, number: number) =>
  app.operate((tx) => context.jobs.enqueue(tx, kind, { org_id: orgId, number }))

const statesOf = async (name: string) =>
  (
    await runAsOwner<{ state: string }>(
      app.databaseUrl,
      'select state::text from pgboss.job where name = $1',
      [name],
    )
  )
    .map(({ state }) => state)
    .sort()

const until = (read: () => Promise<unknown>) => expect.poll(read, patience)

async function run(args: string) {
  const { code, stdout, stderr } = await command(`${args} --json`, env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function metric(name: string, labels: string): Promise<number> {
  const { text } = await app.stranger.get('/metrics', { prefix: '' })
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}{${labels}}`))
      ?.split(' ')[1],
  )
}

beforeAll(async () => {
  await installTestJobs(app)
  // No worker knows this job name yet, so the job waits.
  await enqueue(passing, 1)
})

describe('queued jobs', () => {
  test('metrics count a queued job as queued, with an increasing age', async () => {
    expect(await metric('crosswalk_jobs', 'job="test_passing",state="queued"')).toBe(1)
    const age = () => metric('crosswalk_jobs_oldest_queued_seconds', 'job="test_passing"')
    const first = await age()
    expect(first).toBeGreaterThan(0)
    expect(await age()).toBeGreaterThan(first)
    expect(await metric('crosswalk_jobs_oldest_queued_seconds', 'job="import_records"')).toBe(0)
  })

  test('`jobs list` lists a queued job', async () => {
    const { jobs, has_more } = await run('jobs list')
    expect({ jobs, has_more }).toEqual({
      jobs: [
        {
          job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'test_passing',
          state: 'queued',
          org_id: orgId,
          tries: 0,
          created_at: expect.any(Number),
          due_at: expect.any(Number),
          started_at: null,
          failed_at: null,
          reason: null,
        },
      ],
      has_more: false,
    })
    expect(Math.abs(jobs[0].created_at - Date.now() / 1000)).toBeLessThan(60)
  })
})

describe('operator commands', () => {
  let jobId: string

  test('failed jobs are counted and listed with their reasons', async () => {
    await app.app.worker?.work(testJobs, context)
    await until(() => statesOf('test_passing')).toEqual([])
    for (const number of [1, 2, 3]) await enqueue(failingUntilRepaired, number)
    await enqueue(permanentlyFailing, 1)
    await until(() => statesOf('test_mendable')).toEqual(['failed', 'failed', 'failed'])
    await until(() => statesOf('test_hopeless')).toEqual(['failed'])
    expect(await metric('crosswalk_jobs', 'job="test_mendable",state="failed"')).toBe(3)
    expect(await metric('crosswalk_jobs', 'job="test_mendable",state="queued"')).toBe(0)
    const { jobs } = await run('jobs list --state failed --name test_mendable')
    expect(jobs).toHaveLength(3)
    expect(jobs[0]).toMatchObject({
      state: 'failed',
      tries: 1,
      reason: 'Broken',
      failed_at: expect.any(Number),
    })
    jobId = jobs[0].job_id
    const { stdout } = await command('jobs list --name test_hopeless', env)
    expect(stdout).toMatch(
      /^[0-9a-f-]{36} {2}test_hopeless {2}failed {2}at .*Z {2}1 try .*\n +The connection was revoked\n$/,
    )
    expect((await command('jobs list --state running', env)).stdout).toBe('There is no running job.\n')
  })

  test('failed jobs are retried by id, or all at once', async () => {
    expect(await run(`jobs retry ${jobId}`)).toEqual({ retried: 1 })
    await until(() => statesOf('test_mendable')).toEqual(['failed', 'failed', 'failed'])
    await runAsOwner(app.databaseUrl, 'insert into job_mended select generate_series(1, 3)')
    expect((await command(`jobs retry ${jobId}`, env)).stdout).toBe('1 job starts again.\n')
    await until(() => statesOf('test_mendable')).toEqual(['failed', 'failed'])
    expect(await run('jobs retry --all-failed --name test_mendable')).toEqual({ retried: 2 })
    await until(() => statesOf('test_mendable')).toEqual([])
    expect(await statesOf('test_hopeless')).toEqual(['failed'])
    expect(await run('jobs retry --all-failed')).toEqual({ retried: 1 })
  })

  test('failed jobs can fail as often as new jobs after they are retried', async () => {
    await enqueue(failing, 1)
    await until(() => statesOf('test_failing')).toEqual(['failed'])
    await run('jobs retry --all-failed --name test_failing')
    const runs = () => runAsOwner(app.databaseUrl, `select from job_run where name = 'test_failing'`)
    await until(async () => (await runs()).length).toBe(6)
    await until(() => statesOf('test_failing')).toEqual(['failed'])
  })
})
