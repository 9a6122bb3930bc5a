import { afterAll, describe, expect, test } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { type JsonSchema, toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { sharedTestApp } from '../support/app.ts'
import { exchange, rawRequest } from '../support/raw-http.ts'
import { call, everyEndpoint, exampleOf, unknownIds } from '../support/walk.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const org = await app.newAgency()
await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 10_000, perMinute: 10_000 }))

const name = 'no_such_name'
const refused = (...loc: (string | number)[]) => ({
  type: 'extra_forbidden',
  loc,
  msg: 'Extra inputs are not permitted',
})

type Step = string | number

/** The paths of all objects with named members in a body, at any depth. */
function objectsIn(schema: JsonSchema): Step[][] {
  // Skip items of a batch: an invalid item fails alone, and the answer is 200.
  if (schema.title?.endsWith('BatchItem')) return []
  const { properties, items, anyOf = [], additionalProperties } = schema
  const within = Object.entries(properties ?? {}).flatMap(([step, inner]) =>
    objectsIn(inner as JsonSchema).map((path) => [step, ...path]),
  )
  const inItems = items ? objectsIn(items as JsonSchema).map((path) => [0, ...path]) : []
  return [
    ...(properties && additionalProperties === false ? [[]] : []),
    ...within,
    ...inItems,
    ...anyOf.flatMap((each) => objectsIn(each as JsonSchema)),
  ]
}

/** What the other members of an object decide: a condition names its field. */
const requiredMembers: Record<string, object> = {
  conditions: { field: 'job_title', operator: 'eq', value: 'Owner' },
}

function withUnknown(value: unknown, [step, ...rest]: Step[]): unknown {
  if (step === undefined) return { ...(value as object), [name]: 1 }
  if (typeof step === 'number') return [withUnknown((value as unknown[] | undefined)?.[step] ?? {}, rest)]
  const members = (value ?? {}) as Record<string, unknown>
  return { ...members, [step]: withUnknown(members[step] ?? requiredMembers[step] ?? {}, rest) }
}

const bodyPaths = ({ body }: Endpoint): Step[][] => (body ? objectsIn(toJsonSchema(body, 'input')) : [[]])

describe('an unknown name gets a 422 with its place', () => {
  test('an unknown field of a nested object gets a 422 with its place', () => {
    const nested = everyEndpoint.flatMap(([, endpoint]) => bodyPaths(endpoint)).filter((path) => path.length)
    expect(nested.length).toBeGreaterThan(8)
  })

  describe.each(everyEndpoint)('%s refuses unknown names', (_name, endpoint) => {
    const params = unknownIds(endpoint)

    test('an unknown query parameter gets a 422 that names the parameter', async () => {
      const answer = await call(endpoint, org, params, { query: `?${name}=1` })
      expect(answer.status, answer.text).toBe(422)
      expect(answer.body.detail).toContainEqual(expect.objectContaining(refused('query', name)))
    })

    if (endpoint.method === 'GET') return

    test.each(bodyPaths(endpoint).map((path) => [path.join('.') || 'itself', path] as const))(
      'an unknown field of the body gets a 422 with its place: %s',
      async (_place, path) => {
        const body = withUnknown(endpoint.body && exampleOf(endpoint, params), path)
        const answer = await call(endpoint, org, params, { body })
        expect(answer.status, answer.text).toBe(422)
        expect(answer.body.detail).toContainEqual(expect.objectContaining(refused('body', ...path, name)))
      },
    )
  })
})

test('the error for an unknown name suggests the nearest known name', async () => {
  const answer = await org.get('/contacts?emial=ada@example.com')
  expect([answer.status, answer.body]).toEqual([
    422,
    { detail: [{ ...refused('query', 'emial'), ctx: { nearest: 'email' } }], code: 'validation_failed' },
  ])
})

