import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { newAddress } from '../support/new-address.ts'
import { exchange, RawConnection, rawRequest } from '../support/raw-http.ts'

// Tests of the limits and headers that SECURITY.md lists.
const app = await startTestApp()
const behindProxy = await startTestApp({ trustProxy: true })
const metricsToken = 'sixteen letters.'
const oneHop = await startTestApp({ trustProxy: 1, metricsToken })
afterAll(() => Promise.all([app.close(), behindProxy.close(), oneHop.close()]))
const { server } = app.app.server

test('headers must arrive within 15 s, idle connections end after 75 s, and at most 4,096 connections exist', () => {
  expect({
    headers: server.headersTimeout,
    silent: server.timeout,
    betweenRequests: server.keepAliveTimeout,
    streams: server.requestTimeout,
    connections: server.maxConnections,
  }).toEqual({
    headers: 15_000,
    silent: 75_000,
    betweenRequests: 72_000,
    streams: 3_600_000,
    connections: 4_096,
  })
})

test.each([
  ['nothing at all', ''],
  ['half a line', 'GET /v1/cont'],
  ['headers that do not end', 'GET /v1/contacts HTTP/1.1\r\nHost: here\r\nX-A: a\r\n'],
])('a connection that sends %s is closed in time', async (_what, bytes) => {
  server.headersTimeout = 50
  onTestFinished(() => {
    server.headersTimeout = 15_000
  })
  const slow = new RawConnection(app.address)
  if (bytes !== '') slow.send(bytes)
  await slow.closed
  expect(slow.statuses).toEqual([408])
  expect(slow.text).toContain(
    '{"detail":"The request did not arrive in time; send it again","code":"request_timeout"}',
  )
})

test('connections beyond the maximum are closed at once, and the others continue', async () => {
  const org = await app.newOrg()
  const one = new RawConnection(app.address)
  const ask = rawRequest(org.token, 'GET', '/v1/organization').replace('Connection: close\r\n', '')
  await one.send(ask).until(/\}$/)
  const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  server.maxConnections = open
  onTestFinished(() => {
    server.maxConnections = 4_096
  })
  const more = new RawConnection(app.address)
  await more.closed
  expect(more.text).toBe('')
  one.text = ''
  await one.send(ask).until(/\}$/)
  expect(one.statuses).toEqual([200])
  one.socket.destroy()
})

test.each(['/mcp', `/hooks/voice/twilio/${'x'.repeat(43)}`])(
  'an answer of %s to a large body that the server does not read says that the connection ends',
  async (path) => {
    const connection = new RawConnection(app.address)
    const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json']
    connection.send(`${[...head, 'Content-Length: 100000'].join('\r\n')}\r\n\r\n{`)
    await connection.closed
    expect(connection.text).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nconnection: close\r\n/is)
  },
)

test('each pipelined request counts against the rate limit', async () => {
  const org = await app.newOrg()
  await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: null, perMinute: 50 }))
  const connection = new RawConnection(app.address)
  const ask = rawRequest(org.token, 'GET', '/v1/organization')
  connection.send(ask.replace('Connection: close\r\n', '').repeat(59) + ask)
  await connection.closed
  expect(connection.statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(429)])
})

describe('headers', () => {
  const always = {
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }

  const paths: [string, string][] = [
    ['/v1/contacts', 'no-store'],
    ['/v1/nowhere', 'no-store'],
    ['/healthz', 'no-store'],
    ['/', 'no-store'],
    // Browsers ask for the document each time, and get a 304 if it did not change.
    ['/openapi.json', 'no-cache'],
  ]
  test.each(paths)('the security headers of %s are complete', async (path, caching) => {
    const { headers } = await app.stranger.get(path, {
      prefix: '',
      headers: { origin: 'https://x.example' },
    })
    expect(Object.fromEntries(headers)).toMatchObject({ ...always, 'cache-control': caching })
    // No page of another origin may read an answer, and no header may name the server software.
    const telling = [...headers.keys()].filter((name) =>
      /^access-control-|^server$|^x-powered-by$/.test(name),
    )
    expect(telling).toEqual([])
  })

  test.each(['/docs', '/install-signature/x/0190a3c4-0000-7000-8000-000000000001'])(
    'the headers of the page %s forbid frames, scripts of other hosts and referrers',
    async (path) => {
      const { headers } = await app.stranger.get(path, { prefix: '' })
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(Object.fromEntries(headers)).toMatchObject(always)
      const policy = Object.fromEntries(
        headers
          .get('content-security-policy')!
          .split('; ')
          .map((directive) => directive.split(/ (.*)/s).slice(0, 2)),
      )
      expect(policy).toMatchObject({
        'default-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'script-src': expect.stringMatching(/^('self'|'sha256-[\w+/=]+')$/),
      })
    },
  )
})

