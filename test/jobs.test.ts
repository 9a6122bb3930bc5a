import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectionConfig } from '../src/platform/db/address.ts'
import { type AnyJob, type Job, job } from '../src/platform/jobs/job.ts'
import { installJobs } from '../src/platform/jobs/jobs.ts'
import { startTestApp } from './app.ts'
import { askOwner } from './database.ts'

const app = await startTestApp({ role: 'worker' })
afterAll(() => app.close())

const payload = z.object({ number: z.int() })
type Payload = z.output<typeof payload>

const done: string[] = []
const failures = new Map<number, number>()

const passing: Job<Payload> = job({
  name: 'test_passing',
  payload,
  run: async ({ payload: { number } }) => void done.push(`passed ${number}`),
})

const failing: Job<Payload> = job({
  name: 'test_failing',
  payload,
  retries: 1,
  run: async ({ payload: { number } }) => {
    failures.set(number, (failures.get(number) ?? 0) + 1)
    throw new Error('It cannot be done')
  },
  abandoned: async ({ payload: { number } }) => void done.push(`abandoned ${number}`),
})

const jobs = [passing, failing] as readonly AnyJob[]
const { context } = app.app

beforeAll(async () => {
  const owner = new Client({ connectionString: app.databaseUrl })
  await owner.connect()
  // Twice: every start of a server does it.
  await installJobs(owner, connectionConfig(app.databaseUrl), jobs)
  await installJobs(owner, connectionConfig(app.databaseUrl), jobs)
  await owner.end()
  await context.jobs.work(jobs, context)
})

const untilDone = (what: string) => expect.poll(() => done, { timeout: 20_000, interval: 10 }).toContain(what)

describe('a job', () => {
  test('runs once its transaction has committed, and never if it does not', async () => {
    await expect(
      app.operate(async (tx) => {
        await context.jobs.enqueue(tx, passing, { number: 1 })
        throw new Error('Rolled back')
      }),
    ).rejects.toThrow('Rolled back')
    await app.operate((tx) => context.jobs.enqueue(tx, passing, { number: 2 }))
    await untilDone('passed 2')
    expect(done).not.toContain('passed 1')
    const left = await askOwner(app.databaseUrl, `select from pgboss.job where data = '{"number": 1}'`)
    expect(left).toEqual([])
  })

  test('that fails is tried again, and given up in the end, once', async () => {
    await app.operate((tx) => context.jobs.enqueue(tx, failing, { number: 3 }))
    await untilDone('abandoned 3')
    expect(failures.get(3)).toBe(2)
    expect(done.filter((what) => what === 'abandoned 3')).toHaveLength(1)
  })

  test('whose payload is not what it should be is given up as well, and stops no other', async () => {
    await app.operate((tx) => context.jobs.enqueue(tx, passing, { number: 'many' } as never))
    await app.operate((tx) => context.jobs.enqueue(tx, passing, { number: 4 }))
    await untilDone('passed 4')
  })
})
