import { afterAll, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

async function newContact(org: TestOrg, fields: object = { first_name: 'Ada', email: 'ada@x.example' }) {
  const { contact_id: id } = (await org.post('/contacts', fields)).body.data
  return { id, path: `/contacts/${id}` }
}

const typesOf = async (org: TestOrg, id: string) =>
  (await org.get(`/events?object_id=${id}`)).body.data.map((event: { type: string }) => event.type).reverse()

const counts = async (org: TestOrg, query = '') => {
  const { data, pagination } = (await org.get(`/contacts${query}`)).body
  return [data.length, pagination.total]
}

test.each(['"1"', '1', 'W/"1"', ' "1" ', '*'])('If-Match %s names the first version', async (ifMatch) => {
  const org = await app.newOrg()
  const { path } = await newContact(org)
  const headers = { 'if-match': ifMatch }
  const changed = await org.patch(path, { city: 'Rome' }, { headers })
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
  const again = await org.patch(path, { city: 'Oslo' }, { headers })
  expect(again.status).toBe(ifMatch === '*' ? 200 : 409)
  if (ifMatch !== '*') expect(again.body.detail).toMatch(/version 1\b.*version 2\b/)
})

test.each(['"x"', 'abc', '1.5', '-1', '""', '"1', '"1", "2"', '12345678901'])(
  'If-Match %s is malformed',
  async (ifMatch) => {
    const org = await app.newOrg()
    const { path } = await newContact(org)
    const headers = { 'if-match': ifMatch }
    const answers = [
      await org.patch(path, { city: 'Rome' }, { headers }),
      await org.delete(path, { headers }),
      await org.post(`${path}/restore`, undefined, { headers }),
      await org.post(`${path}/erase`, undefined, { headers }),
    ]
    const expected = ifMatch === '"1' ? 200 : 422
    for (const { status, body } of answers.slice(0, expected === 200 ? 1 : 4)) {
      expect(status).toBe(expected)
      if (status === 422) expect(body.detail[0].loc).toEqual(['header', 'if-match'])
    }
  },
)

test('every change with an old If-Match gets 409 and changes nothing', async () => {
  const org = await app.newOrg()
  const { id, path } = await newContact(org)
  const { body } = await org.patch(path, { city: 'Rome' })
  const headers = { 'if-match': '"1"' }
  const answers = [
    await org.patch(path, { city: 'Oslo' }, { headers }),
    await org.patch(path, {}, { headers }),
    await org.delete(path, { headers }),
    await org.post(`${path}/restore`, undefined, { headers }),
    await org.post(`${path}/erase`, undefined, { headers }),
    await org.patch(path, { city: 'Oslo' }, { headers: { 'if-match': '"3"' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409])
  expect((await org.get(path)).body).toEqual(body)
  expect(await typesOf(org, id)).toEqual(['contact.created', 'contact.updated'])
})

test('of ten concurrent changes with the same If-Match, exactly one succeeds', async () => {
  const org = await app.newOrg()
  const { id, path } = await newContact(org)
  const cities = Array.from({ length: 10 }, (_, n) => `City ${n}`)
  const headers = { 'if-match': '"1"' }
  const answers = await Promise.all(cities.map((city) => org.patch(path, { city }, { headers })))
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  expect((await org.get(path)).body).toEqual(won[0]!.body)
  expect(await typesOf(org, id)).toEqual(['contact.created', 'contact.updated'])
})

test('concurrent changes without If-Match all succeed, each with its own version', async () => {
  const org = await app.newOrg()
  const { path } = await newContact(org)
  const changes = [
    ...['city', 'region', 'country', 'job_title', 'last_name', 'source'].map((name) => ({ [name]: name })),
    { email: 'b@x.example' },
    { tags: ['t'] },
    { custom: { c: 1 } },
  ]
  const answers = await Promise.all(changes.map((change) => org.patch(path, change)))
  expect(answers.map(({ body }) => body.data.version).sort((a, b) => a - b)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  expect((await org.get(path)).body.data).toMatchObject(Object.assign({}, ...changes, { version: 10 }))
})

test('an archived contact is in no list, can be read, cannot be changed, and is restored unchanged', async () => {
  const org = await app.newOrg()
  const { id, path } = await newContact(org, {
    first_name: 'Ada',
    email: 'ada@x.example',
    phone: '+14155550100',
    tags: ['vip'],
  })
  const { body: created } = await org.get(path)
  const archived = await org.delete(path)
  expect([archived.status, archived.headers.get('etag')]).toEqual([200, '"2"'])
  expect(archived.body.data).toEqual({
    ...created.data,
    ...{ version: 2, archived_at: expect.any(Number), updated_at: expect.any(Number) },
  })
  expect((await org.get(path)).body).toEqual(archived.body)
  for (const query of ['', '?email=ada@x.example', '?phone=%2B14155550100', '?tag=vip', '?q=ada'])
    expect([query, await counts(org, query)]).toEqual([query, [0, 0]])
  expect((await org.get('/contacts?archived=true')).body.data).toEqual([archived.body.data])
  const changed = await org.patch(path, { city: 'Rome' })
  expect([changed.status, changed.body.detail]).toEqual([
    409,
    expect.stringContaining(`POST ${path}/restore`),
  ])
  const restored = await org.post(`${path}/restore`)
  expect(restored.status).toBe(200)
  expect(restored.body.data).toEqual({ ...created.data, version: 3, updated_at: expect.any(Number) })
  for (const query of ['', '?email=ada@x.example', '?phone=%2B14155550100', '?tag=vip', '?q=ada'])
    expect([query, await counts(org, query)]).toEqual([query, [1, 1]])
  expect(await typesOf(org, id)).toEqual(['contact.created', 'contact.archived', 'contact.restored'])
})

test('archiving or restoring twice has the same effect as once', async () => {
  const org = await app.newOrg()
  const { id, path } = await newContact(org)
  const twice = async (change: () => Promise<Answer>) => {
    const [first, ...rest] = [await change(), ...(await Promise.all([change(), change(), change()]))]
    for (const { status, body } of rest) expect([status, body]).toEqual([200, first.body])
    return first.body.data.version
  }
  expect(await twice(() => org.post(`${path}/restore`))).toBe(1)
  expect(await twice(() => org.delete(path))).toBe(2)
  expect(await counts(org)).toEqual([0, 0])
  expect(await twice(() => org.post(`${path}/restore`))).toBe(3)
  expect(await counts(org)).toEqual([1, 1])
  expect(await typesOf(org, id)).toEqual(['contact.created', 'contact.archived', 'contact.restored'])
})

test('after concurrent archiving and restoring, the match keys fit the final status', async () => {
  const org = await app.newOrg()
  const { path } = await newContact(org)
  const changes = Array.from({ length: 20 }, (_, n) =>
    n % 2 ? org.delete(path) : org.post(`${path}/restore`),
  )
  for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
  const shown = (await org.get(path)).body.data.archived_at === null ? 1 : 0
  expect(await counts(org)).toEqual([shown, shown])
  expect(await counts(org, '?email=ada@x.example')).toEqual([shown, shown])
})

test('a change that waited for another change has the later updated_at', async () => {
  const org = await app.newOrg()
  const { id, path } = await newContact(org)
  await withClient(app, async (client) => {
    const updatedAt = async () =>
      (await client.query('select updated_at::text as at from contact where contact_id = $1', [id])).rows[0]
        .at
    for (const change of [() => org.patch(path, { city: 'Rome' }), () => org.delete(path)]) {
      await client.query('begin')
      await client.query('select from contact where contact_id = $1 for update', [id])
      const changing = change()
      await untilBlocked(client)
      await client.query('update contact set updated_at = clock_timestamp() where contact_id = $1', [id])
      const before = await updatedAt()
      await client.query('commit')
      expect((await changing).status).toBe(200)
      expect((await updatedAt()) > before).toBe(true)
    }
  })
})
