import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const unknownId = '0192f000-0000-7000-8000-000000000000'
const batch = async (org: TestOrg, items: unknown[], path = '/contacts') =>
  (await org.post(`${path}/batch`, { items })).body.data
const create = async (org: TestOrg, fields: object, path = '/contacts') =>
  (await org.post(path, fields)).body.data
const find = async (org: TestOrg, contactId: string) => (await org.get(`/contacts/${contactId}`)).body.data

const types = [
  { path: '/contacts', id: 'contact_id', first: { first_name: 'Ada' }, change: { first_name: 'Grace' } },
  { path: '/companies', id: 'company_id', first: { name: 'Acme' }, change: { name: 'Apex' } },
  { path: '/deals', id: 'deal_id', first: { name: 'Ten seats' }, change: { name: 'Eleven seats' } },
]

test.each(types)(
  'an item of $path with an id changes, archives and restores that record',
  async ({ path, id, first, change }) => {
    const org = await app.newOrg()
    const { [id]: one } = await create(org, first, path)
    const { [id]: other } = await create(org, first, path)
    expect(
      await batch(
        org,
        [
          { [id]: one, ...change },
          { [id]: other, action: 'archive' },
          { [id]: other, action: 'archive' },
          { [id]: other, ...change },
          { [id]: other, action: 'restore', version: 2 },
          { [id]: other, ...change, version: 3 },
          { [id]: one, version: 1, ...change },
        ],
        path,
      ),
    ).toMatchObject([
      { index: 0, outcome: 'updated', [id]: one, version: 2 },
      { index: 1, outcome: 'archived', [id]: other, version: 2 },
      { index: 2, outcome: 'archived', [id]: other, version: 2 },
      { index: 3, outcome: 'failed', code: 'record_archived' },
      { index: 4, outcome: 'restored', [id]: other, version: 3 },
      { index: 5, outcome: 'updated', [id]: other, version: 4 },
      { index: 6, outcome: 'failed', code: 'version_conflict' },
    ])
    for (const [recordId, version] of [
      [one, 2],
      [other, 4],
    ])
      expect((await org.get(`${path}/${recordId}`)).body.data).toMatchObject({ ...change, version })
  },
)

test('an item with an id works like PATCH: it replaces lists, null clears a field, and other fields stay', async () => {
  const org = await app.newOrg()
  const { contact_id } = await create(org, {
    ...{ emails: ['a@x.example', 'b@x.example'], tags: ['one', 'two'] },
    ...{ city: 'Rome', first_name: 'Ada' },
  })
  await batch(org, [{ contact_id, emails: ['c@x.example'], tags: ['three'], city: null }])
  expect(await find(org, contact_id)).toMatchObject({
    ...{ email: 'c@x.example', emails: ['c@x.example'], tags: ['three'] },
    ...{ city: null, first_name: 'Ada', version: 2 },
  })
})

test('a later item of a batch sees the changes of an earlier item to the same record', async () => {
  const org = await app.newOrg()
  const { contact_id } = await create(org, { email: 'a@x.example' })
  const outcomes = await batch(org, [
    { contact_id, email: 'b@x.example', version: 1 },
    { contact_id, city: 'Rome', version: 2 },
    { match_on: 'email', email: 'b@x.example', region: 'Lazio' },
    { match_on: 'email', email: 'a@x.example' },
    { contact_id, action: 'archive' },
    { match_on: 'email', email: 'b@x.example' },
    { contact_id, action: 'restore' },
    { match_on: 'email', email: 'b@x.example' },
  ])
  expect(outcomes).toMatchObject([
    { outcome: 'updated', contact_id, version: 2 },
    { outcome: 'updated', contact_id, version: 3 },
    { outcome: 'updated', contact_id, version: 4 },
    { outcome: 'created', version: 1 },
    { outcome: 'archived', contact_id, version: 5 },
    { outcome: 'created', version: 1 },
    { outcome: 'restored', contact_id, version: 6 },
    { outcome: 'failed', code: 'ambiguous_match' },
  ])
  expect(await find(org, contact_id)).toMatchObject({ email: 'b@x.example', city: 'Rome', region: 'Lazio' })
})

