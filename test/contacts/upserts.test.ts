import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const upsert = (org: TestOrg, body: object) => org.post('/contacts/upsert', body)
const total = async (org: TestOrg) => (await org.get('/contacts')).body.pagination.total

test('an upsert creates a contact if no contact matches, and otherwise updates the match', async () => {
  const org = await app.newOrg()
  const created = await upsert(org, {
    match_on: 'email',
    email: 'Ada@x.example',
    first_name: 'Ada',
    city: 'Rome',
  })
  expect([created.status, created.body.data]).toEqual([
    200,
    expect.objectContaining({ outcome: 'created', email: 'Ada@x.example', first_name: 'Ada', version: 1 }),
  ])
  const { contact_id: id } = created.body.data
  const updated = await upsert(org, {
    match_on: 'email',
    email: 'ADA@X.example',
    city: null,
    job_title: 'Countess',
  })
  const { outcome, ...data } = updated.body.data
  expect([updated.status, outcome, updated.headers.get('etag')]).toEqual([200, 'updated', '"2"'])
  expect(data).toMatchObject({
    contact_id: id,
    first_name: 'Ada',
    city: null,
    job_title: 'Countess',
    version: 2,
  })
  expect(data).toEqual((await org.get(`/contacts/${id}`)).body.data)
  const nothing = await upsert(org, { match_on: 'email', email: 'ada@x.example', job_title: 'Countess' })
  expect(nothing.body.data).toEqual({ ...data, outcome: 'updated' })
  const events = (await org.get(`/events?object_id=${id}`)).body.data
  expect(events.map((event: { type: string; changed: unknown }) => [event.type, event.changed])).toEqual([
    ['contact.updated', ['job_title', 'city']],
    ['contact.created', null],
  ])
})

test('an upsert adds elements to lists and removes none', async () => {
  const org = await app.newOrg()
  const first = {
    ...{ email: 'a@x.example', emails: ['a@x.example', 'b@x.example'], phone: '+14155550100', tags: ['one'] },
    ...{ external_ids: { hubspot: '1' }, custom: { a: 1 }, consent: { email: 'denied' } },
  }
  await upsert(org, { match_on: 'email', ...first })
  const { data } = (
    await upsert(org, {
      ...{ match_on: 'email', email: 'c@x.example', emails: ['B@x.example'], phone: '+14155550101' },
      ...{
        tags: ['two', 'one'],
        external_ids: { salesforce: '2' },
        custom: { b: 2 },
        consent: { phone: 'granted' },
      },
    })
  ).body
  expect(data).toMatchObject({
    outcome: 'updated',
    ...{ email: 'a@x.example', emails: ['a@x.example', 'b@x.example', 'c@x.example'] },
    ...{ phone: '+14155550100', phones: ['+14155550100', '+14155550101'], tags: ['one', 'two'] },
    ...{ external_ids: { hubspot: '1', salesforce: '2' }, custom: { a: 1, b: 2 } },
    consent: { email: 'denied', phone: 'granted' },
  })
  const bySecond = await upsert(org, { match_on: 'email', email: 'c@X.example', emails: null, tags: null })
  expect(bySecond.body.data).toEqual(data)
})

test('an upsert matches a phone number in any form, and any external id', async () => {
  const org = await app.newOrg({ country: 'GB' })
  const { data: byPhone } = (await upsert(org, { match_on: 'phone', phone: '+44 20 7946 0958' })).body
  expect((await upsert(org, { match_on: 'phone', phones: ['020 7946 0958'] })).body.data).toMatchObject({
    ...{ contact_id: byPhone.contact_id, outcome: 'updated' },
  })
  const ids = { hubspot: '1', salesforce: '2' }
  const { data: byId } = (await upsert(org, { match_on: 'external_id', external_ids: ids })).body
  expect(byId.outcome).toBe('created')
  const same = await upsert(org, { match_on: 'external_id', external_ids: { salesforce: '2' }, city: 'Rome' })
  expect(same.body.data).toMatchObject({ contact_id: byId.contact_id, external_ids: ids, city: 'Rome' })
  const other = await upsert(org, {
    match_on: 'external_id',
    external_ids: { hubspot: '2', salesforce: '1' },
  })
  expect(other.body.data.outcome).toBe('created')
  expect(await total(org)).toBe(3)
})

test('an upsert that would make a list longer than its maximum is refused', async () => {
  const org = await app.newOrg()
  const emails = Array.from({ length: 50 }, (_, n) => `p${n}@x.example`)
  const { data } = (await upsert(org, { match_on: 'email', emails })).body
  const grow = { match_on: 'email', email: 'p1@x.example', emails: ['one-more@x.example'] }
  const { status, body } = await upsert(org, grow)
  expect([status, body.detail]).toEqual([
    422,
    [expect.objectContaining({ type: 'too_long', loc: ['body', 'emails'] })],
  ])
  expect(
    (await org.patch(`/contacts/${data.contact_id}`, { email: 'new@x.example' })).body.data.emails,
  ).toHaveLength(50)
})

test('an upsert that matches several contacts gets 409 with their ids and writes nothing', async () => {
  const org = await app.newOrg()
  const ids: string[] = []
  for (const email of ['a@x.example', 'A@x.example', 'b@x.example'])
    ids.push((await org.post('/contacts', { email })).body.data.contact_id)
  const two = await upsert(org, { match_on: 'email', email: 'a@x.example', city: 'Rome' })
  expect([two.status, two.body.detail]).toEqual([
    409,
    expect.stringMatching(`^2 contacts.*${ids[0]}, ${ids[1]}\\.`),
  ])
  const three = await upsert(org, { match_on: 'email', emails: ['a@x.example', 'b@x.example'] })
  expect([three.status, three.body.detail]).toEqual([409, expect.stringMatching(/^3 contacts/)])
  for (let n = 0; n < 12; n++) await org.post('/contacts', { email: 'a@x.example' })
  const many = await upsert(org, { match_on: 'email', email: 'a@x.example' })
  expect(many.body.detail).toMatch(/^More than 10 contacts/)
  expect((await org.get('/events?type=contact.updated')).body.pagination.total).toBe(0)
  expect(await total(org)).toBe(15)
})

