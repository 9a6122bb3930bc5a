import { Client } from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { apiDocument } from '../../src/api-document.ts'
import { eventData } from '../../src/events/catalog.ts'
import { setCeilings } from '../../src/orgs/operator.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { JsonSchema } from '../../src/platform/http/json-schema.ts'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { type Answer, startTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { databaseNamed } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { call, everyEndpoint, idsOfNothing, makeObject, makeParams, namesIn } from '../support/walk.ts'

// Each request without a key has its own client address, so that the limit of an address does not apply.
const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const agency = await app.newAgency()
const { paths } = apiDocument(null)

let addresses = 0
const fromElsewhere = () => ({ 'x-forwarded-for': `10.1.${addresses >> 8}.${addresses++ & 255}` })

/** The parts of an answer that do not differ from one request to the next. */
function said({ status, text, headers }: Answer): unknown {
  const changing = ['x-request-id', 'date', 'x-ratelimit-reset', 'x-ratelimit-remaining', 'ratelimit']
  // After HEAD, fetch closes its connection, and an answer without a body is not sent in chunks.
  changing.push('connection', 'keep-alive', 'transfer-encoding')
  return { status, text, headers: [...headers].filter(([name]) => !changing.includes(name)) }
}

const rateLimitHeaders = [
  'x-ratelimit-limit-second',
  'x-ratelimit-limit-minute',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
]