test('if TRUST_PROXY is a number of hops, a client cannot avoid the rate limit with a false X-Forwarded-For', async () => {
  const guess = (at: number) =>
    oneHop.stranger.get('/contacts', { headers: { 'x-forwarded-for': `10.8.0.${at}, 203.0.113.5` } })
  const statuses: number[] = []
  // Without a key, the limit is 20 requests a second. A slow machine reaches 300 a minute first.
  for (let at = 0; at < 400 && !statuses.includes(429); at++) statuses.push((await guess(at % 256)).status)
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([401]))
  expect(statuses).toContain(429)
})

test('if TRUST_PROXY is a number of hops, clients behind the proxy have separate rate limits', async () => {
  const send = (client: string) =>
    oneHop.stranger.get('/contacts', { headers: { 'x-forwarded-for': `10.8.1.1, ${client}` } })
  let status = 401
  for (let at = 0; at < 400 && status !== 429; at++) ({ status } = await send('203.0.113.7'))
  expect([status, (await send('203.0.113.8')).status]).toEqual([429, 401])
})

describe('public routes', () => {
  const org = behindProxy.newOrg()
  const offer = '0190a3c4-0000-7000-8000-000000000001'
  const paths = [
    '/metrics',
    '/healthz',
    '/docs',
    '/guides',
    '/llms.txt',
    '/openapi.json',
    `/install-signature/x/${offer}`,
  ]

  test.each(paths.flatMap((path) => ['/v1', '/api/v1'].map((prefix) => prefix + path)))(
    'a public route gets 404 under a version prefix: %s',
    async (path) => {
      // Use a new address for each, because one address may send only 20 a second.
      const from = newAddress()
      const headers = { 'x-forwarded-for': from }
      expect((await behindProxy.stranger.get(path, { prefix: '', headers })).status).toBe(401)
      expect((await (await org).get(path, { prefix: '' })).status).toBe(404)
      const whole = `GET http://localhost${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nConnection: close\r\n\r\n`
      expect((await exchange(behindProxy.address, whole)).statuses).toEqual([401])
    },
  )

  test.each(paths)('a public route answers HEAD like GET: %s', async (path) => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => app.stranger.send(method, path, { prefix: '' })),
    )
    expect(head!.status).toBe(get!.status)
    expect(head!.text).toBe('')
  })

  test.each(['/hooks/voice/twilio/x', '/hooks/voice/none/x', `/install-signature/x/${offer}/confirm`])(
    'a public route that accepts only POST answers any other method with 405: %s',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await app.stranger.send(method, path, { prefix: '' })
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST'])
      }
    },
  )
})

describe('GET /metrics', () => {
  test.each<[string, TestApp, Record<string, string>, number]>([
    ['a request from this machine gets the metrics', app, {}, 200],
    [
      'a request that a trusted proxy forwards gets 403',
      behindProxy,
      { 'x-forwarded-for': '127.0.0.1' },
      403,
    ],
    ...['x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'].map(
      (name): [string, TestApp, Record<string, string>, number] => [
        `a request through a local proxy that sends only ${name} gets 403`,
        app,
        { [name]: '127.0.0.1' },
        403,
      ],
    ),
    [
      'a request through a local proxy without TRUST_PROXY gets 403',
      app,
      { 'x-forwarded-for': '203.0.113.5' },
      403,
    ],
    ['a request through a local proxy that sends only via gets 403', app, { via: '1.1 proxy' }, 403],
    [
      'a request through a local proxy that sends only forwarded gets 403',
      app,
      { forwarded: 'for=203.0.113.5' },
      403,
    ],
    [
      'a request with a false X-Forwarded-For of 127.0.0.1 gets 403',
      behindProxy,
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.5' },
      403,
    ],
    ['a request from another machine gets 403', behindProxy, { 'x-forwarded-for': '203.0.113.5' }, 403],
  ])('%s', async (_who, { stranger }, headers, status) => {
    expect((await stranger.get('/metrics', { prefix: '', headers })).status).toBe(status)
  })

  test.each([
    ['localhost', 200],
    ['LOCALHOST:8080', 200],
    ['localhost.', 200],
    ['127.0.0.1:9', 200],
    ['127.8.8.8', 200],
    ['[::1]:8080', 200],
    ['crm.example', 403],
    ['localhost.example', 403],
    ['127.0.0.1.example', 403],
    ['', 403],
  ])('a request for metrics with the host %j gets %d', async (host, status) => {
    const ask = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect((await exchange(app.address, ask)).statuses).toEqual([status])
  })

  test.each<[string, string | null, number]>([
    ['the token', `Bearer ${metricsToken}`, 200],
    ['the token and the scheme in lower case', `bearer ${metricsToken}`, 200],
    ['no token, even from this machine', null, 403],
    ['another token', 'Bearer fifteen letters.', 403],
    ['the token with one more character', `Bearer ${metricsToken}!`, 403],
  ])('if a metrics token is set, a request with %s gets $2', async (_what, authorization, status) => {
    const headers = authorization === null ? {} : { authorization }
    const answer = await oneHop.stranger.get('/metrics', { prefix: '', headers })
    expect(answer.status).toBe(status)
    if (status === 403)
      expect(answer.body.detail).toBe('Metrics need Authorization: Bearer <METRICS_TOKEN>, as it is set here')
  })
})
