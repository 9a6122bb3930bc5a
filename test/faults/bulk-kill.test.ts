import type { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { expireHeartbeats } from '../support/jobs/expire-heartbeats.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { newWorker } from './new-worker.ts'

const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close({ leavesJobs: true })
})

const recordCount = 700

/** Creates contacts in the order of their ids. Returns the ids. */
async function createContacts(org: TestOrg): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < recordCount; from += 350) {
    const items = Array.from({ length: 350 }, (_, n) => ({
      first_name: `n${from + n}`,
      ...{ tags: ['fair'], custom: { tier: 'Gold', code: `${from + n}` } },
    }))
    const { data } = (await org.post('/contacts/batch', { items })).body
    ids.push(...data.map(({ contact_id }: { contact_id: string }) => contact_id))
  }
  return ids.sort()
}

/** Kills a worker while it waits for the locks of `block`, and lets another worker finish. */
async function killAt(block: (client: Client) => Promise<unknown>, isDone: () => Promise<boolean>) {
  await withClient(app, async (client) => {
    await client.query('begin')
    await block(client)
    const first = newWorker(app)
    await untilBlocked(client)
    first.kill('SIGKILL')
    await first.ended
    await client.query('rollback')
  })
  await expireHeartbeats(app.databaseUrl)
  const second = newWorker(app)
  await expect.poll(isDone, patience).toBe(true)
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
}

const lockContact = (id: string) => (client: Client) =>
  client.query('select from contact where contact_id = $1 for update', [id])

/** How many versions and update events the contacts have. */
async function writesOf(org: TestOrg) {
  const [row] = await runAsOwner<object>(
    app.databaseUrl,
    `select
      (select array_agg(distinct version) from contact where org_id = $1) as versions,
      (select count(*)::int from event where org_id = $1 and type = 'contact.updated') as events`,
    [org.orgId],
  )
  return row
}

test('after SIGKILL of a worker during a bulk change, another worker changes the rest, and no record twice', async () => {
  const org = await app.newOrg()
  const ids = await createContacts(org)
  const filter = { field: 'tag', value: 'fair' }
  const body = { entity: 'contact', filter, change: { add_tags: ['new'], custom: { seen: 1 } } }
  const path = `/bulk-changes/${(await org.post('/bulk-changes', body)).body.data.bulk_change_id}`
  const done = async () => (await org.get(path)).body.data
  await killAt(lockContact(ids[500]!), async () => (await done()).status === 'succeeded')
  expect(await done()).toMatchObject({ records: recordCount, changed: recordCount, unchanged: 0, refused: 0 })
  expect(await writesOf(org)).toEqual({ versions: [2], events: recordCount })
})

test('after SIGKILL of a worker that renames an option, another worker renames the rest, and no record twice', async () => {
  const org = await app.newOrg()
  const field = { entity: 'contact', key: 'tier', type: 'select', options: ['Gold', 'Silver'] }
  const { field_id } = (await org.post('/fields', field)).body.data
  const ids = await createContacts(org)
  const path = `/fields/${field_id}`
  const conversion = async () => (await org.get(path)).body.data.conversion
  await org.patch(path, { rename_options: [{ from: 'Gold', to: 'Platinum' }] })
  await killAt(lockContact(ids[600]!), async () => (await conversion()).state === 'succeeded')
  expect(await conversion()).toMatchObject({ records: recordCount, converted: recordCount, unfit: 0 })
  expect(await writesOf(org)).toEqual({ versions: [2], events: recordCount })
})

test('after SIGKILL of a worker that builds the index of a field, another worker completes the index', async () => {
  const org = await app.newOrg()
  const ids = await createContacts(org)
  const field = { entity: 'contact', key: 'code', type: 'text', filterable: true }
  const { field_id } = (await org.post('/fields', field)).body.data
  const path = `/fields/${field_id}`
  const state = async () => (await org.get(path)).body.data.index_state
  // The second step waits until it knows whether this row is committed.
  const insertValue = (client: Client) =>
    client.query(
      `insert into field_value (org_id, index_id, value, record_id)
       select c.org_id, d.index_id, app.field_value(c.custom ->> 'code', 'text'), c.contact_id
       from contact c join field_definition d using (org_id) where c.contact_id = $1 and d.field_id = $2`,
      [ids[600], field_id],
    )
  await killAt(insertValue, async () => (await state()) === 'ready')
  const [row] = await runAsOwner<{ rows: number; contacts: number }>(
    app.databaseUrl,
    `select count(*)::int as rows, count(distinct record_id)::int as contacts from field_value where org_id = $1`,
    [org.orgId],
  )
  expect(row).toEqual({ rows: recordCount, contacts: recordCount })
  expect((await org.get('/contacts?custom.code=699')).body.pagination.total).toBe(1)
})
