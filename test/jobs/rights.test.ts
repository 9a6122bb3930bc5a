import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connectionConfig } from '../../src/platform/db/address.ts'
import { system } from '../../src/platform/db/system.ts'
import { Engine } from '../../src/platform/jobs/engine/engine.ts'
import { installJobs } from '../../src/platform/jobs/engine/install.ts'
import type { AnyJob } from '../../src/platform/jobs/job.ts'
import { jobs } from '../../src/worker.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { installTestJobs, passing, serial, type TestPayload } from '../support/jobs/job-kinds.ts'

// Requests enqueue jobs as crosswalk_app, which has no other right to the engine's tables.

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())
beforeAll(() => installTestJobs(app))

const { context } = app.app
const { database } = context
const [orgA, orgB] = [randomUUID(), randomUUID()]

const enqueue = (as: string, orgId: string) =>
  database.org(as).transact((tx) => context.jobs.enqueue(tx, passing, { org_id: orgId, number: 1 }))

const ask = (orgId: string, text: string) =>
  database.org(orgId).transact((tx) => tx.rows<{ id: string }>({ text, values: [] }))

const refused = { code: '42501' }

test('an org can enqueue only its own jobs, and can see only the ids of its own jobs', async () => {
  await enqueue(orgA, orgA)
  await enqueue(orgB, orgB)
  const rows = await runAsOwner<{ id: string }>(
    app.databaseUrl,
    'select id from pgboss.job where group_id = $1',
    [orgA],
  )
  expect(await ask(orgA, 'select id from pgboss.job_common')).toEqual(rows)
  expect(await ask('', 'select id from pgboss.job_common')).toEqual([])
  await expect(ask(orgA, 'select data from pgboss.job_common')).rejects.toMatchObject(refused)
  await expect(ask(orgA, 'select * from pgboss.job')).rejects.toMatchObject(refused)
})

test('a transaction bound to one org, or to no org, cannot enqueue a job for another org', async () => {
  await expect(enqueue(orgA, orgB)).rejects.toMatchObject(refused)
  await expect(enqueue('', orgA)).rejects.toMatchObject(refused)
})

test.each([
  'delete from pgboss.job_common',
  `update pgboss.job_common set state = 'cancelled'`,
  `insert into pgboss.job_common (name, group_id, state) values ('test_passing', current_setting('app.org_id'), 'failed')`,
  'select queued_count from pgboss.queue',
  `select pgboss.delete_queue('test_passing')`,
])('crosswalk_app may not run %s', async (sql) => {
  await expect(ask(orgA, sql)).rejects.toMatchObject(refused)
})

test('crosswalk_app has no right to the engine’s tables beyond what an insert needs', async () => {
  const grants = await runAsOwner<{ what: string }>(
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

test('each start of a process updates the queues and restores missing rights', async () => {
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

test('a process refuses to start if the tables of pg-boss lack a column', async () => {
  const rename = (from: string, to: string) =>
    runAsOwner(app.databaseUrl, `alter table pgboss.job rename column ${from} to ${to}`)
  await rename('heartbeat_on', 'beaten_on')
  const connection = database.connectionFor('crosswalk_system')
  const engine = new Engine(system(database), connection, context.log, { supervises: false })
  await expect(engine.start()).rejects.toThrow('lack job_common.heartbeat_on.')
  await engine.close()
  await rename('beaten_on', 'heartbeat_on')
})

test('enqueueMissing skips a serial key that already has a waiting or running job', async () => {
  const [waiting, running, none] = [randomUUID(), randomUUID(), randomUUID()]
  const payloads = [waiting, running, none].map((org_id) => ({ org_id, number: 1 }))
  const identity = { ...serial, serialKey: ({ org_id }: TestPayload) => `test ${org_id}` }
  const enqueueMissing = () => app.operate((tx) => context.jobs.enqueueMissing(tx, identity, payloads))
  const jobsOf = async () => {
    const text = `select group_id from pgboss.job where name = 'test_serial' order by created_on`
    return (await runAsOwner<{ group_id: string }>(app.databaseUrl, text)).map(({ group_id }) => group_id)
  }
  await app.operate(async (tx) => {
    for (const org_id of [waiting, running]) await context.jobs.enqueue(tx, identity, { org_id, number: 2 })
  })
  await runAsOwner(app.databaseUrl, `update pgboss.job set state = 'active' where group_id = $1`, [running])
  for (let time = 0; time < 2; time++) await enqueueMissing()
  expect((await jobsOf()).toSorted()).toEqual([waiting, running, none].toSorted())
})

test.each(jobs.map((each) => [each.name, each] as const))(
  'the payload of %s contains only ids, numbers and words of lists',
  (_name, { payload }) => {
    expect(openMembersOf(z.toJSONSchema(payload))).toEqual([])
  },
)

/** The members whose values could be personal data. */
const openMembersOf = ({ properties = {} }: z.core.JSONSchema.BaseSchema): string[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return [name]
    if (schema.type === 'object') return openMembersOf(schema).map((inner) => `${name}.${inner}`)
    const isNumber = schema.type === 'integer' || schema.pattern === '^\\d+$'
    const isClosed = 'enum' in schema || schema.type === 'boolean' || schema.format === 'uuid' || isNumber
    return /_ids?$/.test(name) || isClosed ? [] : [name]
  })
