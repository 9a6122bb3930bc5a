import { afterAll, expect, test } from 'vitest'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

async function people(org: TestOrg, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, n) => ({
    first_name: `Ada ${n}`,
    email: `p${n}@x.example`,
  }))
  const { body } = await org.post('/contacts/batch', { items })
  return body.data.map(({ contact_id: id }: { contact_id: string }) => id)
}

const change = (org: TestOrg, id: string, body: object, version?: number): Promise<Answer> =>
  org.patch(`/contacts/${id}`, body, version === undefined ? {} : { headers: { 'if-match': `"${version}"` } })

test('changes of several contacts at the same time share transactions; changes of one contact follow one another', async () => {
  const org = await app.newOrg()
  const ids = await people(org, 20)
  const [first = ''] = ids
  const answers = await Promise.all([
    ...ids.map((id, n) => change(org, id, { city: `City ${n}`, email: `q${n}@x.example` })),
    ...ids.slice(0, 5).map(() => change(org, first, { job_title: 'Engineer' })),
    ...[1, 2, 3].map((n) => change(org, first, { region: `Region ${n}` })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const [n, { body, headers }] of answers.slice(1, 20).entries()) {
    expect(body.data).toMatchObject({ contact_id: ids[n + 1], city: `City ${n + 1}`, version: 2 })
    expect(headers.get('etag')).toBe('"2"')
    expect((await org.get(`/contacts?email=q${n + 1}@x.example`)).body.data).toEqual([body.data])
    expect((await org.get(`/contacts?email=p${n + 1}@x.example`)).body.data).toEqual([])
  }
  // City, job title and three regions: the four further changes of the job title change nothing.
  expect((await org.get(`/contacts/${first}`)).body.data).toMatchObject({
    ...{ city: 'City 0', job_title: 'Engineer', version: 6 },
    region: expect.stringMatching(/^Region [123]$/),
  })
  const events = await withClient(app, async (client) => {
    const text = `select object_id, xact::text from event where org_id = $1 and type = 'contact.updated'`
    return (await client.query(text, [org.orgId])).rows
  })
  expect(events).toHaveLength(24)
  expect(new Set(events.map(({ xact }) => xact)).size).toBeLessThan(24)
})

test('of changes at the same time, each fails alone: another version, an invalid value, an unknown or archived contact', async () => {
  const org = await app.newOrg()
  const ids = await people(org, 30)
  await org.delete(`/contacts/${ids[3]}`)
  const answers = await Promise.all(
    ids.map((id, n) => {
      if (n % 5 === 1) return change(org, id, { city: 'Rome' }, 9)
      if (n % 5 === 2) return change(org, '0190a000-0000-7000-8000-000000000000', { city: 'Rome' })
      if (n === 3) return change(org, id, { city: 'Rome' })
      if (n % 5 === 4) return change(org, id, { first_name: null, email: null })
      return change(org, id, { city: 'Rome' }, 1)
    }),
  )
  const expected = ids.map((_, n) => (n === 3 ? 409 : [200, 409, 404, 200, 422][n % 5]))
  expect(answers.map(({ status }) => status)).toEqual(expected)
  const codes = [1, 2, 3, 4].map((n) => answers[n]?.body.code)
  expect(codes).toEqual(['version_conflict', 'object_not_found', 'record_archived', 'identity_missing'])
})

test('a contact that another transaction has locked delays no change of other contacts', async () => {
  const org = await app.newOrg()
  const ids = await people(org, 12)
  const [held = '', ...others] = ids
  const waiting = await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [held])
    const own = change(org, held, { city: 'Rome' })
    const answers = await Promise.all(others.map((id) => change(org, id, { city: 'Rome' })))
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200))
    await client.query('commit')
    return own
  })
  expect((await waiting).body.data).toMatchObject({ city: 'Rome', version: 2 })
})
