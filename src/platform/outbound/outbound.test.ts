import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createTcp, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { AddressRefused, AnswerLost, RequestNotSent } from './errors.ts'
import { Outbound, type OutboundRequest } from './outbound.ts'
import type { Resolve } from './resolve.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen<Kind extends Server | ReturnType<typeof createTcp>>(server: Kind): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  open.push({
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

const serve = (answer: RequestListener) => listen(createHttp(answer))
/** Answers each request with these bytes, and closes the connection. */
const serveText = (text: string) =>
  listen(createTcp((socket) => socket.on('error', () => {}).once('data', () => socket.end(text))))

const within = new Outbound({ allowPrivate: true })
const outside = new Outbound({ allowPrivate: false })
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  ...{ method: 'GET', url, timeoutMs: 5_000, ...more },
})

describe('an answer', () => {
  test('an answer with any status is returned unchanged', async () => {
    const port = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const seen = [request.method, request.url, request.headers.host, request.headers['x-own']]
        response.writeHead(418, { 'x-answer': 'yes' }).end(`${seen.join(' ')} ${Buffer.concat(chunks)}`)
      })
    })
    const request = { method: 'POST', body: 'a=ü', headers: { 'x-own': '1' } } as const
    const answer = await within.send(get(`http://127.0.0.1:${port}/a%20b?q=1`, request))
    expect(answer).toMatchObject({ status: 418, headers: { 'x-answer': 'yes' } })
    expect(answer.body.toString()).toBe(`POST /a%20b?q=1 127.0.0.1:${port} 1 a=ü`)
  })

  test('an endless series of informational answers is an error, and the connection closes', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000)
    const closed = Promise.withResolvers<void>()
    const port = await listen(
      createTcp((socket) => {
        const more = () => {
          while (socket.writable && socket.write(hints));
        }
        socket.on('error', () => {}).on('close', () => closed.resolve())
        socket.on('drain', more).once('data', more)
      }),
    )
    const asked = within.send(get(`http://127.0.0.1:${port}/`, { maxBytes: 1_000 }))
    await expect(asked).rejects.toThrow('it sent more than 10 informational answers')
    await expect(asked).rejects.toBeInstanceOf(AnswerLost)
    await closed.promise
  })

  test('a body in more than a thousand parts of one byte is an error, and one in some hundred parts is not', async () => {
    const chunked = (parts: number) =>
      serveText(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(parts)}0\r\n\r\n`)
    const answer = await within.send(get(`http://127.0.0.1:${await chunked(900)}/`))
    expect(answer.body.toString()).toBe('a'.repeat(900))
    const asked = within.send(get(`http://127.0.0.1:${await chunked(5_000)}/`))
    await expect(asked).rejects.toThrow('its answer came in too many short parts')
    await expect(asked).rejects.toBeInstanceOf(AnswerLost)
  })

  test('an answer is the first of two answers, and informational answers before it are skipped', async () => {
    const one = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const twice = await serveText(one('first') + one('other'))
    const hinted = await serveText(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${one('first')}`)
    for (const port of [twice, hinted]) {
      const { body } = await within.send(get(`http://127.0.0.1:${port}/`))
      expect(body.toString()).toBe('first')
    }
  })
})

describe('an answer counts as lost', () => {
  test.each([
    ['if it never comes', ''],
    ['if it is not HTTP', 'hello\r\n\r\n'],
    ['if it ends before its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    [
      'if it ends before its last chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
    ],
    ['if it is too large', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000)}`],
    [
      'if it switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('an answer counts as lost %s', async (_what, text) => {
    const port = await serveText(text)
    await expect(
      within.send(get(`http://127.0.0.1:${port}/?key=sesame`, { maxBytes: 1_000 })),
    ).rejects.toSatisfy((error: Error) => error instanceof AnswerLost && !error.message.includes('sesame'))
  })

  test('an answer counts as lost if it takes too long before its start or in its middle', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/half') response.write('{')
    })
    for (const path of ['/', '/half'])
      await expect(within.send(get(`http://127.0.0.1:${port}${path}`, { timeoutMs: 400 }))).rejects.toThrow(
        AnswerLost,
      )
  })
})

