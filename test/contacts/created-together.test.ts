import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Contact = Record<string, unknown> & { contact_id: string; email: string }

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const listed = async (org: TestOrg): Promise<Contact[]> => {
  const { data, pagination } = (await org.get('/contacts?limit=100')).body
  expect(pagination.total).toBe(data.length)
  return data
}

/** The object and the transaction of each event of created contacts. */
const eventsOf = (org: TestOrg): Promise<{ object_id: string; xact: string }[]> =>
  withClient(app, async (client) => {
    const text = `select object_id, xact::text from event where org_id = $1 and type = 'contact.created'`
    return (await client.query(text, [org.orgId])).rows
  })

test('contacts that are created at the same time share transactions, and each has its answer, event and keys', async () => {
  const org = await app.newOrg()
  const answers = await Promise.all(
    numbers(40).map((n) => org.post('/contacts', { email: `p${n}@x.example`, phone: '(415) 555-0100' })),
  )
  const created = answers.map(({ status, headers, body }, n): string => {
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('"1"')
    expect(body.data).toMatchObject({ email: `p${n}@x.example`, phone: '+14155550100', version: 1 })
    expect(headers.get('location')).toContain(body.data.contact_id)
    return body.data.contact_id
  })
  expect((await listed(org)).map(({ contact_id: id }) => id).sort()).toEqual(created.toSorted())
  for (const n of [0, 17, 39])
    expect((await org.get(`/contacts?email=P${n}@x.example`)).body.data).toEqual([answers[n]?.body.data])
  const events = await eventsOf(org)
  expect(events.map(({ object_id: id }) => id).sort()).toEqual(created.toSorted())
  expect(new Set(events.map(({ xact }) => xact)).size).toBeLessThan(40)
})

test('of contacts that are created at the same time, an invalid one and one that names a missing company fail alone', async () => {
  const org = await app.newOrg()
  const company = await org.post('/companies', { name: 'Acme' })
  const bodies = numbers(12).flatMap((n) => [
    { first_name: `Ada ${n}` },
    { city: 'Rome' },
    { first_name: 'Eve', company_id: '0190a000-0000-7000-8000-000000000000' },
    { first_name: 'Bob', company_id: company.body.data.company_id, custom: { n } },
  ])
  const answers = await Promise.all(bodies.map((body) => org.post('/contacts', body)))
  expect(answers.map(({ status }) => status)).toEqual(numbers(12).flatMap(() => [201, 422, 404, 201]))
  expect(answers[1]?.body.code).toBe('identity_missing')
  expect(answers[2]?.body.code).toBe('reference_not_found')
  expect(await listed(org)).toHaveLength(24)
  expect(await eventsOf(org)).toHaveLength(24)
})

test('equal requests with one Idempotency-Key create one contact, also beside others', async () => {
  const org = await app.newOrg()
  const headers = { 'idempotency-key': 'once' }
  const keyed = () => org.post('/contacts', { first_name: 'Ada' }, { headers })
  const others = numbers(8).map((n) => org.post('/contacts', { first_name: `Bob ${n}` }))
  const statuses = (await Promise.all([keyed(), ...others])).map(({ status }) => status)
  expect(statuses).toEqual(numbers(9).map(() => 201))
  expect((await keyed()).status).toBe(201)
  expect(await listed(org)).toHaveLength(9)
})

test('many contacts of one statement are stored like single contacts, whatever their values contain', async () => {
  const line = fc.string({ unit: fc.constantFrom(...'aß"\\\',{}()_ 1'), minLength: 1, maxLength: 8 })
  const word = line.filter((value) => value.trim() !== '')
  const item = fc.record(
    {
      emails: fc.subarray(['a@x.example', 'B@x.example', '"o\'b,{}"@x.example']),
      phones: fc.subarray(['+14155550100', '+442079460958']),
      last_name: word,
      company_name: line,
      tags: fc.array(word, { maxLength: 3 }),
      custom: fc.dictionary(word, fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom(...'a"\\\'{é') })),
      external_ids: fc.dictionary(word, word, { maxKeys: 2 }),
      consent: fc.constantFrom({ email: 'granted' }, { phone: 'denied' }),
      consent_details: fc.constantFrom({ email: { kind: 'written', source: 'a "form"', at: 5 } }),
      lifecycle_stage: fc.constantFrom('lead', null),
    },
    { requiredKeys: ['last_name'] },
  )
  const stored = async (items: unknown[], size: number) => {
    const org = await app.newOrg()
    const outcomes: unknown[] = []
    for (let from = 0; from < items.length; from += size) {
      const { body } = await org.post('/contacts/batch', { items: items.slice(from, from + size) })
      for (const { index: _, contact_id: __, ...outcome } of body.data) outcomes.push(outcome)
    }
    const seen = (await listed(org)).map(
      ({ contact_id: _, created_at: __, updated_at: ___, ...contact }) => contact,
    )
    return { outcomes, seen }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 100, maxLength: 100 }), async (items) => {
      expect(await stored(items, 100)).toEqual(await stored(items, 50))
    }),
    { numRuns: runs(2, 20) },
  )
})
