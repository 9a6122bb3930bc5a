import { afterAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { keyHash } from '../../src/records/keys.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { dumpTables, untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close())

const personal = {
  email: 'zebedee@planted.example',
  emails: ['second-zebedee@planted.example'],
  phone: '+14155550191',
  phones: ['+14155550192'],
  first_name: 'Zebedeeplanted',
  last_name: 'Quagmireplanted',
  company_name: 'Companyplanted',
  job_title: 'Titleplanted',
  linkedin_url: 'https://linkedin.example/in/planted',
  city: 'Cityplanted',
  region: 'Regionplanted',
  country: 'Countryplanted',
  lifecycle_stage: 'opportunity',
  consent: { email: 'denied', phone: 'granted' },
  consent_details: { email: { kind: 'implied', source: 'formplanted' } },
  tags: ['tagplanted'],
  custom: { keyplanted: 'valueplanted' },
  external_ids: { systemplanted: 'idplanted' },
  source: 'sourceplanted',
}
const traces = ['planted', '4155550191', '4155550192', 'opportunity', 'granted', 'denied', 'implied']

async function remains(hashes: string[]): Promise<string[]> {
  const migration = '0053_ads_denied.sql'
  const dump = (await dumpTables(app)).toLowerCase().replaceAll(migration, '')
  return [...traces, ...hashes].filter((trace) => dump.includes(trace))
}

async function hashesOf(org: TestOrg): Promise<string[]> {
  const rows = await app.operate((tx) =>
    tx.rows<{ hash: string }>({
      text: 'select hash::text from contact_key where org_id = $1',
      values: [org.orgId],
    }),
  )
  return rows.map(({ hash }) => hash)
}

test('erasing a contact removes its data from every table, and its id then gets 404', async () => {
  const org = await app.newOrg()
  const kept = await org.post('/contacts', { first_name: 'Kept' })
  const { contact_id: id } = (await org.post('/contacts', personal)).body.data
  const path = `/contacts/${id}`
  const hashes = await hashesOf(org)
  expect(hashes).toContain(keyHash({ kind: 'email', value: 'second-zebedee@planted.example' }))
  expect(hashes).toHaveLength(2 + 2 + 1 + 1)
  await org.patch(path, { city: 'Othercityplanted', custom: { keyplanted: 'othervalueplanted' } })
  await org.patch(path, { city: personal.city })
  expect(await remains(hashes)).toEqual([...traces, ...hashes])
  const erased = await org.post(`${path}/erase`)
  expect([erased.status, erased.body]).toEqual([
    200,
    { data: { contact_id: id, erased: true }, pagination: null },
  ])
  expect(await remains(hashes)).toEqual([])
  expect(await hashesOf(org)).toEqual([])
  const answers = [
    await org.get(path),
    await org.patch(path, { first_name: 'Back' }),
    await org.delete(path),
    await org.post(`${path}/restore`),
    await org.post(`${path}/erase`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  const listed = (await org.get('/contacts')).body
  expect([listed.data, listed.pagination.total]).toEqual([[kept.body.data], 1])
  expect((await org.get('/contacts?archived=true')).body.pagination.total).toBe(0)
  for (const query of [
    'email=zebedee@planted.example',
    'phone=%2B14155550192',
    'tag=tagplanted',
    'q=zebedee',
  ])
    expect((await org.get(`/contacts?${query}`)).body.pagination.total).toBe(0)
  const [event] = (await org.get('/events')).body.data
  expect(event).toMatchObject({
    type: 'contact.erased',
    object_id: id,
    api_key_id: org.apiKeyId,
    changed: null,
    data: null,
  })
})

test('an archived contact can be erased', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = (await org.post('/contacts', personal)).body.data
  const hashes = await hashesOf(org)
  await org.delete(`/contacts/${id}`)
  expect(await hashesOf(org)).toEqual([])
  expect((await org.post(`/contacts/${id}/erase`)).status).toBe(200)
  expect(await remains(hashes)).toEqual([])
  for (const archived of [false, true])
    expect((await org.get(`/contacts?archived=${archived}`)).body.pagination.total).toBe(0)
})

test('erasing a contact by any of its ids erases the contacts that it absorbed', async () => {
  const org = await app.newOrg()
  const { contact_id: survivor } = (await org.post('/contacts', { first_name: 'Survivorplanted' })).body.data
  const { contact_id: loser } = (await org.post('/contacts', personal)).body.data
  const hashes = await hashesOf(org)
  await merge(org, 'contact', survivor, loser)
  const erased = await org.post(`/contacts/${loser}/erase`)
  expect([erased.status, erased.body.data]).toEqual([200, { contact_id: survivor, erased: true }])
  expect(await remains(hashes)).toEqual([])
  for (const id of [loser, survivor]) expect((await org.get(`/contacts/${id}`)).status).toBe(404)
})

test('erasing a contact empties every column, including columns that are added later', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  await org.post(`/contacts/${id}/erase`)
  const [row] = await app.operate((tx) =>
    tx.rows<Record<string, unknown>>({ text: 'select * from contact where contact_id = $1', values: [id] }),
  )
  // Erasure keeps ids, and the times of creation, change and archiving.
  const kept = new Set([
    'org_id',
    'contact_id',
    'status',
    'merged_into_id',
    'import_id',
    'version',
    'created_at',
    'updated_at',
    'archived_at',
  ])
  const others = Object.keys(row!).filter((column) => !kept.has(column) && column !== 'search')
  const emptied = [...Object.keys(contacts.columns), 'facts', 'merged_ids', 'merged_external_ids']
  expect(others.toSorted()).toEqual(emptied.toSorted())
})

test('a contact cannot refer to a company that is erased at the same time', async () => {
  const org = await app.newOrg()
  const { company_id } = (await org.post('/companies', { name: 'Acme' })).body.data
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query(`select from company where company_id = $1 for update`, [company_id])
    const creating = org.post('/contacts', { first_name: 'Ada', company_id })
    await untilBlocked(client)
    await client.query(`update company set status = 'erased' where company_id = $1`, [company_id])
    await client.query('commit')
    const { status, body } = await creating
    expect([status, body.detail]).toEqual([404, expect.stringContaining('company_id')])
  })
})

