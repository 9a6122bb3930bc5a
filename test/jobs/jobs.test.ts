import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { wakeWorkers } from '../../src/platform/jobs/engine/wake.ts'
import { type Job, job } from '../../src/platform/jobs/job.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import {
  failing,
  flaky,
  installTestJobs,
  passing,
  permanentlyFailing,
  type TestPayload,
  type TestRun,
  testJobs,
} from '../support/jobs/job-kinds.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close())

const { context } = app.app
const orgId = '0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a'

beforeAll(async () => {
  await installTestJobs(app)
  await app.app.worker?.work(testJobs, context)
})

const enqueue = (kind: Job<TestPayload>, number: number) =>
  app.operate((tx) => context.jobs.enqueue(tx, kind, { org_id: orgId, number }))

const runsOf = (name: string, number: number) =>
  runAsOwner<TestRun>(app.databaseUrl, 'select * from job_run where name = $1 and number = $2', [
    name,
    number,
  ])

type Row = { name: string; state: string; retry_count: number; start_after: Date; reason: string | null }

const rowOf = async (name: string, number: number) => {
  const rows = await runAsOwner<Row>(
    app.databaseUrl,
    `select name, state::text, retry_count, start_after, output ->> 'reason' as reason from pgboss.job
     where name = $1 and (data ->> 'number')::int = $2`,
    [name, number],
  )
  return rows[0]
}

const until = (read: () => Promise<unknown>) => expect.poll(read, patience)

test('a job runs after its transaction commits, and leaves no row', async () => {
  await enqueue(passing, 1)
  await until(() => rowOf('test_passing', 1)).toBeUndefined()
  expect(await runsOf('test_passing', 1)).toHaveLength(1)
})

test('a job whose transaction rolls back never runs', async () => {
  const rolledBack = app.operate(async (tx) => {
    await context.jobs.enqueue(tx, passing, { org_id: orgId, number: 2 })
    throw new Error('Rolled back')
  })
  await expect(rolledBack).rejects.toThrow('Rolled back')
  await enqueue(passing, 3)
  await until(() => runsOf('test_passing', 3)).toHaveLength(1)
  expect(await runsOf('test_passing', 2)).toEqual([])
  expect(await rowOf('test_passing', 2)).toBeUndefined()
})

test('a job with an invalid payload cannot be enqueued', async () => {
  await expect(enqueue(passing, 'many' as never)).rejects.toThrow(z.ZodError)
})

describe('failures', () => {
  test('a job that always fails is abandoned once after its retries, with a reason without personal data', async () => {
    await enqueue(failing, 10)
    await until(() => runsOf('test_failing_abandoned', 10)).toHaveLength(1)
    expect(await runsOf('test_failing', 10)).toHaveLength(3)
    expect(await rowOf('test_failing', 10)).toMatchObject({
      state: 'failed',
      retry_count: 2,
      reason: 'The vendor refuses … with status 418',
    })
    await until(() => rowOf('test_failing_abandoned', 10)).toBeUndefined()
  })

  test('a job that fails is retried 8 times: first after 1 to 2 seconds, then after twice the previous wait, up to 5 minutes', async () => {
    await enqueue(flaky, 11)
    for (let retry = 0; retry < 8; retry++) {
      await until(async () => (await runsOf('test_flaky', 11)).length).toBe(retry + 1)
      await until(async () => (await rowOf('test_flaky', 11))?.state).toBe('retry')
      const failedAt = (await runsOf('test_flaky', 11)).at(-1)!.ended!
      const { start_after: dueAt } = (await rowOf('test_flaky', 11))!
      const seconds = (at: number) => (dueAt.getTime() - at) / 1000
      expect(seconds(failedAt.getTime())).toBeGreaterThan(Math.min(2 ** retry, 300) - 0.1)
      expect(seconds(Date.now())).toBeLessThan(Math.min(2 ** (retry + 1), 300) + 0.1)
      await runAsOwner(app.databaseUrl, `update pgboss.job set start_after = now() where name = 'test_flaky'`)
      await app.operate(wakeWorkers)
    }
    await until(() => rowOf('test_flaky', 11)).toMatchObject({ state: 'failed', reason: 'Not now' })
    expect(await runsOf('test_flaky', 11)).toHaveLength(9)
  })

  test('a job that fails with PermanentFailure is abandoned without a retry', async () => {
    await enqueue(permanentlyFailing, 12)
    await until(() => rowOf('test_hopeless', 12)).toMatchObject({
      state: 'failed',
      reason: 'The connection was revoked',
    })
    expect(await runsOf('test_hopeless', 12)).toHaveLength(1)
  })

  test('a job with the payload of another version is retried, and delays no other job', async () => {
    const newer = job({
      name: passing.name,
      payload: z.object({ org_id: z.string(), number: z.string() }),
      orgId: ({ org_id }) => org_id,
      run: async () => {},
    })
    await app.operate((tx) => context.jobs.enqueue(tx, newer, { org_id: orgId, number: '13' }))
    await enqueue(passing, 14)
    await until(() => runsOf('test_passing', 14)).toHaveLength(1)
    await until(() => rowOf('test_passing', 13)).toMatchObject({
      state: 'retry',
      reason: expect.stringMatching(/^The payload is invalid: .*number/),
    })
    await runAsOwner(app.databaseUrl, `delete from pgboss.job where name = 'test_passing'`)
  })

  test('a job whose payload names another org than its queue row is abandoned without running', async () => {
    const forged = { ...passing, orgId: () => '0190a3c4-0000-7000-8000-000000000000' }
    await app.operate((tx) => context.jobs.enqueue(tx, forged, { org_id: orgId, number: 15 }))
    await until(() => rowOf('test_passing', 15)).toMatchObject({ state: 'failed' })
    expect(await runsOf('test_passing', 15)).toEqual([])
  })
})