test('a batch item with a misspelled id field is refused, because it would create a duplicate', async () => {
  const id = '0192f000-0000-7000-8000-000000000000'
  const items = [
    { contact_id: id, first_name: 'Ada' },
    { contactid: id, first_name: 'Ada' },
  ]
  const { body } = await org.post('/contacts/batch', { items })
  expect(body.data).toMatchObject([
    { index: 0, outcome: 'failed', code: 'object_not_found' },
    { index: 1, outcome: 'failed', code: 'validation_failed', detail: [refused('contactid')] },
  ])
})

test('an import with a misspelled `dry_run` is refused, because it would really import', async () => {
  const headers = { 'content-type': 'text/csv' }
  const raw = 'email\nada@example.com\n'
  const answer = await org.post('/contacts/imports?dryrun=true', undefined, { raw, headers })
  expect([answer.status, answer.body.detail]).toEqual([
    422,
    [{ ...refused('query', 'dryrun'), ctx: { nearest: 'dry_run' } }],
  ])
  expect((await org.get('/imports')).body.pagination.total).toBe(0)
})

test('with a JSON body, an import refuses the query parameters that belong to a CSV body', async () => {
  const answer = await org.post('/contacts/imports?file_name=a.csv&mapping={}', {
    csv: 'email\nx@y.example\n',
  })
  expect([answer.status, answer.body.detail]).toMatchObject([
    422,
    [{ loc: ['query', 'mapping'] }, { loc: ['query', 'file_name'] }],
  ])
})

test('a phone number without a digit is reported with the other problems of the request', async () => {
  const answer = await org.post('/contacts', { phone: 'home', phones: ['+1', 'work'], email: 5, city: 6 })
  expect(answer.body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'))).toEqual([
    ...['email', 'phone', 'phones.0', 'phones.1', 'city'],
  ])
})

test('one answer names all references to missing records', async () => {
  const [company, ada, bob] = ['a', 'b', 'c'].map((end) => `0192f000-0000-7000-8000-00000000000${end}`)
  const answer = await org.post('/deals', { name: 'D', company_id: company, contact_ids: [ada, bob] })
  expect([answer.status, answer.body.detail]).toEqual([
    404,
    `company_id: no company of this organization has the id ${company}; contact_ids: no contact of this organization has the id ${ada} or ${bob}`,
  ])
})

test('cursor and page exclude each other', async () => {
  for (const last_name of ['A', 'B']) await org.post('/contacts', { last_name })
  const { next_cursor } = (await org.get('/contacts?limit=1')).body.pagination
  const answer = await org.get(`/contacts?limit=1&page=2&cursor=${next_cursor}`)
  expect([answer.status, answer.body.detail]).toMatchObject([
    422,
    [{ loc: ['query', 'page'], msg: 'send cursor or page, not both' }],
  ])
})

describe('bodies that an endpoint does not read', () => {
  const archive = async (options: object) => {
    const { body } = await org.post('/contacts', { first_name: 'Ada' })
    return org.send('DELETE', `/contacts/${body.data.contact_id}`, options)
  }

  test.each([
    ['nothing', {}],
    ['an empty object', { body: {} }],
    ['null', { body: null }],
    ['an empty body of JSON', { raw: '', headers: { 'content-type': 'application/json' } }],
  ])('a body that an endpoint does not read may be %s', async (_name, options) => {
    const answer = await archive(options)
    expect(answer.status, answer.text).toBe(200)
  })

  test.each<[string, object]>([
    ['[]', { body: [] }],
    ['text', { raw: 'force=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('a body that an endpoint does not read may not be %s', async (_name, options) => {
    const answer = await archive(options)
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc: ['body'] }]])
  })

  test('a body that an endpoint does not read is refused in a GET request', async () => {
    const body = '{"email":"ada@example.com"}'
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const { statuses, text } = await exchange(
      app.address,
      rawRequest(org.token, 'GET', '/v1/contacts', headers, body),
    )
    expect([statuses, text]).toEqual([[422], expect.stringContaining('a GET request has no body')])
  })
})
