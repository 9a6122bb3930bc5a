import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const org = await app.newOrg()
const stranger = await app.newOrg()

type Item = {
  requested: string
  status: string
  record: Record<string, unknown> | null
  other_ids: string[]
}
const read = async (body: object, path = '/contacts', by: TestOrg = org): Promise<Item[]> => {
  const answer = await by.post(`${path}/batch/read`, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const create = async (fields: object, path = '/contacts', by: TestOrg = org) =>
  (await by.post(path, fields)).body.data
const merge = (survivor_id: string, ...loser_ids: string[]) =>
  org.post('/duplicates/merge', { entity_type: 'contact', survivor_id, loser_ids })

test('a batch read answers ids in their order, each with a status and the same record as a single read', async () => {
  const [plain, survivor, merged, archived, erased, gone, foreign] = [
    await create({ email: 'plain@x.example', custom: { n: 1.5 }, tags: ['a,b', 'c'] }),
    await create({ email: 'survivor@x.example' }),
    await create({ email: 'merged@x.example' }),
    await create({ email: 'archived@x.example' }),
    await create({ email: 'erased@x.example' }),
    await create({ email: 'gone@x.example' }),
    await create({ email: 'foreign@x.example' }, '/contacts', stranger),
  ].map(({ contact_id }) => contact_id)
  expect((await merge(survivor, merged)).status).toBe(200)
  expect((await merge(erased, gone)).status).toBe(200)
  await org.send('DELETE', `/contacts/${archived}`)
  await org.post(`/contacts/${erased}/erase`, {})
  const unknown = randomUUID()
  const ids = [merged, plain, foreign, archived, erased, gone, unknown, survivor, plain.toUpperCase()]
  const items = await read({ ids })
  expect(items.map(({ requested, status }) => [requested, status])).toEqual([
    [merged, 'merged'],
    [plain, 'found'],
    [foreign, 'not_found'],
    [archived, 'found'],
    [erased, 'erased'],
    [gone, 'erased'],
    [unknown, 'not_found'],
    [survivor, 'found'],
    [plain, 'found'],
  ])
  for (const { requested, status, record, other_ids } of items) {
    expect(other_ids).toEqual([])
    if (status === 'erased' || status === 'not_found') expect(record).toBeNull()
    else expect(record).toEqual((await org.get(`/contacts/${requested}`)).body.data)
  }
})

test('a batch read by a key returns the oldest active record, and lists the ids of the others', async () => {
  const ids: string[] = []
  for (const first_name of ['A', 'B', 'C', 'D'])
    ids.push(
      (await create({ first_name, email: `${first_name}@x.example`, emails: ['info@acme.example'] }))
        .contact_id,
    )
  await org.send('DELETE', `/contacts/${ids[1]}`)
  const items = await read({ emails: ['nobody@acme.example', 'INFO@acme.example', ' d@x.example '] })
  expect(items).toMatchObject([
    { requested: 'nobody@acme.example', status: 'not_found', record: null, other_ids: [] },
    {
      ...{ requested: 'INFO@acme.example', status: 'found', record: { contact_id: ids[0] } },
      other_ids: [ids[2], ids[3]],
    },
    { requested: 'd@x.example', status: 'found', record: { contact_id: ids[3] }, other_ids: [] },
  ])
})

test('for each requested address, a batch read lists at most 100 further records that have it', async () => {
  const items = Array.from({ length: 102 }, (_, n) => ({ first_name: `N${n}`, email: 'many@x.example' }))
  const { body } = await org.post('/contacts/batch', { items })
  const [found] = await read({ emails: ['many@x.example'] })
  expect(found!.other_ids).toEqual(
    body.data.slice(1, 101).map(({ contact_id }: { contact_id: string }) => contact_id),
  )
})

test('the parameter `fields` selects the fields of each record in a batch read', async () => {
  const fields = { email: 'shown@x.example', first_name: 'Shown' }
  const { contact_id } = await create(fields)
  const record = { first_name: 'Shown', version: 1 }
  const [byId] = await read({ ids: [contact_id, randomUUID()], fields: ['version', 'first_name'] })
  const [byEmail] = await read({ emails: [fields.email], fields: ['version', 'first_name'] })
  expect([byId!.record, byEmail!.record]).toEqual([record, record])
})

describe.each([
  ['/contacts', { phones: ['(415) 555-0190'] }, { first_name: 'P', phone: '+14155550190' }],
  ['/contacts', { external_ids: ['crm:a:b'] }, { external_ids: { crm: 'a:b' } }],
  ['/companies', { domains: ['https://www.acme.example/x'] }, { domain: 'acme.example' }],
  ['/companies', { phones: ['+14155550191'] }, { name: 'P', phone: '+14155550191' }],
  ['/companies', { external_ids: ['crm:c'] }, { external_ids: { crm: 'c' } }],
  ['/deals', { external_ids: ['crm:d'] }, { name: 'D', external_ids: { crm: 'd' } }],
])('POST %s/batch/read with %o', (path, body, fields) => {
  test('a batch read finds the record of this organization, and no record of another', async () => {
    await create(fields, path, stranger)
    expect(await read(body, path)).toMatchObject([{ status: 'not_found', record: null }])
    const record = await create(fields, path)
    expect(await read(body, path)).toMatchObject([{ status: 'found', record, other_ids: [] }])
  })
})

test.each([
  [{}, ['body']],
  [{ ids: [randomUUID()], emails: ['a@x.example'] }, ['body']],
  [{ ids: [] }, ['body', 'ids']],
  [{ ids: ['x'] }, ['body', 'ids', 0]],
  [{ ids: Array.from({ length: 501 }, () => randomUUID()) }, ['body', 'ids']],
  [{ emails: ['a@x.example', 'no address'] }, ['body', 'emails', 1]],
  [{ external_ids: ['crm'] }, ['body', 'external_ids', 0]],
  [{ ids: [randomUUID()], fields: ['nickname'] }, ['body', 'fields']],
  [{ fields: ['email'] }, ['body']],
  [{ domains: ['x.example'] }, ['body', 'domains']],
])('a batch read with %o gets 422', async (body, loc) => {
  const answer = await org.post('/contacts/batch/read', body)
  expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc }]])
})

test('a batch read stores no answer under an idempotency key', async () => {
  const { contact_id } = await create({ first_name: 'Ada' })
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const readOnce = async () =>
    (await org.post('/contacts/batch/read', { ids: [contact_id] }, options)).body.data[0].record
  expect(await readOnce()).toMatchObject({ city: null })
  await org.send('PATCH', `/contacts/${contact_id}`, { body: { city: 'Rome' } })
  expect(await readOnce()).toMatchObject({ city: 'Rome' })
})