describe('nothing is sent', () => {
  const none = new Outbound({ allowPrivate: true, resolve: async () => [] })
  const silent = new Outbound({ allowPrivate: true, resolve: () => new Promise(() => {}) })
  const unknown = new Outbound({
    allowPrivate: true,
    resolve: async () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
  })

  test('nothing is sent if no server listens, the name has no address, the server has no TLS, or the URL is invalid', async () => {
    const free = await serve(() => {})
    open.splice(0).forEach((server) => {
      server.close()
    })
    const plain = await serveText('HTTP/1.1 400 Bad Request\r\n\r\n')
    const attempts: [Outbound, string, RegExp][] = [
      [within, `http://127.0.0.1:${free}/`, /ECONNREFUSED/],
      [within, `https://127.0.0.1:${plain}/`, /was not reached/],
      [none, 'http://a.example/', /no address/],
      [unknown, 'http://a.example/', /ENOTFOUND/],
      [silent, 'http://a.example/', /in time/],
      [within, 'ftp://a.example/', /not an http/],
      [within, 'nonsense', /not an http/],
    ]
    for (const [client, url, words] of attempts) {
      const sending = client.send(get(url, { timeoutMs: client === silent ? 100 : 5_000 }))
      await expect(sending).rejects.toThrow(RequestNotSent)
      await expect(sending).rejects.toThrow(words)
    }
  })

  test('nothing is sent if a header has an invalid character', async () => {
    const port = await serve(() => {})
    const sending = within.send(get(`http://127.0.0.1:${port}/`, { headers: { authorization: 'a\nsesame' } }))
    await expect(sending).rejects.toThrow(/^127.0.0.1:\d+ was not asked: ERR_INVALID_CHAR$/)
    await expect(sending).rejects.toThrow(RequestNotSent)
  })

  test('nothing is sent if the TLS connection is not ready in time', async () => {
    const port = await listen(createTcp(() => {}))
    await expect(within.send(get(`https://127.0.0.1:${port}/`, { timeoutMs: 100 }))).rejects.toThrow(
      RequestNotSent,
    )
  })
})

describe('addresses that are not public', () => {
  test.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0', '10.0.0.1', '169.254.169.254', '[::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fe80::1]', '[64:ff9b::7f00:1]', 'localhost'],
  ])('addresses that are not public are not reached: http://%s/', async (host) => {
    let asked = 0
    const port = await serve((_request, response) => void response.end(String(asked++)))
    await expect(outside.send(get(`http://${host}:${port}/`))).rejects.toThrow('not an address of the public')
    expect(asked).toBe(0)
  })

  test('addresses that are not public are not reached through a host name, even if only one of its addresses is private', async () => {
    const named = new Outbound({
      allowPrivate: false,
      resolve: async () => [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    })
    await expect(named.send(get('http://a.example/'))).rejects.toThrow('not an address of the public')
  })

  test('addresses that are not public are refused with the same text as unknown host names; only the log has the reason', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const resolve: Resolve = async (host) => {
      if (host === 'inside.example') return [{ address: '10.1.2.3', family: 4 }]
      if (host === 'empty.example') return []
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    }
    const client = new Outbound({ allowPrivate: false, resolve, log })
    const messages = await Promise.all(
      ['inside', 'empty', 'unknown'].map(async (name) => {
        const refused = await client.send(get(`http://${name}.example/`)).catch((error) => error)
        expect(refused).toBeInstanceOf(AddressRefused)
        return refused.message.replace(name, '')
      }),
    )
    expect(new Set(messages).size).toBe(1)
    const reasons = lines.map((line) => JSON.parse(line)).map(({ host, reason }) => `${host}: ${reason}`)
    expect(reasons.sort()).toEqual([
      'empty.example: no name server knows the name',
      'inside.example: the name leads to 10.1.2.3',
      'unknown.example: no name server knows the name',
    ])
  })

  test('private addresses are reached if the operator allows them or configured this one, and the host name is resolved once', async () => {
    const port = await serve((request, response) => void response.end(request.headers.host))
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.255.255.1', family: 4 }]
    const { body } = await new Outbound({ allowPrivate: true, resolve }).send(
      get(`http://a.example:${port}/`),
    )
    expect([body.toString(), asked]).toEqual([`a.example:${port}`, 1])
    expect(await outside.send(get(`http://127.0.0.1:${port}/`, { trusted: true }))).toMatchObject({
      status: 200,
    })
  })
})

describe('a redirect', () => {
  const to = (location: string) =>
    serve((_request, response) => void response.writeHead(302, { location }).end())

  test('a redirect is returned unfollowed for a POST, if no redirects are allowed, and after the last allowed redirect', async () => {
    const port = await to('/elsewhere')
    const url = `http://127.0.0.1:${port}/`
    expect(await within.send(get(url))).toMatchObject({ status: 302 })
    expect(await within.send(get(url, { method: 'POST', redirects: 3 }))).toMatchObject({ status: 302 })
    expect(await within.send(get(url, { redirects: 3 }))).toMatchObject({ status: 302 })
  })

  test('a redirect to another address sends no credentials, and does not reach a private address', async () => {
    const seen: (string | undefined)[] = []
    const target = await serve(({ headers }, response) => {
      seen.push(headers.authorization, headers['x-api-key'] as string | undefined, headers.accept)
      response.end('there')
    })
    const port = await to(`http://127.0.0.1:${target}/`)
    const headers = { authorization: 'Bearer sesame', 'X-Api-Key': 'sesame' }
    const followed = await within.send(get(`http://127.0.0.1:${port}/`, { headers, redirects: 1 }))
    expect(followed.body.toString()).toBe('there')
    expect(seen).toEqual([undefined, undefined, 'application/json'])
    const first = outside.send(get(`http://127.0.0.1:${port}/`, { trusted: true, redirects: 1 }))
    await expect(first).rejects.toThrow(`127.0.0.1:${target} is not an address of the public`)
    expect(seen).toHaveLength(3)
  })
})
