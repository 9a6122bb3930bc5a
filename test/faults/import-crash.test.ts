import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { createImport } from '../../src/imports/imports.ts'
import { importRecords } from '../../src/imports/jobs.ts'
import { load } from '../../src/imports/load.ts'
import { openTable } from '../../src/imports/table.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { newWorker } from './new-worker.ts'

// This app has no worker: each test starts its own.
const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const rows = 4_500
const refusedEvery = 100

/** A file in which each row has its own external id, and every hundredth row is refused. */
function people(): string {
  const row = (n: number) => `${n},person${n}@example.com,${n % refusedEvery === 0 ? 'perhaps' : 'yes'}\n`
  return `Customer ID,email,consent email\n${Array.from({ length: rows }, (_, n) => row(n)).join('')}`
}

async function startUpload(org?: TestOrg, matchOn?: string): Promise<{ org: TestOrg; importId: string }> {
  org ??= await app.newOrg()
  const { status, body } = await uploadCsv(org, people(), {
    query: matchOn === undefined ? {} : { match_on: matchOn },
  })
  expect(status).toBe(202)
  return { org, importId: body.data.import_id }
}

const newCheckingWorker = () => newWorker(app, { DUPLICATE_CHECKS: undefined })

const rowsRead = async (org: TestOrg, importId: string): Promise<number> =>
  (await org.get(`/imports/${importId}`)).body.data.counts.rows_read

/** Checks that each row took effect exactly once. */
async function expectEachOnce(org: TestOrg, importId: string): Promise<void> {
  const refused = rows / refusedEvery
  expect(await untilEnded(org, importId)).toMatchObject({
    status: 'succeeded',
    counts: { rows_read: rows, created: rows - refused, refused },
  })
  const [found] = await runAsOwner(
    app.databaseUrl,
    `select count(*)::int as contacts, count(distinct external_ids ->> 'Customer ID')::int as people,
      (select count(*)::int from contact_key k where k.org_id = $1 and k.kind = 'external_id') as keys,
      (select count(*)::int from event e where e.org_id = $1 and e.type = 'contact.created') as events,
      (select count(*)::int from event e where e.org_id = $1 and e.type like 'import.%') as import_events,
      (select count(*)::int from import_refusal r where r.org_id = $1) as refusals,
      (select count(*)::int from import_piece p where p.org_id = $1) as pieces
     from contact where org_id = $1`,
    [org.orgId],
  )
  const created = rows - refused
  expect(found).toEqual({
    contacts: created,
    people: created,
    keys: created,
    events: created,
    import_events: 2,
    refusals: refused,
    pieces: 0,
  })
  expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(created)
}

/**
 * Runs `work` when some transactions of an import are stored and one waits.
 * @param start starts the import's worker
 */
async function inTheMiddle<Worker>(
  { orgId }: TestOrg,
  importId: string,
  start: () => Worker | Promise<Worker>,
  work: (worker: Worker) => Promise<void>,
): Promise<void> {
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('insert into import_lot (org_id, import_id, first_row) values ($1, $2, 2000)', [
      orgId,
      importId,
    ])
    const worker = await start()
    await untilBlocked(client)
    await work(worker)
    await client.query('rollback')
  })
}

test('another worker completes an import whose worker was killed with SIGKILL, and each row exists once', async () => {
  const { org, importId } = await startUpload()
  await inTheMiddle(org, importId, newCheckingWorker, async (first) => {
    first.kill('SIGKILL')
    await first.ended
    expect((await org.get(`/imports/${importId}`)).body.data.status).toBe('running')
  })
  await expireHeartbeats(app.databaseUrl)
  const second = newCheckingWorker()
  await expect
    .poll(async () => (await org.get(`/imports/${importId}`)).body.data.status, patience)
    .toBe('succeeded')
  await expectEachOnce(org, importId)
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})

