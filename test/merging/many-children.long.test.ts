import type { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { companies } from '../../src/companies/companies.ts'
import { moveReferences } from '../../src/duplicates/merge/move-references.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { connect, itemsOf, newContact, preview, push, untilJobEnds } from '../support/crm-sync/crm.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { frozenAfter } from '../support/frozen-process.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { merge } from '../support/merges.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const movedAtOnceMax = 10_000

const company = async (org: TestOrg, name: string) =>
  (await org.post('/companies', { name })).body.data.company_id as string

/** Adds contacts of a company with SQL, which is faster than the API. */
async function addContacts(org: TestOrg, companyId: string, count: number): Promise<void> {
  await withClient(app, async (client) => {
    await client.query(
      `insert into contact (org_id, contact_id, first_name, company_raw_id, company_id, search, created_at, updated_at)
       select $1, app.uuid_v7(), 'C' || n, $2, $2, '', now(), now() from generate_series(1, $3) as n`,
      [org.orgId, companyId, count],
    )
  })
}

const list = async (org: TestOrg, query: string) => (await org.get(`/contacts?${query}`)).body

const settled = (org: TestOrg, mergeId: string) =>
  expect
    .poll(async () => {
      const { data } = (await org.get('/duplicates/recent-merges')).body
      return data.find((row: { merge_id: string }) => row.merge_id === mergeId).undo_blocked_reason
    }, patience)
    .not.toBe('applying')

test('if a merge moves more than 10,000 references, a background job moves them, and reads are right during the move', async () => {
  const org = await app.newOrg()
  const [acme, former, other] = [
    await company(org, 'Acme'),
    await company(org, 'Former'),
    await company(org, 'X'),
  ]
  await addContacts(org, former, movedAtOnceMax + 1)
  const { contact_id: own } = (await org.post('/contacts', { first_name: 'Ada', company_id: acme })).body.data
  const { deal_id: deal } = (await org.post('/deals', { name: 'D', company_id: former })).body.data

  await withClient(app, async (client) => {
    // The job waits for this locked row before it moves the first reference.
    await client.query('begin')
    await client.query('select from contact where org_id = $1 and first_name = $2 for update', [
      org.orgId,
      'C1',
    ])
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
    const [row] = (await org.get('/duplicates/recent-merges')).body.data
    expect(row).toMatchObject({ status: 'applying', can_undo: false, undo_blocked_reason: 'applying' })
    expect(row.children_moved).toBe(movedAtOnceMax + 2)
    const refused = await org.post(`/duplicates/undo-merge/${id}`)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('still being moved')])
    for (const asked of [acme, former]) {
      const { data, pagination } = await list(org, `company_id=${asked}&limit=100`)
      expect([data.length, pagination.total]).toEqual([100, movedAtOnceMax + 2])
      expect(new Set(data.map((row: { company_id: string }) => row.company_id))).toEqual(new Set([acme]))
    }
    expect((await org.get(`/deals/${deal}`)).body.data.company_id).toBe(acme)
    expect((await org.get(`/deals?company_id=${acme}`)).body.pagination.total).toBe(1)
    expect((await list(org, `company_id=${other}`)).pagination.total).toBe(0)
    await client.query('commit')
    await settled(org, id)

    const stored = await client.query(
      'select company_id, company_raw_id, count(*)::int from contact where org_id = $1 group by 1, 2 order by 3',
      [org.orgId],
    )
    expect(stored.rows).toEqual([
      { company_id: acme, company_raw_id: acme, count: 1 },
      { company_id: acme, company_raw_id: former, count: movedAtOnceMax + 1 },
    ])
    const undone = await org.post(`/duplicates/undo-merge/${id}`)
    expect(undone.body.data).toMatchObject({ returned_children: movedAtOnceMax + 2, kept_children: 1 })
    expect((await list(org, `company_id=${former}`)).pagination.total).toBe(movedAtOnceMax + 1)
    expect(
      (await list(org, `company_id=${acme}`)).data.map((row: { contact_id: string }) => row.contact_id),
    ).toEqual([own])
    await settled(org, id)
    await expect.poll(async () => (await client.query('select from child_move')).rowCount, patience).toBe(0)
    expect((await list(org, `company_id=${former}`)).pagination.total).toBe(movedAtOnceMax + 1)
    expect((await list(org, `company_id=${acme}`)).pagination.total).toBe(1)
  })
})

/**
 * Simulates a merge with very many references: sets the references back to `raw`, and enqueues the job that moves
 * them.
 */
async function leaveToJob(client: Client, org: TestOrg, mergeId: string, from: string, raw: string) {
  const values = [org.orgId, from, raw]
  await client.query('update contact set company_id = $2 where org_id = $1 and company_raw_id = $3', values)
  await client.query(
    `insert into child_move (org_id, merge_id, entity, from_id, raw_ids) values ($1, $4, 'company', $2, array[$3]::uuid[])`,
    [...values, mergeId],
  )
}