test('erasing a company removes its data, and its contacts stay without a company', async () => {
  const org = await app.newOrg()
  const planted = {
    ...{
      name: 'Nameplanted',
      domain: 'planted.example',
      phone: '+14155550191',
      website: 'https://planted.example',
    },
    ...{
      industry: 'Industryplanted',
      employee_count: 98_765_432,
      city: 'Cityplanted',
      tags: ['tagplanted'],
    },
    ...{ custom: { keyplanted: 1 }, external_ids: { systemplanted: 'idplanted' }, source: 'sourceplanted' },
  }
  const { company_id } = (await org.post('/companies', planted)).body.data
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada', company_id })).body.data
  expect((await org.post(`/companies/${company_id}/erase`)).body.data).toEqual({ company_id, erased: true })
  expect((await remains([])).concat((await dumpTables(app)).match(/98765432/g) ?? [])).toEqual([])
  expect((await org.get(`/companies/${company_id}`)).status).toBe(404)
  expect((await org.get(`/contacts/${id}`)).body.data).toMatchObject({ company_id: null, version: 2 })
  const [event] = (await org.get(`/events?object_id=${id}`)).body.data
  expect(event).toMatchObject({
    type: 'contact.updated',
    changed: ['company_id'],
    api_key_id: org.apiKeyId,
  })
  const changed = await org.patch(`/contacts/${id}`, { city: 'Rome' })
  expect([changed.status, changed.body.data.company_id]).toEqual([200, null])
  const named = await org.patch(`/contacts/${id}`, { company_id })
  expect([named.status, named.body.detail]).toEqual([404, expect.stringContaining('company_id')])
  expect((await org.delete(`/contacts/${id}`)).status).toBe(200)
  expect((await org.post(`/contacts/${id}/restore`)).status).toBe(200)
})

test('erasing a company clears the company of all its contacts, even if there are thousands', async () => {
  const org = await app.newOrg()
  const [acme, absorbed, other] = await Promise.all(
    ['Acme', 'Absorbed', 'Other'].map(
      async (name) => (await org.post('/companies', { name })).body.data.company_id as string,
    ),
  )
  const batches = [...[acme, acme, acme, absorbed].map((id) => [id, 500] as const), [other, 10] as const]
  for (const [company_id, length] of batches) {
    const items = Array.from({ length }, () => ({ first_name: 'Ada', company_id }))
    expect((await org.post('/contacts/batch', { items })).status).toBe(200)
  }
  const archived = (await org.get(`/contacts?company_id=${acme}&limit=1`)).body.data[0].contact_id
  await org.delete(`/contacts/${archived}`)
  await merge(org, 'company', acme!, absorbed!)
  expect((await org.post(`/companies/${acme}/erase`)).status).toBe(200)
  const left = await app.operate((tx) =>
    tx.rows({
      text: `
        select company_id, company_raw_id, count(*) from contact
        where org_id = $1 and contact_id <> $2 group by 1, 2 order by 1`,
      values: [org.orgId, archived],
    }),
  )
  expect(left).toEqual([
    { company_id: other, company_raw_id: other, count: 10 },
    { company_id: null, company_raw_id: null, count: 1999 },
  ])
  expect((await org.get(`/contacts/${archived}`)).body.data).toMatchObject({ company_id: null, version: 3 })
  expect((await org.get('/events?type=contact.updated')).body.pagination.total).toBe(2500)
})

test('erasing a company waits for concurrent changes of its contacts', async () => {
  const org = await app.newOrg()
  const { company_id } = (await org.post('/companies', { name: 'Acme' })).body.data
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada', company_id })).body.data
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('update contact set city = $2, version = version + 1 where contact_id = $1', [
      id,
      'Rome',
    ])
    const erasing = org.post(`/companies/${company_id}/erase`)
    await untilBlocked(client)
    await client.query('commit')
    expect((await erasing).status).toBe(200)
  })
  expect((await org.get(`/contacts/${id}`)).body.data).toMatchObject({
    ...{ city: 'Rome', company_id: null, version: 3 },
  })
})