test('if workers are killed, an import with match_on updates each record once, and its revert restores all records', async () => {
  const org = await app.newOrg()
  const there = 2_500
  const importThere = await uploadCsv(
    org,
    `Customer ID,city\n${Array.from({ length: there }, (_, n) => `${n},London\n`).join('')}`,
  )
  const loader = await startTestApp({ role: 'worker' }, app)
  await untilEnded(org, importThere.body.data.import_id)
  await loader.close()
  const state = () =>
    runAsOwner(
      app.databaseUrl,
      `select count(*)::int as contacts, count(distinct external_ids ->> 'Customer ID')::int as people,
        count(*) filter (where status = 'active')::int as active,
        count(*) filter (where city = 'London' and email is null and status = 'active')::int as untouched,
        (select count(*)::int from import_change c where c.org_id = $1) as changes
       from contact where org_id = $1`,
      [org.orgId],
    )
  const { importId } = await startUpload(org, 'external_id')
  await inTheMiddle(org, importId, newCheckingWorker, async (first) => {
    first.kill('SIGKILL')
    await first.ended
  })
  await expireHeartbeats(app.databaseUrl)
  const second = newCheckingWorker()
  const ended = (status: string) =>
    expect.poll(async () => (await org.get(`/imports/${importId}`)).body.data.status, patience).toBe(status)
  await ended('succeeded')
  const { counts } = (await org.get(`/imports/${importId}`)).body.data
  const refused = rows / refusedEvery
  const updated = there - there / refusedEvery
  const created = rows - refused - updated
  const contacts = there + created
  expect(counts).toMatchObject({ rows_read: rows, created, updated, unchanged: 0, refused })
  const untouched = there - updated
  expect(await state()).toEqual([
    { contacts, people: contacts, active: contacts, untouched, changes: updated },
  ])
  second.kill('SIGKILL')
  await second.ended

  // The revert archives created records first. Then it waits for a record that it restores.
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where org_id = $1 and city is not null for update', [org.orgId])
    expect((await org.post(`/imports/${importId}/revert`)).status).toBe(202)
    await expireHeartbeats(app.databaseUrl)
    const third = newCheckingWorker()
    await untilBlocked(client)
    third.kill('SIGKILL')
    await third.ended
    await client.query('rollback')
  })
  await expireHeartbeats(app.databaseUrl)
  const fourth = newCheckingWorker()
  await ended('reverted')
  expect((await org.get(`/imports/${importId}`)).body.data.counts).toMatchObject({
    reverted: created + updated,
    kept: 0,
  })
  expect(await state()).toEqual([{ contacts, people: contacts, active: there, untouched: there, changes: 0 }])
  fourth.kill('SIGTERM')
  expect((await fourth.ended).code).toBe(0)
})

test('a worker that gets SIGTERM during an import returns the job, and another worker completes it', async () => {
  const { org, importId } = await startUpload()
  let closing = Promise.resolve()
  const start = () => startTestApp({ role: 'worker' }, app)
  await inTheMiddle(org, importId, start, async (first) => {
    closing = first.close({ leavesJobs: true })
    const state = async () => {
      const [job] = await runAsOwner<{ state: string }>(
        app.databaseUrl,
        `select state::text from pgboss.job where data ->> 'import_id' = $1`,
        [importId],
      )
      return job?.state
    }
    await expect.poll(state, patience).toBe('retry')
  })
  await closing
  const second = await startTestApp({ role: 'worker' }, app)
  await expectEachOnce(org, importId)
  await second.close()
})

test('after a deadlock, an import runs the transaction again and completes', async () => {
  const { orgId } = await app.newOrg()
  const org = app.app.context.database.org(orgId)
  // A sequence advances even if its transaction rolls back.
  await runAsOwner(
    app.databaseUrl,
    `create sequence trip;
     create function trip() returns trigger language plpgsql security definer as $$ begin
       if nextval('trip') in (1, 4) then raise exception using errcode = '40P01'; end if; return null; end $$;
     create trigger trip after insert on contact for each statement execute function trip()`,
  )
  try {
    const importId = await org.transact((tx) =>
      createImport(tx, { type: contacts, status: 'running', fileName: undefined, mapping: undefined }),
    )
    const table = await openTable(Readable.from([Buffer.from(people())]), contacts, undefined)
    const done = await load({ org, type: contacts, importId, table })
    expect(done).toMatchObject({ rowsRead: rows, refused: rows / refusedEvery })
    expect(
      await runAsOwner(app.databaseUrl, 'select count(*)::int from contact where org_id = $1', [orgId]),
    ).toEqual([{ count: done.created }])
  } finally {
    await runAsOwner(app.databaseUrl, 'drop trigger trip on contact; drop function trip; drop sequence trip')
  }
})

describe('double delivery', async () => {
  const other = await startTestApp({ role: 'api' }, app)
  afterAll(() => other.close())

  test('an import job that is delivered twice at once creates each row once', async () => {
    const { org, importId } = await startUpload()
    const payload = { org_id: org.orgId, import_id: importId }
    const { signal } = new AbortController()
    await Promise.all([
      runDirectly(importRecords, { payload, context: app.app.context, signal }),
      runDirectly(importRecords, { payload, context: other.app.context, signal }),
    ])
    await expectEachOnce(org, importId)
    await runDirectly(importRecords, { payload, context: other.app.context, signal })
    await expectEachOnce(org, importId)
  })

  test.each(['first', 'second'])(
    'if an import job is delivered twice and the %s run stops, the other run completes the import',
    async (which) => {
      const { org, importId } = await startUpload()
      const payload = { org_id: org.orgId, import_id: importId }
      const stopping = new AbortController()
      const never = new AbortController().signal
      const runs = [app, other].map(({ app: { context } }, index) => {
        const signal = (which === 'first') === (index === 0) ? stopping.signal : never
        return runDirectly(importRecords, { payload, context, signal })
      })
      const ended = Promise.allSettled(runs)
      await expect.poll(() => rowsRead(org, importId), { ...patience, interval: 5 }).toBeGreaterThan(0)
      stopping.abort()
      await ended
      await expectEachOnce(org, importId)
    },
  )
})