test('a frozen worker that wakes up after an undo does not disturb the job of the undo', async () => {
  const org = await app.newOrg()
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  const { contact_id: ada } = (await org.post('/contacts', { first_name: 'Ada', company_id: former })).body
    .data
  const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
  const payload = {
    ...{ org_id: org.orgId, merge_id: id, entity_type: 'company' as const },
    ...{ api_key_id: null, member_id: null, mode: 'live' as const },
  }
  const { signal } = new AbortController()
  const nowAt = async () => {
    const text = 'select company_id from contact where contact_id = $1'
    const row = await app.operate((tx) => tx.first<{ company_id: string }>({ text, values: [ada] }))
    return row!.company_id
  }
  const leave = (from: string) => withClient(app, (client) => leaveToJob(client, org, id, from, former))

  await leave(former)
  const frozen = frozenAfter(app.app.context, companies.referrers.length)
  const lost = runDirectly(moveReferences, { payload, context: frozen.context, signal })
  await frozen.reached
  await runDirectly(moveReferences, { payload, context: app.app.context, signal })
  expect(await nowAt()).toBe(acme)

  expect((await org.post(`/duplicates/undo-merge/${id}`)).status).toBe(200)
  await leave(acme)
  frozen.thaw()
  await lost
  await runDirectly(moveReferences, { payload, context: app.app.context, signal })
  expect(await nowAt()).toBe(former)
})

test('erasing a record gets 409 while references to it are being moved', async () => {
  const org = await app.newOrg()
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
  await withClient(app, async (client) => {
    await leaveToJob(client, org, id, former, former)
    const { status, body } = await org.post(`/companies/${acme}/erase`)
    expect([status, body.detail]).toEqual([409, expect.stringContaining('A job still moves records')])
    await client.query('delete from child_move where org_id = $1', [org.orgId])
  })
  expect((await org.post(`/companies/${acme}/erase`)).status).toBe(200)
})

test('a 409 while references are being moved is not stored: the same idempotency key works after the move', async () => {
  const org = await app.newOrg()
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
  const undo = (key: string) =>
    org.post(`/duplicates/undo-merge/${id}`, {}, { headers: { 'idempotency-key': key } })
  const redo = (key: string) =>
    org.post(`/duplicates/redo-merge/${id}`, {}, { headers: { 'idempotency-key': key } })
  const erase = (key: string) =>
    org.post(`/companies/${acme}/erase`, {}, { headers: { 'idempotency-key': key } })
  await withClient(app, async (client) => {
    const whileMoving = async (send: (key: string) => Promise<Answer>, from: string) => {
      const key = crypto.randomUUID()
      await leaveToJob(client, org, id, from, former)
      const refused = await send(key)
      expect([refused.status, refused.body.code]).toEqual([409, 'references_moving'])
      expect(refused.headers.get('retry-after')).toBe('5')
      await client.query('delete from child_move where org_id = $1', [org.orgId])
      const retried = await send(key)
      expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([200, null])
    }
    await whileMoving(undo, former)
    await whileMoving(redo, acme)
    await whileMoving(erase, former)
  })
})

test('erasing the survivor of an undone merge gets 409 while references are being moved back', async () => {
  const org = await app.newOrg()
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  const { contact_id: ada } = (await org.post('/contacts', { first_name: 'Ada', company_id: former })).body
    .data
  const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
  expect((await org.post(`/duplicates/undo-merge/${id}`)).status).toBe(200)
  await withClient(app, async (client) => {
    await leaveToJob(client, org, id, acme, former)
    for (const each of [acme, former])
      expect((await org.post(`/companies/${each}/erase`)).status, each).toBe(409)
    await client.query('update contact set company_id = $1 where contact_id = $2', [former, ada])
    await client.query('delete from child_move where org_id = $1', [org.orgId])
  })
  expect((await org.post(`/companies/${acme}/erase`)).status).toBe(200)
  expect((await org.get(`/contacts/${ada}`)).body.data).toMatchObject({ company_id: former })
})

test('a push sends the canonical company of a person, even while references are being moved', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  await newContact(org, { last_name: 'Lovelace', email: 'ada@example.com', company_id: former })
  const named = async () => (await preview(org, { connection_id })).sample[0].company
  const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
  await withClient(app, async (client) => {
    await leaveToJob(client, org, id, former, former)
    expect(await named()).toBe('Acme')
    await client.query('delete from child_move where org_id = $1', [org.orgId])
    expect((await org.post(`/duplicates/undo-merge/${id}`)).status).toBe(200)
    await leaveToJob(client, org, id, acme, former)
    expect(await named()).toBe('Former')
    await client.query('delete from child_move where org_id = $1', [org.orgId])
  })
})

test('a push of a company’s people includes the people of a company that is merged into it while the push starts', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const [acme, former] = [await company(org, 'Acme'), await company(org, 'Former')]
  const own = await newContact(org, { email: 'own@example.com', company_id: acme })
  const moved = await newContact(org, { email: 'moved@example.com', company_id: former })
  await withClient(app, async (client) => {
    await client.query('begin')
    // The job waits for this lock after it built its query and before it reads its people.
    await client.query('lock table crm_job_item in share mode')
    const body = { connection_id, filter: { company_id: acme }, large_population_confirmed: true }
    const jobId = await push(org, body)
    await untilBlocked(client)
    const [{ merge_id: id } = { merge_id: '' }] = await merge(org, 'company', acme, former)
    await leaveToJob(client, org, id, former, former)
    await client.query('commit')
    await untilJobEnds(org, jobId)
    expect((await itemsOf(org, jobId)).map((item) => item.contact_id).sort()).toEqual([own, moved].sort())
    await client.query('delete from child_move where org_id = $1', [org.orgId])
  })
})
