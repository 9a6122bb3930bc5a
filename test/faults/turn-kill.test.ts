import type { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { newWorker } from './new-worker.ts'

const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const jobsOf = (name: string) =>
  runAsOwner<{ state: string }>(
    app.databaseUrl,
    `select state::text from pgboss.job_common where name = $1`,
    [name],
  )

/** Waits until the step of a worker that waits for a record began a second ago. It is then the last step of its turn. */
async function untilTurnIsOver(): Promise<void> {
  const waiting = () =>
    runAsOwner(
      app.databaseUrl,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query !~ 'pgboss' and xact_start < clock_timestamp() - interval '1 second'`,
    )
  await expect.poll(waiting, patience).toHaveLength(1)
}

/** Waits until a worker ends a turn, and waits for the row of its job. */
async function untilTurnEnds(): Promise<void> {
  const waiting = () =>
    runAsOwner(
      app.databaseUrl,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query ~ '^\\s*(update|delete from) pgboss.job_common' and query !~ 'set heartbeat_on'`,
    )
  await expect.poll(waiting, patience).toHaveLength(1)
}

/**
 * Kills a worker between two turns of a job: its first turn has ended, and the next one is not in the queue yet. Lets
 * another worker finish.
 * @param record the table and the id of a record that the first turn changes
 */
async function killBetweenTurns(
  name: string,
  [table, id]: [string, string],
  isDone: () => Promise<boolean>,
): Promise<void> {
  await withClient(app, (recordLock) =>
    withClient(app, async (jobLock) => {
      await lock(recordLock, `select from ${table} where ${table}_id = '${id}' for update`)
      const first = newWorker(app)
      await untilBlocked(recordLock)
      await lock(jobLock, `select from pgboss.job_common where name = '${name}' for update`)
      await untilTurnIsOver()
      await recordLock.query('rollback')
      await untilTurnEnds()
      expect(await jobsOf(name)).toEqual([{ state: 'active' }])
      expect(await isDone()).toBe(false)
      first.kill('SIGKILL')
      await first.ended
      await jobLock.query('rollback')
    }),
  )
  await expireHeartbeats(app.databaseUrl)
  const second = newWorker(app)
  await expect.poll(isDone, patience).toBe(true)
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
  expect(await jobsOf(name)).toEqual([])
}

async function lock(client: Client, statement: string): Promise<void> {
  await client.query('begin')
  expect((await client.query(statement)).rowCount).toBe(1)
}

/** The versions of the organization's contacts, and the number of events of a type. */
async function writesOf(org: TestOrg, type: string) {
  const [row] = await runAsOwner<{ versions: number[]; events: number }>(
    app.databaseUrl,
    `select (select array_agg(distinct version) from contact where org_id = $1) as versions,
       (select count(*)::int from event where org_id = $1 and type = $2) as events`,
    [org.orgId, type],
  )
  return row
}

test('after SIGKILL of a worker between two turns of a revert, another worker reverts the rest, and no record twice', async () => {
  const org = await app.newOrg()
  const count = 3_000
  const csv = `email\n${Array.from({ length: count }, (_, n) => `c${n}@example.com\n`).join('')}`
  const { import_id: id } = (await uploadCsv(org, csv)).body.data
  const loader = await startTestApp({ role: 'worker' }, app)
  await untilEnded(org, id)
  await loader.close()
  expect((await org.post(`/imports/${id}/revert`)).status).toBe(202)
  const read = async () => (await org.get(`/imports/${id}`)).body.data
  const contact = await firstContact(org)
  await killBetweenTurns(
    'revert_import',
    ['contact', contact],
    async () => (await read()).status === 'reverted',
  )
  expect(await read()).toMatchObject({ counts: { reverted: count, kept: 0 } })
  expect(await writesOf(org, 'contact.archived')).toEqual({ versions: [2], events: count })
  expect(await writesOf(org, 'import.reverted')).toMatchObject({ events: 1 })
})

test('after SIGKILL of a worker between two turns of a move of references, another worker moves the rest, and none twice', async () => {
  const org = await app.newOrg()
  const [kept, absorbed] = [await newCompany(org, 'Acme'), await newCompany(org, 'Former')]
  await runAsOwner(
    app.databaseUrl,
    `insert into contact (org_id, contact_id, first_name, company_raw_id, company_id, search, created_at, updated_at)
     select $1, app.uuid_v7(), 'C' || n, $2, $2, '', now(), now() from generate_series(1, 10001) as n`,
    [org.orgId, absorbed],
  )
  await merge(org, 'company', kept, absorbed)
  const isDone = async () => {
    const [row] = (await org.get('/duplicates/recent-merges')).body.data
    return row.undo_blocked_reason !== 'applying'
  }
  await killBetweenTurns('move_children', ['contact', await firstContact(org)], isDone)
  const [moved] = await runAsOwner(
    app.databaseUrl,
    `select count(*)::int as moved from contact where org_id = $1 and company_id = $2`,
    [org.orgId, kept],
  )
  expect(moved).toEqual({ moved: 10_001 })
  expect(await writesOf(org, 'contact.updated')).toEqual({ versions: [2], events: 10_001 })
})

async function firstContact(org: TestOrg): Promise<string> {
  const [row] = await runAsOwner<{ id: string }>(
    app.databaseUrl,
    'select min(contact_id::text) as id from contact where org_id = $1',
    [org.orgId],
  )
  return row!.id
}

async function newCompany(org: TestOrg, name: string): Promise<string> {
  return (await org.post('/companies', { name })).body.data.company_id
}
