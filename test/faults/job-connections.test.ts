import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { Engine } from '../../src/platform/jobs/engine/engine.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { Worker } from '../../src/platform/jobs/worker.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { failing, installTestJobs, passing, testJobs } from '../support/jobs/job-kinds.ts'
import { patience } from '../support/patience.ts'
import { StallingProxy } from './stalling-proxy.ts'

const app = await startTestApp({ role: 'api' })
const { context } = app.app
const { database, log } = context
let proxy: StallingProxy
let engine: Engine
let worker: Worker
beforeAll(() => installTestJobs(app))
afterEach(async () => {
  await proxy.close()
  await worker.stop(1_000)
  await engine.close()
  await runAsOwner(app.databaseUrl, 'delete from pgboss.job')
})
afterAll(() => app.close())

async function startEngine(answerMs?: number): Promise<void> {
  proxy = await StallingProxy.start(database.connectionFor('crosswalk_system'))
  const options = { supervises: true, ...(answerMs !== undefined && { answerMs }) }
  engine = new Engine(system(database), proxy.connection, log, options)
  worker = new Worker(engine, log)
  await engine.start()
}

test('a worker supervises jobs again after its engine’s connections stopped answering', async () => {
  await startEngine(1_000)
  await app.operate((tx) => new Jobs(engine).enqueue(tx, passing, { org_id: randomUUID(), number: 1 }))
  await withClient(app, async (client) => {
    await client.query('begin; lock table pgboss.queue in access exclusive mode')
    await runAsOwner(
      app.databaseUrl,
      `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'`,
    )
    // The engine supervises over the connection that it opened at its start, and over a new one two seconds later.
    for (const connections of [1, 2]) {
      await untilBlocked(client, connections)
      proxy.stall()
    }
  })
  const states = () => runAsOwner(app.databaseUrl, 'select state::text from pgboss.job')
  await expect.poll(states, patience).toEqual([{ state: 'retry' }])
})

test('a job can fail and be abandoned even while the job engine’s connections do not respond', async () => {
  await startEngine()
  await worker.work(testJobs, context)
  expect(proxy.stall()).toBeGreaterThan(0)
  await app.operate((tx) => new Jobs(engine).enqueue(tx, failing, { org_id: randomUUID(), number: 2 }))
  const given = () => runAsOwner(app.databaseUrl, `select from job_run where name = 'test_failing_abandoned'`)
  await expect.poll(given, patience).toHaveLength(1)
})