test('an invalid item with an id fails, and the other items of the batch succeed', async () => {
  const org = await app.newOrg()
  const { contact_id } = await create(org, { first_name: 'Ada' })
  const { contact_id: erased } = await create(org, { first_name: 'Erased' })
  await org.post(`/contacts/${erased}/erase`)
  const loc = (...path: string[]) => [{ loc: path }]
  const bad: [item: object, code: string, detail?: unknown][] = [
    [{ contact_id: unknownId, city: 'Rome' }, 'object_not_found'],
    [{ contact_id: erased, city: 'Rome' }, 'object_not_found'],
    [{ contact_id: erased, action: 'restore' }, 'object_not_found'],
    [{ contact_id, city: 'Rome', version: 7 }, 'version_conflict', /names version 7, but this contact is at/],
    [{ contact_id, action: 'archive', version: 7 }, 'version_conflict'],
    [{ contact_id, company_id: unknownId }, 'reference_not_found'],
    [{ contact_id, first_name: null }, 'identity_missing', loc()],
    [{ contact_id, phone: '12' }, 'validation_failed', loc('phone')],
    [{ contact_id, version: 'two' }, 'validation_failed', loc('version')],
    [{ contact_id: 'seven', city: 'Rome' }, 'validation_failed', loc('contact_id')],
    [{ contact_id: null, city: 'Rome' }, 'validation_failed', loc('contact_id')],
    [{ contact_id, match_on: 'email', email: 'a@x.example' }, 'validation_failed', loc('match_on')],
    [{ contact_id, action: 'archive', city: 'Rome' }, 'validation_failed', loc('city')],
    [{ contact_id, action: 'erase' }, 'validation_failed', loc('action')],
    [{ action: 'archive' }, 'validation_failed', loc('contact_id')],
    [{ first_name: 'Ada', version: 1 }, 'validation_failed', loc('version')],
  ]
  const good = { contact_id, city: 'Oslo' }
  const outcomes = await batch(
    org,
    bad.flatMap(([item]) => [item, good]),
  )
  for (const [at, [item, code, detail]] of bad.entries()) {
    const failed = outcomes[at * 2]
    expect([item, failed.outcome, failed.code]).toEqual([item, 'failed', code])
    if (detail instanceof RegExp) expect(failed.detail).toMatch(detail)
    else if (detail) expect([item, failed.detail]).toMatchObject([item, detail])
    expect(outcomes[at * 2 + 1]).toEqual({ index: at * 2 + 1, outcome: 'updated', contact_id, version: 2 })
  }
  expect((await org.get('/contacts')).body.pagination.total).toBe(1)
})

test('an item with the id of an absorbed record changes the canonical record until an undo returns the write to the absorbed record', async () => {
  const org = await app.newOrg()
  const { contact_id: survivor_id } = await create(org, { first_name: 'Ada', city: 'Rome' })
  const { contact_id: absorbed } = await create(org, { first_name: 'Augusta', city: 'Oslo' })
  const merge = { entity_type: 'contact', survivor_id, loser_ids: [absorbed] }
  await org.post('/duplicates/merge', merge)
  const { data } = (await org.get('/duplicates/recent-merges')).body
  const { version } = await find(org, survivor_id)
  const outcomes = await batch(org, [
    { contact_id: absorbed, region: 'Oslo' },
    { contact_id: survivor_id, country: 'IT' },
    { contact_id: absorbed, action: 'archive' },
    { contact_id: survivor_id, action: 'restore' },
  ])
  expect(outcomes).toMatchObject(
    ['updated', 'updated', 'archived', 'restored'].map((outcome, index) => {
      return { index, outcome, contact_id: survivor_id, version: version + index + 1 }
    }),
  )
  expect(await find(org, survivor_id)).toMatchObject({ region: 'Oslo', country: 'IT' })
  await org.post(`/duplicates/undo-merge/${data[0].merge_id}`)
  expect(await find(org, absorbed)).toMatchObject({ first_name: 'Augusta', region: 'Oslo', country: null })
  expect(await find(org, survivor_id)).toMatchObject({ first_name: 'Ada', region: null, country: 'IT' })
})

test.each(types)(
  'a batch of $path with `return` shows each record as it is after the batch',
  async ({ path, id, first, change }) => {
    const org = await app.newOrg()
    const { [id]: one } = await create(org, first, path)
    const items = [{ [id]: one, action: 'archive' }, first, {}, { [id]: one, action: 'restore' }]
    const { body } = await org.post(`${path}/batch`, {
      items: [{ [id]: one, ...change, custom: { exact: 1e21 } }, ...items],
      return: 'record',
    })
    const { data } = body
    expect(body.pagination).toBeNull()
    expect(data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['updated', 'archived', 'created', 'failed', 'restored'],
    ])
    const shown = (await org.get(`${path}/${one}`)).body.data
    expect(shown).toMatchObject({ ...change, version: 4 })
    for (const index of [0, 1, 4]) expect(data[index].record).toEqual(shown)
    expect(data[2].record).toEqual((await org.get(`${path}/${data[2][id]}`)).body.data)
    expect(data[3]).not.toHaveProperty('record')
    expect((await org.post(`${path}/batch`, { items: [first], return: 'all' })).status).toBe(422)
  },
)

test('erasing a record erases stored answers that contain records, and keeps stored answers with ids only', async () => {
  const org = await app.newOrg()
  const { contact_id } = await create(org, { first_name: 'Lovelace' })
  const { contact_id: survivor_id } = await create(org, { first_name: 'Hopper' })
  const { contact_id: absorbed } = await create(org, { first_name: 'Hopper' })
  await org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids: [absorbed] })
  const send = (key: string, items: object[], how: object) =>
    org.post('/contacts/batch', { items, ...how }, { headers: { 'idempotency-key': key } })
  const requests = [
    () => send('shown', [{ contact_id, city: 'Rome' }, { first_name: 'Other' }], { return: 'record' }),
    () => send('merged', [{ contact_id: absorbed, city: 'Rome' }], { return: 'record' }),
    () => send('ids', [{ contact_id, city: 'Oslo' }], {}),
  ]
  for (const request of requests) {
    const first = await request()
    expect(first.status).toBe(200)
    expect((await request()).text).toBe(first.text)
  }
  for (const each of [contact_id, survivor_id])
    expect((await org.post(`/contacts/${each}/erase`)).status).toBe(200)
  const after = await Promise.all(requests.map((request) => request()))
  expect(after.map(({ status }) => status)).toEqual([409, 409, 200])
  for (const { text } of after) expect(text).not.toMatch(/Lovelace|Hopper/)
})
