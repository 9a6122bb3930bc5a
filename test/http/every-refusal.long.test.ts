import { Client } from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { setCeilings } from '../../src/orgs/operator.ts'
import type { JsonSchema } from '../../src/platform/http/json-schema.ts'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { startTestApp } from '../support/app.ts'
import { databaseNamed } from '../support/database.ts'
import { makeOnce } from '../support/make-once.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { parameterNamesOf } from '../support/path-kinds.ts'
import { patience } from '../support/patience.ts'
import { rateLimitHeaders, stableParts } from '../support/stable-parts.ts'
import { call, everyEndpoint, makeParams, unknownIds } from '../support/walk.ts'

// Requests without a key come from addresses of their own, so that no rate limit applies.
const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const agency = await app.newAgency()

describe('authentication', async () => {
  const unknownPath = await app.stranger.get('/no-such-path', { headers: fromNewAddress() })

  test.each(everyEndpoint)(
    'a request without a valid key to %s gets the same answer as one to an unknown path',
    async (_name, endpoint) => {
      const answer = await call(endpoint, app.stranger, unknownIds(endpoint), { headers: fromNewAddress() })
      expect(stableParts(answer)).toEqual(stableParts(unknownPath))
      expect(answer).toMatchObject({
        status: 401,
        body: { detail: expect.stringContaining('Bearer <api_key>'), code: 'api_key_missing' },
      })
    },
  )

  test('a request without a valid key gets the same answer with another method', async () => {
    const answer = await app.stranger.send('PUT', '/no-such-path', { headers: fromNewAddress() })
    expect(stableParts(answer)).toEqual(stableParts(unknownPath))
  })
})

describe('an API key needs the permission that the endpoint names', async () => {
  const powerless = await app.newKey(agency.orgId, { isAgency: true, permissions: [] })
  // A refused request does not change its object, so requests can share it.
  const make = makeOnce()

  test.each(everyEndpoint)('%s refuses a key without its permission', async (_name, endpoint) => {
    const answer = await call(endpoint, powerless, await makeParams(endpoint, agency, make))
    if (endpoint.permission === null) return expect(answer.status).toBeLessThan(300)
    expect(answer.status).toBe(403)
    for (const one of [endpoint.permission].flat()) expect(answer.body.detail).toContain(one)
    const unreadable = await call(endpoint, powerless, { ...unknownIds(endpoint) }, { query: '?limit=x' })
    expect(unreadable.text).toBe(answer.text)
  })
})

describe('every documented refusal is reachable', async () => {
  const limited = await app.newOrg({ limited: true })
  await app.operate((tx) => setCeilings(tx, limited.orgId, { perSecond: null, perMinute: 1 }))

  describe.each(everyEndpoint)('%s refuses invalid requests as documented', (_name, endpoint) => {
    const bad = (options: Parameters<typeof call>[3]) => call(endpoint, agency, unknownIds(endpoint), options)

    // The endpoints of a path share these answers.
    const isFirst = endpoints.find(({ path }) => path === endpoint.path) === endpoint
    if (isFirst)
      test('OPTIONS gets 204 and an unknown method 405, both with Allow: the methods of the path', async () => {
        const methods = endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method)
        const isQueried = endpoints.some(({ alsoQuery }) => alsoQuery === endpoint.path)
        const more = [...(methods.includes('GET') ? ['HEAD'] : []), ...(isQueried ? ['QUERY'] : [])]
        const allowed = [...methods, ...more, 'OPTIONS']
        const others = ['PUT', 'HEAD', 'PROPFIND', 'PURGE'].filter((method) => !allowed.includes(method))
        const options = await call(
          { ...endpoint, method: 'OPTIONS' } as never,
          agency,
          unknownIds(endpoint),
          {
            body: undefined,
          },
        )
        expect([options.status, options.headers.get('allow')]).toEqual([204, allowed.toSorted().join(', ')])
        for (const method of others) {
          const answer = await call({ ...endpoint, method } as never, agency, unknownIds(endpoint), {
            body: undefined,
          })
          expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed.sort().join(', ')])
          if (method !== 'HEAD')
            expect(answer.body).toEqual({
              detail: `Method Not Allowed. This path has ${allowed.toSorted().join(', ')}`,
              code: 'method_not_allowed',
            })
        }
      })

    test('a request above the rate limit gets 429 with Retry-After', async () => {
      const params = unknownIds(endpoint)
      let answer = await call(endpoint, limited, params)
      if (answer.status !== 429) answer = await call(endpoint, limited, params)
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      for (const header of rateLimitHeaders.slice(1))
        expect(answer.headers.get(header), header).not.toBeNull()
    })

    test('an X-Org-Id of another org gets 403 before the path and the body are checked', async () => {
      const answer = await bad({ headers: { 'x-org-id': limited.orgId }, query: '?limit=x' })
      expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('X-Org-Id')])
    })

    test('a misspelled Crosswalk header gets 400 before the path and the body are checked', async () => {
      const answer = await bad({ headers: { 'x-target-org': limited.orgId }, query: '?limit=x' })
      expect([answer.status, answer.body.detail]).toEqual([
        400,
        'This API has no header x-target-org. Send X-Target-Org-Id, or leave the header out',
      ])
    })

    for (const name of parameterNamesOf(endpoint.path)) {
      const { type } = toJsonSchema(endpoint.params!, 'input').properties![name] as JsonSchema
      test(`a malformed ${name} gets 422`, async () => {
        const answer = await call(endpoint, agency, { ...unknownIds(endpoint), [name]: 'not an id' })
        expect(answer.status).toBe(422)
        const problem = { type: type === 'integer' ? 'int_parsing' : 'uuid_parsing', loc: ['path', name] }
        expect(answer.body.detail).toContainEqual(expect.objectContaining(problem))
      })
    }

    if (endpoint.body) {
      test('a body gets 422 if it is not JSON, 400 if it is not UTF-8, and 413 if it is too large', async () => {
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
      test('an invalid query gets 422', async () => {
        const answer = await bad({ query: '?limit=0&page=x&cursor=forged' })
        expect(answer.status).toBe(422)
        const places = answer.body.detail.map(({ loc }: { loc: string[] }) => loc[1])
        const asked = ['limit', 'page'].filter((name) => name in endpoint.query!.shape)
        expect(places).toEqual(expect.arrayContaining(asked))
      })
    }

    if (endpoint.headers && 'if-match' in endpoint.headers.shape) {
      test('an If-Match with another version gets 409', async () => {
        const params = await makeParams(endpoint, agency)
        const answer = await call(endpoint, agency, params, { headers: { 'if-match': '"77"' } })
        expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('77')])
      })
    }
  })
})

describe('outages', async () => {
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
      const answer = await call(endpoint, org, unknownIds(endpoint))
      expect([name, answer.status, answer.headers.get('retry-after')]).toEqual([name, 503, '2'])
    }
    expect((await app.stranger.get('/readyz', { prefix: '' })).status).toBe(503)
    expect((await app.stranger.get('/healthz', { prefix: '' })).status).toBe(200)
    await server.query(`alter database ${database} with allow_connections true`)
    await vi.waitFor(async () => expect((await org.get('/contacts')).status).toBe(200), patience)
  })
})
