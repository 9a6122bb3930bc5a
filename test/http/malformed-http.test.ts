import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { exchange, RawConnection, rawRequest } from '../support/raw-http.ts'

const app = await startTestApp()
afterAll(() => app.close())
const org = await app.newOrg()

const request = (method: string, path: string, headers: string[] = [], body = '') =>
  rawRequest(org.token, method, path, headers, body)

const headers = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`)

describe('malformed HTTP', () => {
  const good = '{"first_name":"Wire"}'
  const length = `Content-Length: ${good.length}`
  const type = 'Content-Type: application/json'
  const chunks = `${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`

  test.each<[string, string | Buffer, number[]]>([
    ['HTTP/1.0', `GET /v1/organization HTTP/1.0\r\nAuthorization: Bearer ${org.token}\r\n\r\n`, [200]],
    ['a chunked body', request('POST', '/contacts', [type, 'Transfer-Encoding: chunked'], chunks), [201]],
    ['a body on a GET', request('GET', '/contacts', [type, length], good), [422]],
    [
      'Expect: 100-continue',
      request('POST', '/contacts', [type, length, 'Expect: 100-continue'], good),
      [100, 201],
    ],
    ['another expectation', request('POST', '/contacts', [type, length, 'Expect: tea'], good), [417]],
    ['an upgrade that is not offered', request('GET', '/contacts', ['Upgrade: websocket']), [200]],
    ['more body than announced', request('POST', '/contacts', [type, 'Content-Length: 2'], '{}{}'), [400]],
    [
      'both a length and chunks',
      request('POST', '/contacts', [type, length, 'Transfer-Encoding: chunked'], chunks),
      [400],
    ],
    ['two lengths', request('POST', '/contacts', [type, length, 'Content-Length: 5'], good), [400]],
    ['a negative length', request('POST', '/contacts', [type, 'Content-Length: -1']), [400]],
    [
      'broken chunks',
      request('POST', '/contacts', [type, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n'),
      [400],
    ],
    ['no Host', 'GET /v1/contacts HTTP/1.1\r\n\r\n', [400]],
    ['an unknown method', request('FOO', '/contacts'), [400]],
    ['a method of WebDAV', request('PROPFIND', '/contacts'), [405]],
    ['a method of RFC 10008', request('QUERY', '/personas', [type, length], good), [405]],
    ['*', request('OPTIONS', '*'), [404]],
    ['an absolute address', request('GET', 'http://here/v1/contacts'), [200]],
    ['a byte above 127 in the path', Buffer.from(request('GET', '/contacts/\xe9'), 'latin1'), [400]],
    ['NUL in a header', request('GET', '/contacts', ['X-Org-Id: \0']), [400]],
    ['a folded header', request('GET', '/contacts', ['X-A: a\r\n b']), [400]],
    [
      'bytes above 127 in a header',
      Buffer.from(request('GET', '/contacts', ['X-Request-Id: \xe9', 'X-A: \xff']), 'latin1'),
      [200],
    ],
    ['a header of 20 kB', request('GET', '/contacts', [`X-A: ${'a'.repeat(20_000)}`]), [431]],
    ['90 headers', request('GET', '/contacts', headers(90)), [200]],
    ['101 headers', request('GET', '/contacts', headers(101)), [431]],
    ['3,000 headers', request('GET', '/contacts', headers(3_000)), [431]],
    ['an address of 20 kB', request('GET', `/${'a'.repeat(20_000)}`), [431]],
    ['text that is not HTTP', 'hello\r\n\r\n', [400]],
    ['TLS', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), [400]],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ])('a raw request with %s gets its documented status', async (_name, bytes, statuses) => {
    const answered = await exchange(app.address, bytes)
    expect(answered.statuses, answered.text).toEqual(statuses)
  })

  test('malformed HTTP gets 431, 408 or 400 as JSON with a request id', async () => {
    const { text } = await exchange(app.address, request('GET', `/${'a'.repeat(20_000)}`))
    const [head, body] = text.split('\r\n\r\n')
    expect(head).toMatch(/content-type: application\/json/i)
    expect(head).toMatch(/x-request-id: [\w-]{36}/i)
    expect(JSON.parse(body!)).toEqual({
      detail: expect.stringContaining('16 KiB'),
      code: 'headers_too_large',
    })
  })

  test('malformed HTTP does not change the order of answers to pipelined requests', async () => {
    const connection = new RawConnection(app.address)
    const ids = ['one', 'two', 'three', 'four']
    const paths = ['/v1/contacts', '/healthz', '/v1/nowhere', '/v1/organization']
    const alive = (path: string, id: string) =>
      request('GET', path, [`X-Request-Id: ${id}`]).replace('Connection: close\r\n', '')
    connection.send(ids.map((id, index) => alive(paths[index]!, id)).join(''))
    const text = await connection.until(/four[\s\S]*\}$/)
    expect([...text.matchAll(/x-request-id: (\w+)/g)].map(([, id]) => id)).toEqual(ids)
    connection.socket.destroy()
  })

  test('malformed HTTP that ends at any point does not harm the server', async () => {
    const whole = request('POST', '/contacts', [type, length], good)
    const cuts = [
      0,
      1,
      20,
      whole.indexOf('\r\n\r\n') + 2,
      whole.length - good.length,
      whole.length - 1,
      whole.length,
    ]
    for (const cut of cuts) {
      for (const leave of ['destroy', 'end', 'resetAndDestroy'] as const) {
        const { socket, closed } = new RawConnection(app.address)
        await new Promise<void>((resolve) => socket.once('connect', resolve))
        await new Promise((resolve) => socket.write(whole.slice(0, cut), resolve))
        socket[leave]()
        await closed
      }
    }
    expect((await org.get('/organization')).status).toBe(200)
  })
})

test('no malformed request caused a 5xx or an error in the log', async () => {
  const { text } = await app.stranger.get('/metrics', { prefix: '' })
  const counts = text.split('\n').filter((line) => line.includes('_seconds_count'))
  expect(counts.length).toBeGreaterThan(5)
  expect(counts.filter((line) => /status="5/.test(line))).toEqual([])
})

test('the server ignores method override headers and does not decompress bodies', async () => {
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
  expect((await org.get(`/contacts/${id}`, { headers })).body.data.archived_at).toBeNull()
  expect((await org.get(`/contacts/${id}?_method=DELETE`)).status).toBe(422)
  const packed = await org.post('/contacts', undefined, {
    raw: gzipSync('{"first_name":"Ada"}'),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  expect(packed.status).toBe(422)
  expect(packed.body.detail).toMatchObject([{ loc: ['header', 'content-encoding'] }])
})

test('two Idempotency-Key headers in one request are refused', async () => {
  const org = await app.newOrg()
  const body = '{"first_name":"Ada"}'
  const connection = new RawConnection(app.address).send(
    `POST /v1/contacts HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${org.token}\r\nConnection: close\r\n` +
      `Idempotency-Key: k1\r\nIdempotency-Key: k1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await connection.closed
  expect(connection.statuses).toEqual([422])
  expect(connection.text).toContain('"loc":["header","idempotency-key"]')
  expect((await org.get('/contacts')).body.data).toEqual([])
})
