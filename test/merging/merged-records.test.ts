import { afterAll, describe, expect, test } from 'vitest'
import { checkMergedRecords } from '../../src/duplicates/check-merged-records.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

async function pair(org: TestOrg, path: '/contacts' | '/companies') {
  const id = path === '/contacts' ? 'contact_id' : 'company_id'
  const make = async (fields: object) => (await org.post(path, fields)).body.data[id] as string
  const name = path === '/contacts' ? 'first_name' : 'name'
  const survivor = await make({ [name]: 'Survivor', tags: ['both'] })
  const loser = await make({ [name]: 'Loser', tags: ['both'] })
  return { survivor, loser, make }
}

/** The company of a contact: the written id, and the canonical company. */
async function companyOf(contactId: string) {
  const [row] = await app.operate((tx) =>
    tx.rows<{ raw: string | null; canonical: string | null }>({
      text: 'select company_raw_id as raw, company_id as canonical from contact where contact_id = $1',
      values: [contactId],
    }),
  )
  return row!
}

describe.each([
  { path: '/contacts', entity: 'contact' },
  { path: '/companies', entity: 'company' },
] as const)('a merged $entity', ({ path, entity }) => {
  test('GET with the id of an absorbed record returns the canonical record', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    await merge(org, entity, survivor, loser)
    const [asked, direct] = [await org.get(`${path}/${loser}`), await org.get(`${path}/${survivor}`)]
    expect(asked.text).toBe(direct.text)
    expect(asked.headers.get('etag')).toBe(direct.headers.get('etag'))
    expect(asked.headers.get('content-location')).toBe(`/api/v1${path}/${survivor}`)
    expect(direct.headers.get('content-location')).toBeNull()
  })

  test('merged_ids of a canonical record lists the absorbed record in all answers until an undo', async () => {
    const org = await app.newOrg()
    const { survivor, loser, make } = await pair(org, path)
    const key = path === '/contacts' ? 'first_name' : 'name'
    const other = await make({ [key]: 'Other', external_ids: { crm: '2', erp: '9' } })
    await org.patch(`${path}/${survivor}`, { external_ids: { crm: '1' } })
    const idField = path === '/contacts' ? 'contact_id' : 'company_id'
    const [inner] = await merge(org, entity, loser, other)
    const answer = await org.post('/duplicates/merge', {
      entity_type: entity,
      survivor_id: survivor,
      loser_ids: [loser],
    })
    const shows = { merged_ids: [loser, other].sort(), merged_external_ids: { crm: ['2'] } }
    expect(answer.body.data.record).toMatchObject({ ...shows, external_ids: { crm: '1', erp: '9' } })
    const { data } = (await org.get(path)).body
    expect(data).toMatchObject([{ [idField]: survivor, ...shows }])
    const upsert = { match_on: 'external_id', [key]: 'Survivor', external_ids: { crm: '2' } }
    expect((await org.get(`${path}/${other}`)).body.data).toMatchObject(shows)
    await org.post(`/duplicates/undo-merge/${inner!.merge_id}`)
    const left = { merged_ids: [loser], merged_external_ids: {}, external_ids: { crm: '1' } }
    expect((await org.get(`${path}/${survivor}`)).body.data).toMatchObject(left)
    const alone = { merged_ids: [], merged_external_ids: {}, external_ids: { crm: '2', erp: '9' } }
    expect((await org.post(`${path}/upsert`, upsert)).body.data).toMatchObject(alone)
    expect(await checkMergedRecords(app.app.context.database.org(org.orgId))).toMatchObject({
      deviations: [],
    })
  })

  test('an undo creates a new version of the survivor even if the survivor loses only a hidden external id', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    for (const [id, crm] of [
      [survivor, '1'],
      [loser, '2'],
    ])
      await org.patch(`${path}/${id}`, { external_ids: { crm } })
    await merge(org, entity, survivor, loser)
    const before = (await org.get(`${path}/${survivor}`)).body.data
    expect(before.merged_external_ids).toEqual({ crm: ['2'] })
    const after = (await org.patch(`${path}/${survivor}`, { external_ids: { crm: '1' } })).body.data
    expect([after.merged_external_ids, after.version]).toEqual([{}, before.version + 1])
    expect(await checkMergedRecords(app.app.context.database.org(org.orgId))).toMatchObject({
      deviations: [],
    })
  })

  test('erasing a canonical record writes an event for each absorbed record', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    await merge(org, entity, survivor, loser)
    await org.post(`${path}/${survivor}/erase`)
    const { data } = (await org.get(`/events?type=${entity}.erased`)).body
    const shown = data.map((event: { object_id: string; data: unknown }) => [event.object_id, event.data])
    expect(Object.fromEntries(shown)).toEqual({ [survivor]: null, [loser]: { survivor_id: survivor } })
  })

  test('an absorbed record is in no list and is not counted in totals', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    await merge(org, entity, survivor, loser)
    for (const query of ['', '?tag=both', '?q=survivor', '?updated_since=0']) {
      const { data, pagination } = (await org.get(`${path}${query}`)).body
      expect([query, data.length, pagination.total]).toEqual([query, 1, 1])
      expect(data[0][`${entity}_id`]).toBe(survivor)
    }
    for (const query of ['?q=loser', '?archived=true'])
      expect((await org.get(`${path}${query}`)).body.pagination.total).toBe(0)
  })

  test('changing, archiving or restoring an absorbed record changes the canonical record', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    await merge(org, entity, survivor, loser)
    const changed = await org.patch(`${path}/${loser}`, { city: 'Rome' }, { headers: { 'if-match': '"2"' } })
    expect(changed.body.data).toMatchObject({ [`${entity}_id`]: survivor, city: 'Rome', version: 3 })
    expect(changed.headers.get('content-location')).toBe(`/api/v1${path}/${survivor}`)
    expect(
      (await org.patch(`${path}/${loser}`, { city: 'Oslo' }, { headers: { 'if-match': '1' } })).status,
    ).toBe(409)
    expect((await org.delete(`${path}/${loser}`)).body.data.archived_at).toEqual(expect.any(Number))
    expect((await org.get(`${path}/${survivor}`)).body.data.archived_at).not.toBeNull()
    const restored = await org.post(`${path}/${loser}/restore`)
    expect(restored.body.data).toMatchObject({ [`${entity}_id`]: survivor, archived_at: null })
    expect((await org.get(path)).body.pagination.total).toBe(1)
  })

  test('a change that waits for the merge of its record changes the canonical record', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, path)
    const id = `${entity}_id`
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query(`select from ${entity} where ${id} = $1 for update`, [loser])
      const merging = merge(org, entity, survivor, loser)
      await untilBlocked(client)
      const changing = org.patch(`${path}/${loser}`, { city: 'Rome' })
      await untilBlocked(client, 2)
      await client.query('commit')
      await merging
      const { status, body } = await changing
      expect([status, body.data?.[id], body.data?.city]).toEqual([200, survivor, 'Rome'])
    })
  })
})

