import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connectionConfig } from '../src/platform/db/address.ts'
import { installJobs } from '../src/platform/jobs/install.ts'
import type { AnyJob } from '../src/platform/jobs/job.ts'
import { jobs } from '../src/worker.ts'
import { startTestApp } from './app.ts'
import { askOwner } from './database.ts'
import { installTestJobs, passing } from './job-kinds.ts'

// Requests enqueue jobs as crosswalk_app; of what the engine keeps they need, and get, next to nothing.

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())
beforeAll(() => installTestJobs(app))

const { database, jobs: engine } = app.app.context
const [orgA, orgB] = [randomUUID(), randomUUID()]

const enqueue = (as: string, orgId: string) =>
  database.org(as).transact((tx) => engine.enqueue(tx, passing, { org_id: orgId, number: 1 }))

const ask = (orgId: string, text: string) =>
  database.org(orgId).transact((tx) => tx.rows<{ id: string }>({ text, values: [] }))

const refused = { code: '42501' }

test('an org enqueues its own jobs, and sees of nobody’s more than the ids of its own', async () => {
  await enqueue(orgA, orgA)
  await enqueue(orgB, orgB)
  const rows = await askOwner<{ id: string }>(
    app.databaseUrl,
    'select id from pgboss.job where group_id = $1',
    [orgA],
  )
  expect(await ask(orgA, 'select id from pgboss.job_common')).toEqual(rows)
  expect(await ask('', 'select id from pgboss.job_common')).toEqual([])
  await expect(ask(orgA, 'select data from pgboss.job_common')).rejects.toMatchObject(refused)
  await expect(ask(orgA, 'select * from pgboss.job')).rejects.toMatchObject(refused)
})

test('a job for another org, or from nobody, is refused', async () => {
  await expect(enqueue(orgA, orgB)).rejects.toMatchObject(refused)
  await expect(enqueue('', orgA)).rejects.toMatchObject(refused)
})

test.each([
  'delete from pgboss.job_common',
  `update pgboss.job_common set state = 'cancelled'`,
  `insert into pgboss.job_common (name, group_id, state) values ('test_passing', current_setting('app.org_id'), 'failed')`,
  'select queued_count from pgboss.queue',
  `select pgboss.delete_queue('test_passing')`,
])('%s is refused', async (sql) => {
  await expect(ask(orgA, sql)).rejects.toMatchObject(refused)
})

test('nothing else of the engine is open to crosswalk_app', async () => {
  const grants = await askOwner<{ what: string }>(
    app.databaseUrl,
    `select distinct table_name || ' ' || lower(privilege_type) as what from information_schema.column_privileges
     where grantee in ('crosswalk_app', 'PUBLIC') and table_schema = 'pgboss'
     union all
     select routine_name || ' execute' from information_schema.routine_privileges
     where grantee in ('crosswalk_app', 'PUBLIC') and routine_schema = 'pgboss' order by what`,
  )
  expect(grants.map(({ what }) => what)).toEqual([
    'job_common insert',
    'job_common select',
    'job_now execute',
    'queue select',
  ])
})

test('a queue follows its definition, and rights that were lost come back, whenever a process starts', async () => {
  const owner = new Client({ connectionString: app.databaseUrl })
  await owner.connect()
  const install = (limit: number) =>
    installJobs(owner, connectionConfig(app.databaseUrl), [{ ...passing, retry: { limit } } as AnyJob])
  const limit = async () =>
    (await owner.query(`select retry_limit from pgboss.queue where name = 'test_passing'`)).rows[0]
      .retry_limit
  try {
    for (const each of [3, 4]) {
      await install(each)
      expect(await limit()).toBe(each)
    }
    await owner.query('revoke usage on schema pgboss from crosswalk_app')
    await expect(enqueue(orgA, orgA)).rejects.toMatchObject(refused)
    await install(4)
    await enqueue(orgA, orgA)
  } finally {
    await owner.end()
  }
})

test.each(jobs.map((each) => [each.name, each] as const))('%s is given ids only', (_name, { payload }) => {
  const { properties = {} } = z.toJSONSchema(payload)
  for (const [name, schema] of Object.entries(properties)) {
    const isClosed = typeof schema === 'object' && ('enum' in schema || schema.type === 'boolean')
    expect(name.endsWith('_id') || isClosed, name).toBe(true)
  }
})
