import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { connectionConfig } from '../../../src/platform/db/address.ts'
import { system } from '../../../src/platform/db/system.ts'
import { installJobs } from '../../../src/platform/jobs/engine/install.ts'
import { type AnyJob, type Job, type JobRun, job } from '../../../src/platform/jobs/job.ts'
import { PermanentFailure } from '../../../src/platform/jobs/retry.ts'
import type { TestApp } from '../app.ts'

const payload = z.object({ org_id: z.string(), number: z.int() })
export type TestPayload = z.output<typeof payload>

export type TestRun = {
  name: string
  org_id: string
  number: number
  pid: number
  began: Date
  ended: Date | null
}

const base = { payload, orgId: ({ org_id }: TestPayload) => org_id }
const atOnce = { delaySeconds: 0 }

/** Records each run in the database, because several processes run the jobs. */
function recorded(name: string, work: (run: JobRun<TestPayload>, tries: number) => Promise<void>) {
  return async (run: JobRun<TestPayload>) => {
    const scope = system(run.context.database)
    const { org_id, number } = run.payload
    const values = [name, org_id, number, process.pid]
    const tries = await scope.transact(async (tx) => {
      await tx.run({ text: 'insert into job_run values ($1, $2, $3, $4, clock_timestamp())', values })
      const text = 'select from job_run where name = $1 and org_id = $2 and number = $3'
      return tx.run({ text, values: values.slice(0, 3) })
    })
    try {
      await work(run, tries)
    } finally {
      const text = `update job_run set ended = clock_timestamp()
        where name = $1 and org_id = $2 and number = $3 and pid = $4 and ended is null`
      await scope.transact((tx) => tx.run({ text, values }))
    }
  }
}

export const passing: Job<TestPayload> = job({
  ...base,
  name: 'test_passing',
  run: recorded('test_passing', async () => {}),
})

export const slow: Job<TestPayload> = job({
  ...base,
  name: 'test_slow',
  concurrency: 2,
  run: recorded('test_slow', async () => delay(20)),
})

/** A job that takes 10 ms. Each org has at most one running job. */
export const serial: Job<TestPayload> = job({
  ...base,
  name: 'test_serial',
  concurrency: 4,
  serialKey: ({ org_id }) => `test ${org_id}`,
  run: recorded('test_serial', async () => delay(10)),
})

export const failing: Job<TestPayload> = job({
  ...base,
  name: 'test_failing',
  retry: { limit: 2, ...atOnce },
  run: recorded('test_failing', async () => {
    throw new Error('The vendor refuses ada@example.com with status 418')
  }),
  abandoned: recorded('test_failing_abandoned', async () => {}),
})

export const flaky: Job<TestPayload> = job({
  ...base,
  name: 'test_flaky',
  run: recorded('test_flaky', async () => {
    throw new Error('Not now')
  }),
})

export const permanentlyFailing: Job<TestPayload> = job({
  ...base,
  name: 'test_hopeless',
  run: recorded('test_hopeless', async () => {
    throw new PermanentFailure('The connection was revoked')
  }),
})

/** Fails until the table job_mended has the number. */
export const failingUntilRepaired: Job<TestPayload> = job({
  ...base,
  name: 'test_mendable',
  retry: { limit: 0, ...atOnce },
  run: recorded('test_mendable', async ({ context, payload: { number } }) => {
    const text = 'select from job_mended where number = $1'
    if ((await system(context.database).transact((tx) => tx.run({ text, values: [number] }))) === 0)
      throw new Error('Broken')
  }),
})

const stuck = recorded('test_stuck', async ({ signal, payload: { number } }, tries) => {
  if (number === 1 && tries === 1) await delay(2 ** 30, undefined, { signal })
})

/** The first try of job 1 runs until its process stops. */
export const stuckOnce: Job<TestPayload> = job({ ...base, name: 'test_stuck', run: stuck })

export const stuckSerial: Job<TestPayload> = job({
  ...base,
  name: 'test_stuck_serial',
  serialKey: ({ org_id }) => `stuck ${org_id}`,
  run: stuck,
})

export const testJobs = [
  passing,
  slow,
  serial,
  failing,
  flaky,
  permanentlyFailing,
  failingUntilRepaired,
  stuckOnce,
  stuckSerial,
] as readonly AnyJob[]

export async function installTestJobs(app: TestApp): Promise<void> {
  const owner = new Client({ connectionString: app.databaseUrl })
  await owner.connect()
  // Create the queues a second time, like a second start of a server.
  await installJobs(owner, connectionConfig(app.databaseUrl), testJobs)
  await installJobs(owner, connectionConfig(app.databaseUrl), testJobs)
  await owner.query(`
    create table job_run (name text, org_id text, number int, pid int, began timestamptz, ended timestamptz);
    create table job_mended (number int);
    grant all on job_run, job_mended to crosswalk_system`)
  await owner.end()
}