describe('companies of contacts', () => {
  test('the company_id of a contact is stored as written, and answers show the canonical company', async () => {
    const org = await app.newOrg()
    const { survivor, loser, make } = await pair(org, '/companies')
    const before = await org.post('/contacts', { first_name: 'Ada', company_id: loser })
    await merge(org, 'company', survivor, loser)
    const after = await org.post('/contacts', { first_name: 'Grace', company_id: loser })
    expect(after.body.data.company_id).toBe(survivor)
    for (const { body } of [before, after])
      expect(await companyOf(body.data.contact_id)).toEqual({ raw: loser, canonical: survivor })
    const path = `/contacts/${after.body.data.contact_id}`
    expect((await org.get(path)).body.data.company_id).toBe(survivor)
    const other = await make({ name: 'Other' })
    for (const [named, canonical] of [
      [other, other],
      [loser, survivor],
      [survivor, survivor],
      [null, null],
    ]) {
      expect((await org.patch(path, { company_id: named })).body.data.company_id).toBe(canonical)
      expect(await companyOf(after.body.data.contact_id)).toEqual({ raw: named, canonical })
    }
    const events = (await org.get(`/events?object_id=${after.body.data.contact_id}&type=contact.updated`))
      .body.data
    for (const event of events) expect(event.changed).toEqual(['company_id'])
  })

  test('contacts can be filtered by any id of their merged company', async () => {
    const org = await app.newOrg()
    const { survivor, loser } = await pair(org, '/companies')
    const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada', company_id: loser })).body
      .data
    await merge(org, 'company', survivor, loser)
    for (const company of [loser, survivor]) {
      const { data, pagination } = (await org.get(`/contacts?company_id=${company}`)).body
      expect([data.map((c: { contact_id: string }) => c.contact_id), pagination.total]).toEqual([[id], 1])
    }
  })

  test('a contact that is written during a merge of its company refers to the canonical company', async () => {
    const org = await app.newOrg()
    const { survivor, loser, make } = await pair(org, '/companies')
    const root = await make({ name: 'Root' })
    await merge(org, 'company', survivor, loser)
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from company where company_id = $1 for update', [survivor])
      const merging = merge(org, 'company', root, survivor)
      await untilBlocked(client)
      const creating = org.post('/contacts', { first_name: 'Ada', company_id: loser })
      await untilBlocked(client, 2)
      await client.query('commit')
      await merging
      const { status, body } = await creating
      expect([status, body.data?.company_id]).toEqual([201, root])
      expect(await companyOf(body.data.contact_id)).toEqual({ raw: loser, canonical: root })
    })
  })

  test('company_id gets a 404 with the field name if the company is erased or belongs to another organization', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const foreign = (await other.post('/companies', { name: 'Foreign' })).body.data.company_id
    const { survivor, loser } = await pair(org, '/companies')
    await merge(org, 'company', survivor, loser)
    await org.post(`/companies/${survivor}/erase`)
    const contact = await org.post('/contacts', { first_name: 'Ada' })
    const unknown = '0190a000-0000-7000-8000-000000000000'
    for (const company_id of [foreign, survivor, loser, unknown]) {
      const answers = [
        await org.post('/contacts', { first_name: 'Grace', company_id }),
        await org.patch(`/contacts/${contact.body.data.contact_id}`, { company_id }),
        await org.post('/contacts/upsert', { match_on: 'email', email: 'g@x.example', company_id }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.detail]).toEqual([404, expect.stringMatching(`company_id.*${company_id}`)])
      }
    }
    expect((await org.get('/contacts')).body.data).toEqual([contact.body.data])
  })

  test('the company of a contact can be archived', async () => {
    const org = await app.newOrg()
    const { survivor } = await pair(org, '/companies')
    await org.delete(`/companies/${survivor}`)
    const { status, body } = await org.post('/contacts', { first_name: 'Ada', company_id: survivor })
    expect([status, body.data.company_id]).toEqual([201, survivor])
  })
})

