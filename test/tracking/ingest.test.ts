import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { wirePaths } from '../../src/tracking/wire/paths.ts'
import { type Options, sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { countsOf } from '../support/web-event-counts.ts'
import { expectWithin } from '../support/within.ts'

// Each request has its own client address, so that they do not share a rate limit.
const app = await sharedTestApp()
afterAll(() => app.close())

const post = (path: string, body: unknown, { headers = {}, ...options }: Options = {}) =>
  app.stranger.post(path, body, {
    ...{ prefix: '', ...options },
    headers: { ...fromNewAddress(), ...headers },
  })

async function newKey(body: object = {}): Promise<{ org: TestOrg; key: string; id: string }> {
  const org = await app.newOrg()
  const { data } = (await org.post('/write-keys', { name: 'Site', ...body })).body
  return { org, key: data.key, id: data.write_key_id }
}

const track = (messageId: string, more: object = {}) => ({
  ...{ type: 'track', event: 'Seen', anonymousId: 'a1', messageId },
  ...more,
})

const usage = ({ orgId }: TestOrg, mode: 'live' | 'test' = 'live') =>
  app.app.context.database.org(orgId).read((tx) => countsOf(tx, mode))

const rowsOf = ({ orgId }: TestOrg) =>
  runAsOwner<{ type: string; mode: string; trust: number }>(
    app.databaseUrl,
    'select type, mode, trust::int from web_event where org_id = $1 order by received_at',
    [orgId],
  )

describe('events', () => {
  test('every path for clients stores its events before it answers', async () => {
    const { org, key } = await newKey()
    const open = wirePaths.filter(({ needsApiKey }) => !needsApiKey)
    for (const { path, type } of open) {
      const event = { ...track(path), ...(type && { type }) }
      const body = type === null ? { writeKey: key, batch: [event] } : { ...event, writeKey: key }
      const answer = await post(path, body)
      expect([path, answer.status, answer.body]).toEqual([path, 200, { success: true }])
    }
    const types = (await rowsOf(org)).map(({ type }) => type)
    expect(types).toEqual(open.map(({ type }) => type ?? 'track'))
    expect(await usage(org)).toEqual({ accepted: open.length })
  })

  test.each<[string, (key: string) => Options & { path?: string }]>([
    ['Basic', (key) => ({ headers: { authorization: `Basic ${btoa(`${key}:`)}` } })],
    ['Bearer', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
    ['X-Write-Key', (key) => ({ headers: { 'x-write-key': `${key}:secret` } })],
    ['the query', (key) => ({ path: `/beacon/v1/batch?writeKey=${key}` })],
  ])('a request may have the key in %s', async (_place, optionsOf) => {
    const { org, key } = await newKey()
    const { path = '/v1/batch', ...options } = optionsOf(key)
    expect((await post(path, { batch: [track('m1')] }, options)).status).toBe(200)
    expect(await rowsOf(org)).toHaveLength(1)
  })

  test('an address whose host is longer than any name is stored as no referrer', async () => {
    const { org, key } = await newKey()
    const letters = Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('')
    const referrers = [`https://${letters}.example/`, 'https://www.example.org/a']
    const batch = referrers.map((referrer, index) =>
      track(`m${index}`, { context: { page: { referrer, url: `${referrer}b` } } }),
    )
    expect((await post('/v1/batch', { writeKey: key, batch })).status).toBe(200)
    const stored = await runAsOwner<{ referrer_host: string | null }>(
      app.databaseUrl,
      'select referrer_host from web_event where org_id = $1 order by referrer_host',
      [org.orgId],
    )
    expect(stored.map((row) => row.referrer_host)).toEqual(['www.example.org', null])
  })

  test('a gzip body with the content type of a form is read, because rudder-sdk-node sends such bodies', async () => {
    const { org, key } = await newKey()
    const raw = gzipSync(JSON.stringify({ writeKey: key, batch: [track('m1')] }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
    expect((await post('/v1/batch', undefined, { raw, headers })).status).toBe(200)
    expect(await rowsOf(org)).toHaveLength(1)
  })

  test('an event that is sent again is stored once, and a bad event is dropped alone', async () => {
    const { org, key } = await newKey()
    const batch = [track('m1'), track('m2'), null, { type: 'track' }, track('m3', { anonymousId: '' })]
    for (let n = 0; n < 2; n++)
      expect((await post('/v1/batch', { writeKey: key, batch })).body).toEqual({ success: true })
    expect(await rowsOf(org)).toHaveLength(2)
    expect(await usage(org)).toEqual({ accepted: 2, duplicate: 2, no_id: 4, not_an_object: 2 })
  })

  test('a test key stores test events, and shows when it was last used', async () => {
    const { org, key, id } = await newKey({ mode: 'test' })
    expect((await post('/v1/t', track('m1', { writeKey: key }))).status).toBe(200)
    expect(await rowsOf(org)).toEqual([{ type: 'track', mode: 'test', trust: 0 }])
    const seen = async () => (await org.get(`/write-keys/${id}`)).body.data.last_seen_at !== null
    await expectWithin(3_000, seen, true)
  })

  test('an API key with tracking:write sends trusted events and history', async () => {
    const { org, key } = await newKey()
    const server = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
    const batch = [
      { ...track('m1'), anonymousId: undefined, userId: 'u1', timestamp: '2020-01-01T00:00:00Z' },
    ]
    const headers = { authorization: `Basic ${btoa(`${server.token}:`)}` }
    expect((await post('/v1/import', { batch }, { headers })).status).toBe(200)
    expect(await rowsOf(org)).toEqual([{ type: 'track', mode: 'live', trust: 3 }])
    const [{ year }] = (await runAsOwner<{ year: number }>(
      app.databaseUrl,
      'select extract(year from occurred_at)::int as year from web_event where org_id = $1',
      [org.orgId],
    )) as [{ year: number }]
    expect(year).toBe(2020)
    const refused = await post('/v1/import', { batch, writeKey: key })
    expect([refused.status, refused.body.code]).toEqual([403, 'import_needs_api_key'])
    const other = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
    const denied = await post('/v1/t', track('m2', { writeKey: other.token }))
    expect([denied.status, denied.body.code]).toEqual([403, 'permission_missing'])
  })
})

describe('browsers', () => {
  test('a preflight from any origin passes, and every answer can be read by the page', async () => {
    const { key } = await newKey()
    const ask = await app.stranger.send('OPTIONS', '/v1/t', {
      prefix: '',
      headers: {
        origin: 'https://x.example',
        'access-control-request-headers': 'authorization,x-retry-count',
      },
    })
    expect(ask.status).toBe(204)
    expect(ask.headers.get('access-control-allow-headers')).toContain('x-retry-count')
    for (const body of [track('m1', { writeKey: key }), track('m1', { writeKey: 'wk_live_x' }), null]) {
      const answer = await post('/v1/t', body, { headers: { origin: 'https://x.example' } })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('a write key with origins accepts only requests from these origins', async () => {
    const { org, key } = await newKey({ origins: ['https://*.example.com'] })
    const from = async (origin?: string) => {
      const answer = await post('/v1/t', track(`m ${origin}`, { writeKey: key }), {
        headers: { ...(origin && { origin }) },
      })
      return [answer.status, answer.body.code]
    }
    expect(await from('https://shop.example.com')).toEqual([200, undefined])
    expect(await from('https://evil.example')).toEqual([403, 'origin_not_allowed'])
    expect(await from()).toEqual([403, 'origin_not_allowed'])
    expect(await rowsOf(org)).toHaveLength(1)
  })

  test('the settings that clients load at their start name the write key and this server', async () => {
    const { key, id } = await newKey()
    const segment = await app.stranger.get(`/v1/projects/${key}/settings`, { prefix: '' })
    const host = new URL(app.address).host
    const apiHost = `${host}/v1`
    expect(segment.body).toEqual({
      integrations: { 'Segment.io': { apiKey: key, apiHost, protocol: 'http' } },
      metrics: { sampleRate: 0 },
    })
    expect(segment.headers.get('cache-control')).toBe('public, max-age=300')
    const rudder = await app.stranger.get(`/sourceConfig/?writeKey=${key}`, { prefix: '' })
    expect(rudder.body).toEqual({ source: { id, config: {}, destinations: [] } })
    expect((await app.stranger.get('/v1/projects/wk_live_x/settings', { prefix: '' })).status).toBe(401)
  })

  test('the settings are refused if the headers name no host', async () => {
    const { key } = await newKey()
    const headers = { 'x-forwarded-host': ']]>' }
    const { status, body } = await app.stranger.get(`/v1/projects/${key}/settings`, { prefix: '', headers })
    expect([status, body.code]).toEqual([400, 'malformed_request'])
  })
})

describe('refusals', () => {
  test.each<[string, Options, number, string]>([
    ['no key', { body: track('m1') }, 401, 'write_key_missing'],
    [
      'a mistyped key',
      { body: track('m1', { writeKey: `wk_live_${'0'.repeat(28)}` }) },
      401,
      'write_key_unknown',
    ],
    ['a body that is not JSON', { raw: '{' }, 400, 'events_unreadable'],
    ['another encoding', { raw: '{}', headers: { 'content-encoding': 'br' } }, 400, 'events_unreadable'],
    [
      'a gzip body of 64 MiB',
      { raw: gzipSync(Buffer.alloc(1 << 26)), headers: { 'content-encoding': 'gzip' } },
      400,
      'events_too_large',
    ],
    ['a body of 2 MiB', { raw: ' '.repeat(1 << 21) }, 413, 'body_too_large'],
  ])('a request with events is refused: %s', async (_what, { body, ...options }, status, code) => {
    const answer = await post('/v1/t', body, options)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('a write key without the purpose of an event stores nothing, and the dropped events are counted', async () => {
    const { org, key } = await newKey({ purposes: ['identify'] })
    const refused = await post('/v1/t', track('m1', { writeKey: key }))
    expect([refused.status, refused.body.code]).toEqual([403, 'purpose_not_allowed'])
    const batch = [track('m1'), { type: 'identify', userId: 'u1', messageId: 'm2' }]
    expect((await post('/v1/batch', { writeKey: key, batch })).status).toBe(200)
    expect(await usage(org)).toEqual({ accepted: 1, purpose_not_allowed: 2 })
  })

  test('a write key that has used up its budget gets 429 with Retry-After', async () => {
    const { org, key } = await newKey({ limits: { events_per_second: 1 } })
    const batch = Array.from({ length: 10 }, (_, n) => track(`m${n}`))
    expect((await post('/v1/batch', { writeKey: key, batch })).status).toBe(200)
    const answer = await post('/v1/batch', { writeKey: key, batch: batch.map((each) => ({ ...each })) })
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limit_exceeded'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await rowsOf(org)).toHaveLength(10)
  })

  test('a deleted key is refused within 2 s, and a rotated key is refused after its grace period', async () => {
    const { org, key, id } = await newKey()
    const statusOf = async (writeKey: string) => (await post('/v1/t', track('m1', { writeKey }))).status
    expect(await statusOf(key)).toBe(200)
    const fresh = (await org.post(`/write-keys/${id}/rotate`)).body.data.key
    expect([await statusOf(key), await statusOf(fresh)]).toEqual([200, 200])
    const last = (await org.post(`/write-keys/${id}/rotate`, { grace_seconds: 0 })).body.data.key
    await expectWithin(2_000, () => statusOf(key), 401)
    await expectWithin(2_000, () => statusOf(fresh), 401)
    expect(await statusOf(last)).toBe(200)
    await org.delete(`/write-keys/${id}`)
    await expectWithin(2_000, () => statusOf(last), 401)
  })

  test('an address that guesses keys is refused for a while', async () => {
    const headers = { 'x-forwarded-for': '10.9.9.9' }
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => post('/v1/t', track('m1', { writeKey: 'wk_live_x' }), { headers })),
    )
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  })

  test('the paths for tracking clients exist only under /v1', async () => {
    const { key } = await newKey()
    for (const path of ['/t', '/api/v1/t', '/batch', '/console/api/t'])
      expect((await post(path, track('m1', { writeKey: key }))).status).not.toBe(200)
  })
})