test.each([
  [{ email: 'a@x.example' }, ['body', 'match_on'], 'missing'],
  [{ match_on: 'name', email: 'a@x.example' }, ['body', 'match_on'], 'literal_error'],
  [{ match_on: 'email', phone: '+14155550100' }, ['body', 'match_on'], 'value_error'],
  [{ match_on: 'phone', email: 'a@x.example', phone: '' }, ['body', 'match_on'], 'value_error'],
  [{ match_on: 'external_id', email: 'a@x.example', external_ids: {} }, ['body', 'match_on'], 'value_error'],
  [{ match_on: 'email', email: 'nobody' }, ['body', 'email'], 'value_error'],
  [{ match_on: 'phone', phone: '+1' }, ['body', 'phone'], 'value_error'],
])('an upsert with %j gets a 422 at %j', async (body, loc, type) => {
  const org = await app.newOrg()
  const { status, body: answer } = await upsert(org, body)
  expect([status, answer.detail]).toEqual([422, [expect.objectContaining({ loc, type })]])
})

test('an upsert without match_on gets a 422 that lists the values of match_on', async () => {
  const { body } = await upsert(await app.newOrg(), { email: 'a@x.example' })
  const expected = expect.stringMatching(/^'email', .*'custom\.<key>'$/)
  const msg = expect.stringMatching(/^Field required: 'email', .* or 'custom\.<key>'$/)
  expect(body.detail).toEqual([{ type: 'missing', loc: ['body', 'match_on'], msg, ctx: { expected } }])
})

describe('concurrency', () => {
  test('twenty concurrent upserts with the same address create exactly one contact', async () => {
    const org = await app.newOrg()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        upsert(org, { match_on: 'email', email: 'a@x.example', tags: [`t${n}`] }),
      ),
    )
    const outcomes = answers.map(({ body }) => body.data.outcome).sort()
    expect(outcomes).toEqual(['created', ...Array(19).fill('updated')])
    const { data } = (await org.get('/contacts')).body
    expect(data).toHaveLength(1)
    expect(data[0].version).toBe(20)
    expect(data[0].tags).toHaveLength(20)
  })

  test('concurrent upserts with overlapping lists of addresses do not deadlock', async () => {
    const org = await app.newOrg()
    const emails = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example']
    const orders = Array.from({ length: 20 }, (_, n) => [...emails.slice(n % 4), ...emails.slice(0, n % 4)])
    const answers = await Promise.all(
      orders.map((order) => upsert(org, { match_on: 'email', emails: order })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await total(org)).toBe(1)
  })

  // A change of the contact commits while the upsert waits for the lock.
  const changes = {
    archived: `update contact set status = 'archived' where contact_id = $1`,
    erased: `update contact set status = 'erased' where contact_id = $1`,
    changed: `update contact set email = 'b@x.example', emails = '{b@x.example}' where contact_id = $1`,
  }
  test.each(Object.entries(changes))(
    'an upsert does not match a contact that a concurrent request has %s',
    async (_, change) => {
      const org = await app.newOrg()
      const { contact_id: id } = (await org.post('/contacts', { email: 'a@x.example' })).body.data
      await withClient(app, async (client) => {
        await client.query('begin')
        await client.query(change, [id])
        await client.query('delete from contact_key where contact_id = $1', [id])
        const upserting = upsert(org, { match_on: 'email', email: 'a@x.example' })
        await untilBlocked(client)
        await client.query('commit')
        const { status, body } = await upserting
        expect([status, body.data?.outcome]).toEqual([200, 'created'])
        expect(body.data.contact_id).not.toBe(id)
      })
    },
  )

  test('concurrent upserts update the canonical contact if their match is merged at the same time', async () => {
    const org = await app.newOrg()
    const make = async (email: string) =>
      (await org.post('/contacts', { email })).body.data.contact_id as string
    const [loser, survivor] = [await make('a@x.example'), await make('b@x.example')]
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query(`update contact set status = 'merged', merged_into_id = $2 where contact_id = $1`, [
        loser,
        survivor,
      ])
      await client.query(`update contact set emails = '{b@x.example,a@x.example}' where contact_id = $1`, [
        survivor,
      ])
      await client.query(`update contact_key set contact_id = $2 where contact_id = $1`, [loser, survivor])
      const upserting = upsert(org, { match_on: 'email', email: 'a@x.example', city: 'Rome' })
      await untilBlocked(client)
      await client.query('commit')
      const { status, body } = await upserting
      expect([status, body.data]).toEqual([
        200,
        expect.objectContaining({ outcome: 'updated', contact_id: survivor }),
      ])
    })
  })
})

test('an upsert ignores archived contacts, and a match with an absorbed contact updates its canonical contact', async () => {
  const org = await app.newOrg()
  const { contact_id: archived } = (await org.post('/contacts', { email: 'a@x.example' })).body.data
  await org.delete(`/contacts/${archived}`)
  const { contact_id: merged } = (await org.post('/contacts', { email: 'a@x.example' })).body.data
  const { contact_id: survivor } = (await org.post('/contacts', { first_name: 'Survivor' })).body.data
  await merge(org, 'contact', survivor, merged)
  const { data } = (await upsert(org, { match_on: 'email', email: 'a@x.example' })).body
  expect([data.outcome, data.contact_id]).toEqual(['updated', survivor])
})