describe('websites', () => {
  const domainsOf = async (org: TestOrg, id: string) =>
    (await org.get(`/companies/${id}`)).body.data.domains as string[]

  test.each([
    { named: 'loser', survivorHas: 's.example', loserHas: undefined, merged: ['s.example', 'new.example'] },
    {
      named: 'survivor',
      survivorHas: undefined,
      loserHas: 'l.example',
      merged: ['new.example', 'l.example'],
    },
  ] as const)(
    'a website that is written during a merge of companies gives its domain to the $named, which had none',
    async ({ named, survivorHas, loserHas, merged }) => {
      const org = await app.newOrg()
      const make = async (fields: object) =>
        (await org.post('/companies', fields)).body.data.company_id as string
      const ids = {
        survivor: await make({ name: 'Survivor', ...(survivorHas && { domain: survivorHas }) }),
        loser: await make({ name: 'Loser', ...(loserHas && { domain: loserHas }) }),
      }
      const [made] = await merge(org, 'company', ids.survivor, ids.loser)
      await org.patch(`/companies/${ids[named]}`, { website: 'https://new.example/about' })
      expect(await domainsOf(org, ids.survivor)).toEqual(merged)
      expect((await org.get('/companies?domain=new.example')).body.pagination.total).toBe(1)
      await org.patch(`/companies/${ids[named]}`, { website: 'https://another.example' })
      expect(await domainsOf(org, ids.survivor)).toEqual(merged)
      expect((await org.post(`/duplicates/undo-merge/${made!.merge_id}`)).status).toBe(200)
      expect(await domainsOf(org, ids.survivor)).toEqual([survivorHas ?? 'new.example'])
      expect(await domainsOf(org, ids.loser)).toEqual([loserHas ?? 'new.example'])
      expect((await checkMergedRecords(app.app.context.database.org(org.orgId))).deviations).toEqual([])
    },
  )
})
