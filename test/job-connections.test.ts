import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { system } from '../src/platform/db/system.ts'
import { Jobs } from '../src/platform/jobs/jobs.ts'
import { startTestApp } from './app.ts'
import { askOwner } from './database.ts'
import { untilBlocked, withClient } from './direct-sql.ts'
import { failing, installTestJobs, passing, testJobs } from './job-kinds.ts'
import { patience } from './patience.ts'
import { StallingProxy } from './stalling-proxy.ts'

const app = await startTestApp({ role: 'api' })
const { context } = app.app
const { database, log } = context
let proxy: StallingProxy
let jobs: Jobs
beforeAll(() => installTestJobs(app))
afterEach(async () => {
  await proxy.close()
  await jobs.stopWork(1_000)
  await jobs.close()
  await askOwner(app.databaseUrl, 'delete from pgboss.job')
})
afterAll(() => app.close())

/** The job engine, whose own connections lead through the proxy. */
async function startEngine(answerMs?: number): Promise<void> {
  proxy = await StallingProxy.start(database.connectionFor('crosswalk_system'))
  const options = { works: true, ...(answerMs !== undefined && { answerMs }) }
  jobs = new Jobs(system(database), proxy.connection, log, options)
  await jobs.start()
}

test('a process looks after jobs again once nothing answers on the connections that it did it with', async () => {
  await startEngine(1_000)
  await app.operate((tx) => jobs.enqueue(tx, passing, { org_id: randomUUID(), number: 1 }))
  await askOwner(
    app.databaseUrl,
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'`,
  )
  await withClient(app, async (client) => {
    await client.query('begin; lock table pgboss.queue in access exclusive mode')
    // All that it may have of them: it begins with one, and looks after jobs with the other, two seconds later.
    for (const connections of [1, 2]) {
      await untilBlocked(client, connections)
      proxy.stall()
    }
  })
  const states = () => askOwner(app.databaseUrl, 'select state::text from pgboss.job')
  await expect.poll(states, patience).toEqual([{ state: 'retry' }])
})

test('a job that fails is given back though nothing answers on the connections of the engine itself', async () => {
  await startEngine()
  await jobs.work(testJobs, { ...context, jobs })
  expect(proxy.stall()).toBeGreaterThan(0)
  await app.operate((tx) => jobs.enqueue(tx, failing, { org_id: randomUUID(), number: 2 }))
  const given = () => askOwner(app.databaseUrl, `select from job_run where name = 'test_failing_abandoned'`)
  await expect.poll(given, patience).toHaveLength(1)
})