test('every endpoint that creates a readable object names its address in Location', () => {
  const readable = new Set(endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const creating = endpoints.filter(({ status }) => status === 201 || status === 202)
  const addressOf = ({ path, response }: Endpoint) => {
    const { properties = {} } = toJsonSchema(response!, 'output')
    return [...readable].find((one) => {
      const [, parent, id] = /^(.*)\/\{(\w+)\}$/.exec(one) ?? []
      return parent !== undefined && path.startsWith(parent) && id! in properties
    })
  }
  for (const endpoint of creating) {
    const { name, location, status } = endpoint
    const address = addressOf(endpoint)
    if (address && status === 201) expect([name, location]).toEqual([name, address])
    if (location) expect([name, readable.has(location)]).toEqual([name, true])
  }
  expect(creating.filter(({ location }) => location).length).toBeGreaterThan(14)
})

describe('a request without a valid key', async () => {
  const unknownPath = await app.stranger.get('/no-such-path', { headers: fromElsewhere() })

  test.each(everyEndpoint)(
    'a request without a valid key to %s gets the same answer as one to an unknown path',
    async (_name, endpoint) => {
      const answer = await call(endpoint, app.stranger, idsOfNothing(endpoint), { headers: fromElsewhere() })
      expect(said(answer)).toEqual(said(unknownPath))
      expect(answer).toMatchObject({
        status: 401,
        body: { detail: expect.stringContaining('Bearer <api_key>'), code: 'api_key_missing' },
      })
      const methods = await app.stranger.send('PUT', '/no-such-path', { headers: fromElsewhere() })
      expect(said(methods)).toEqual(said(unknownPath))
    },
  )
})

describe('a key needs the permission that the endpoint names', async () => {
  const powerless = await app.newKey(agency.orgId, { isAgency: true, permissions: [] })
  // A refused request does not change the object, so the next request can use it.
  const made = new Map<string, Promise<string>>()
  const makeOnce = (kind: string, org: TestClient) => {
    const making = made.get(kind) ?? makeObject(kind, org)
    made.set(kind, making)
    return making
  }

  test.each(everyEndpoint)('%s', async (_name, endpoint) => {
    const answer = await call(endpoint, powerless, await makeParams(endpoint, agency, makeOnce))
    if (endpoint.permission === null) return expect(answer.status).toBeLessThan(300)
    expect(answer.status).toBe(403)
    for (const one of [endpoint.permission].flat()) expect(answer.body.detail).toContain(one)
    const unreadable = await call(endpoint, powerless, { ...idsOfNothing(endpoint) }, { query: '?limit=x' })
    expect(unreadable.text).toBe(answer.text)
  })
})

describe('the example is accepted, and the answer is what the schema says', () => {
  /** An agency with the default rate limits, because every answer shows their headers. */
  async function newLimitedAgency(): Promise<TestOrg> {
    const org = await app.newAgency()
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 1000, perMinute: 5000 }))
    return org
  }
  // GET changes nothing, so all GET requests can use one organization.
  const readable = newLimitedAgency().then(async (org) => {
    await fill(org)
    return org
  })
  /** An endpoint that changes one object needs no other records. All other changes get an organization with records. */
  async function orgFor({ method, path }: Endpoint): Promise<TestOrg> {
    if (method === 'GET') return readable
    const org = await newLimitedAgency()
    if (!path.includes('{')) await fill(org)
    return org
  }

  test.each(everyEndpoint)('%s', async (_name, endpoint) => {
    const org = await orgFor(endpoint)
    const headers = { 'x-request-id': 'walk:1' }
    const answer = await call(endpoint, org, await makeParams(endpoint, org), { headers })
    const { responses } = paths[endpoint.path]![endpoint.method.toLowerCase()]!
    const documented = Object.keys(responses as object).filter((status) => status < '300')
    expect(documented, answer.text).toContain(String(answer.status))
    expect(answer.headers.get('x-request-id')).toBe('walk:1')
    for (const header of rateLimitHeaders) expect(answer.headers.get(header), header).not.toBeNull()
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).toBe(
      endpoint.shape === 'none'
        ? null
        : endpoint.shape === 'csv'
          ? 'text/csv; charset=utf-8'
          : 'application/json; charset=utf-8',
    )
    const { location } = endpoint
    if (location === undefined) return expect(answer.headers.get('location')).toBeNull()
    const created = Object.entries(endpoint.shape === 'data' ? answer.body.data : answer.body)
    const place = location.replaceAll(/\{(\w+)\}/g, (_, name) => `${Object.fromEntries(created)[name]}`)
    expect(answer.headers.get('location')).toBe(`/api/v1${place}`)
    expect((await org.get(place)).status).toBe(200)
  })

  test.each(everyEndpoint.filter(([, { method }]) => method === 'GET'))(
    '%s: HEAD gets the status and the headers of GET, without a body',
    async (_name, endpoint) => {
      const params = await makeParams(endpoint, await readable)
      // Background work may change the object between the two requests.
      await vi.waitFor(async () => {
        const got = await call(endpoint, await readable, params)
        const head = await call({ ...endpoint, method: 'HEAD' } as never, await readable, params)
        expect(said(head)).toEqual({ ...(said(got) as object), text: '' })
      }, patience)
    },
  )

  /** Records with all fields and with few fields, so that lists show both. */
  async function fill(org: TestOrg): Promise<void> {
    const common = {
      city: 'Köln',
      region: 'NRW',
      country: 'Germany',
      linkedin_url: 'https://linkedin.example/x',
      tags: ['vip'],
      custom: { deep: [{ n: 1.5 }, null, 'x'] },
      external_ids: { crm: '1' },
      source: 'walk',
    }
    const company = await org.post('/companies', {
      ...{ name: 'Whole', domain: 'whole.example', domains: ['w.example'], phone: '+14155550101' },
      ...{ website: 'https://whole.example', industry: 'Toys', employee_count: 3, ...common },
    })
    const contacts = [
      {
        ...{
          email: 'whole@example.com',
          emails: ['w2@example.com'],
          phone: '+14155550102',
          first_name: 'Whole',
        },
        ...{ phones: ['+14155550103'], last_name: 'Person', company_id: company.body.data.company_id },
        ...{
          company_name: 'Whole',
          job_title: 'CEO',
          lifecycle_stage: 'lead',
          consent: { email: 'granted' },
          consent_details: { email: { kind: 'written', source: 'form', at: 1 } },
        },
        ...common,
      },
      { last_name: 'Sparse' },
    ]
    const batches = [
      await org.post('/contacts/batch', { items: [...contacts, {}] }),
      await org.post('/companies/batch', { items: [{ name: 'Sparse' }, {}] }),
    ]
    const outcomes = batches.flatMap(({ body }) => body.data.map((item: { outcome: string }) => item.outcome))
    expect(outcomes).toEqual(['created', 'created', 'failed', 'created', 'failed'])
    const deals: { name: string; tags?: string[] }[] = [
      {
        ...{ name: 'Whole', amount_cents: 2 ** 53 - 1, currency: 'EUR', stage: 'Proposal', tags: ['vip'] },
        ...{ company_id: company.body.data.company_id, contact_ids: [batches[0]!.body.data[0].contact_id] },
        ...{
          owner_email: 'o@example.com',
          expected_close_on: '2026-12-31',
          probability: 40,
          custom: { n: 1.5 },
          external_ids: { crm: '1' },
          source: 'walk',
        },
      },
      { name: 'Sparse' },
    ]
    for (const fields of deals) {
      const { body } = await org.post('/deals', fields)
      const reasons = (await org.get('/deals/close-reasons?outcome=won')).body.data.close_reasons
      const close_reason_id = reasons[0].close_reason_id
      if (fields.tags) await org.post(`/deals/${body.data.deal_id}/close`, { status: 'won', close_reason_id })
    }
  }
})

test('every event that these requests wrote has only data that the catalog lists', async () => {
  const written = await app.operate((tx) =>
    tx.rows<{ type: string; name: string }>({
      text: 'select distinct type, jsonb_object_keys(data) as name from event where data is not null',
      values: [],
    }),
  )
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter(({ type, name }) => !eventData.get(type)?.includes(name))).toEqual([])
})

describe('every documented refusal is reachable', async () => {
  const limited = await app.newOrg({ limited: true })
  await app.operate((tx) => setCeilings(tx, limited.orgId, { perSecond: null, perMinute: 1 }))

  describe.each(everyEndpoint)('%s', (_name, endpoint) => {
    const bad = (options: Parameters<typeof call>[3]) =>
      call(endpoint, agency, idsOfNothing(endpoint), options)

    test('OPTIONS gets 204 and any other method 405, with the methods of the path', async () => {
      const methods = endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method)
      const isQueried = endpoints.some(({ alsoQuery }) => alsoQuery === endpoint.path)
      const more = [...(methods.includes('GET') ? ['HEAD'] : []), ...(isQueried ? ['QUERY'] : [])]
      const allowed = [...methods, ...more, 'OPTIONS']
      const others = ['PUT', 'HEAD', 'PROPFIND', 'PURGE'].filter((method) => !allowed.includes(method))
      const options = await call(
        { ...endpoint, method: 'OPTIONS' } as never,
        agency,
        idsOfNothing(endpoint),
        {
          body: undefined,
        },
      )
      expect([options.status, options.headers.get('allow')]).toEqual([204, allowed.toSorted().join(', ')])
      for (const method of others) {
        const answer = await call({ ...endpoint, method } as never, agency, idsOfNothing(endpoint), {
          body: undefined,
        })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed.sort().join(', ')])
        if (method !== 'HEAD')
          expect(answer.text).toBe('{"detail":"Method Not Allowed","code":"method_not_allowed"}')
      }
    })

    test('a request above the rate limit gets 429 with Retry-After', async () => {
      const params = idsOfNothing(endpoint)
      let answer = await call(endpoint, limited, params)
      if (answer.status !== 429) answer = await call(endpoint, limited, params)
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      for (const header of rateLimitHeaders.slice(1))
        expect(answer.headers.get(header), header).not.toBeNull()
    })

    test('an X-Org-Id of another org gets 403, before anything else is read', async () => {
      const answer = await bad({ headers: { 'x-org-id': limited.orgId }, query: '?limit=x' })
      expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('X-Org-Id')])
    })

    test('a misspelled Crosswalk header gets 400, before anything else is read', async () => {
      const answer = await bad({ headers: { 'x-target-org': limited.orgId }, query: '?limit=x' })
      expect([answer.status, answer.body.detail]).toEqual([
        400,
        'This API has no header x-target-org. Send X-Target-Org-Id, or leave the header out',
      ])
    })

    for (const name of namesIn(endpoint.path)) {
      const { type } = toJsonSchema(endpoint.params!, 'input').properties![name] as JsonSchema
      test(`a malformed ${name} gets 422`, async () => {
        const answer = await call(endpoint, agency, { ...idsOfNothing(endpoint), [name]: 'not an id' })
        expect(answer.status).toBe(422)
        const problem = { type: type === 'integer' ? 'int_parsing' : 'uuid_parsing', loc: ['path', name] }
        expect(answer.body.detail).toContainEqual(expect.objectContaining(problem))
      })
    }

    if (endpoint.body) {
      test('a body that is not JSON gets 422, one that is not UTF-8 gets 400, and one that is too large gets 413', async () => {
        const text = await bad({ raw: 'name=x', headers: { 'content-type': 'text/plain' } })
        expect([text.status, text.body.detail.at(-1)]).toMatchObject([422, { loc: ['body'] }])
        const headers = { 'content-type': 'application/json' }
        const json = await bad({ raw: '{"name": }', headers })
        expect(json.body.detail).toMatchObject([{ type: 'json_invalid', loc: ['body', 9] }])
        const latin1 = await bad({ raw: new Uint8Array([0x22, 0xe9, 0x22]), headers })
        expect([latin1.status, latin1.body.detail]).toEqual([400, expect.stringContaining('UTF-8')])
        const large = await bad({ raw: new Uint8Array((endpoint.bodyLimit ?? 2 ** 20) + 1), headers })
        expect([large.status, large.body.detail]).toEqual([413, expect.stringContaining('larger than')])
      })
    }

    if (endpoint.query && 'limit' in endpoint.query.shape) {
      test('a query that cannot be read gets 422', async () => {
        const answer = await bad({ query: '?limit=0&page=x&cursor=forged' })
        expect(answer.status).toBe(422)
        const places = answer.body.detail.map(({ loc }: { loc: string[] }) => loc[1])
        const asked = ['limit', 'page'].filter((name) => name in endpoint.query!.shape)
        expect(places).toEqual(expect.arrayContaining(asked))
      })
    }

    if (endpoint.headers && 'if-match' in endpoint.headers.shape) {
      test('an If-Match of another version gets 409', async () => {
        const params = await makeParams(endpoint, agency)
        const answer = await call(endpoint, agency, params, { headers: { 'if-match': '"77"' } })
        expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('77')])
      })
    }
  })
})

describe('while the database is unreachable, 503 with Retry-After comes from', async () => {
  const org = await app.newAgency()
  const database = new URL(app.databaseUrl).pathname.slice(1)
  const server = new Client({ connectionString: databaseNamed(app.databaseUrl, 'postgres') })
  await server.connect()
  afterAll(() => server.end())

  test('while the database is unreachable, all endpoints answer 503 with Retry-After', async () => {
    expect((await org.get('/organization')).status).toBe(200)
    await server.query(`alter database ${database} with allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ])
    for (const [name, endpoint] of everyEndpoint) {
      const answer = await call(endpoint, org, idsOfNothing(endpoint))
      expect([name, answer.status, answer.headers.get('retry-after')]).toEqual([name, 503, '2'])
    }
    expect((await app.stranger.get('/readyz', { prefix: '' })).status).toBe(503)
    expect((await app.stranger.get('/healthz', { prefix: '' })).status).toBe(200)
    await server.query(`alter database ${database} with allow_connections true`)
    await vi.waitFor(async () => expect((await org.get('/contacts')).status).toBe(200), patience)
  })
})
