import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createTcp, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { AddressRefused, AnswerLost, RequestNotSent } from './errors.ts'
import { Outbound } from './outbound.ts'
import type { FoundAddress } from './resolve.ts'
import type { OutboundSession, SessionLimits } from './session.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

type Listener = { port: number; connections: () => number; sockets: Set<Socket> }

async function listen(server: Server | ReturnType<typeof createTcp>): Promise<Listener> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket.on('close', () => sockets.delete(socket)))
  })
  open.push({
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, connections: () => connections, sockets }
}

const serve = (answer: RequestListener) => listen(createHttp(answer))
const outbound = new Outbound({ allowPrivate: true })

function sessionTo(
  port: number,
  limits: Partial<SessionLimits> = {},
  from = outbound,
  scheme = 'http',
): OutboundSession {
  const session = from.session(`${scheme}://127.0.0.1:${port}`, {
    idleMax: 2,
    maxBytes: 16_384,
    ...limits,
  })
  open.push(session)
  return session
}

const hook = (body = '{}', timeoutMs = 5_000) => ({
  path: '/hook?a=1',
  headers: { 'x-own': '1' },
  body,
  timeoutMs,
})

describe('a session', () => {
  test('the first 100 headers of an answer are read', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, '1']))
    const server = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '3', ...many }).end('later')
    })
    const { status, headers, body } = await sessionTo(server.port).post(hook())
    expect([status, headers['retry-after'], body.toString()]).toEqual([429, '3', 'later'])
    expect(Object.keys(headers).length).toBeLessThanOrEqual(100)
  })

  test('a session sends requests one after another over one connection, and returns any answer unchanged', async () => {
    const server = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const seen = [request.method, request.url, request.headers.host, request.headers['x-own']]
        response.writeHead(418, { 'retry-after': '3' }).end(`${seen.join(' ')} ${Buffer.concat(chunks)}`)
      })
    })
    const session = sessionTo(server.port)
    for (let index = 0; index < 20; index++) {
      const answer = await session.post(hook(`a=ü${index}`))
      expect(answer).toMatchObject({ status: 418, headers: { 'retry-after': '3' } })
      expect(answer.body.toString()).toBe(`POST /hook?a=1 127.0.0.1:${server.port} 1 a=ü${index}`)
    }
    expect(server.connections()).toBe(1)
  })

  test('a session keeps at most as many idle connections as its limit, and none after it closes', async () => {
    const server = await serve((_request, response) => setImmediate(() => response.end('ok')))
    const session = sessionTo(server.port, { idleMax: 3 })
    await Promise.all(Array.from({ length: 50 }, () => session.post(hook())))
    await expect.poll(() => server.sockets.size).toBe(3)
    session.close()
    await expect.poll(() => server.sockets.size).toBe(0)
  })

  test('a session sends again over a new connection if the other side closed the idle one', async () => {
    const server = await serve((_request, response) => response.end('ok'))
    const session = sessionTo(server.port)
    await session.post(hook())
    // The session sends its next request before it notices the reset.
    for (const socket of server.sockets) socket.resetAndDestroy()
    expect(await session.post(hook())).toMatchObject({ status: 200 })
    expect(server.connections()).toBe(2)
  })

  test('a session sends again over a new connection if the other side closed all idle ones', async () => {
    const server = await serve((_request, response) => setImmediate(() => response.end('ok')))
    const session = sessionTo(server.port, { idleMax: 10 })
    await Promise.all(Array.from({ length: 10 }, () => session.post(hook())))
    expect(server.connections()).toBe(10)
    for (const socket of server.sockets) socket.resetAndDestroy()
    expect(await session.post(hook())).toMatchObject({ status: 200 })
    expect(server.connections()).toBe(11)
  })

  test('a session returns a redirect as the answer', async () => {
    const server = await serve((_request, response) => response.writeHead(307, { location: '/else' }).end())
    expect(await sessionTo(server.port).post(hook())).toMatchObject({ status: 307 })
    expect(server.connections()).toBe(1)
  })

  test('an endless answer counts as lost, and its connection closes', async () => {
    let written = 0
    const server = await serve((_request, response) => {
      const more = () => {
        written += 1_024
        while (response.writable && !response.destroyed && response.write('x'.repeat(1_024))) written += 1_024
      }
      response.on('drain', more).writeHead(200)
      more()
    })
    const session = sessionTo(server.port)
    await expect(session.post(hook())).rejects.toThrow('was asked, but its answer has more than 16384 bytes')
    await expect.poll(() => server.sockets.size).toBe(0)
    expect(written).toBeLessThan(20_000_000)
  })

  test('an endless series of informational answers counts as lost, and its connection closes', async () => {
    let written = 0
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000)
    const server = await listen(
      createTcp((socket) => {
        const more = () => {
          while (socket.writable && socket.write(hints)) written += hints.length
        }
        socket
          .on('error', () => {})
          .on('drain', more)
          .once('data', more)
      }),
    )
    const trial = sessionTo(server.port).post(hook())
    await expect(trial).rejects.toThrow('it sent more than 10 informational answers')
    await expect(trial).rejects.toBeInstanceOf(AnswerLost)
    await expect.poll(() => server.sockets.size).toBe(0)
    expect(written).toBeLessThan(20_000_000)
  })

  test('a body in thousands of parts of one byte counts as lost, and its connection closes', async () => {
    const body = `${'1\r\na\r\n'.repeat(5_000)}0\r\n\r\n`
    const server = await listen(
      createTcp((socket) =>
        socket
          .on('error', () => {})
          .once('data', () => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`)),
      ),
    )
    const trial = sessionTo(server.port).post(hook())
    await expect(trial).rejects.toThrow('its answer came in too many short parts')
    await expect.poll(() => server.sockets.size).toBe(0)
  })

  test('a session counts the bytes of each answer separately, also on one connection', async () => {
    const server = await serve((_request, response) => response.end('x'.repeat(16_000)))
    const session = sessionTo(server.port)
    for (let index = 0; index < 20; index++) expect((await session.post(hook())).body).toHaveLength(16_000)
    expect(server.connections()).toBe(1)
  })

  test('a session ends a try after its time limit, whether bytes arrive slowly or not at all', async () => {
    const timers: NodeJS.Timeout[] = []
    const server = await serve((request, response) => {
      if (request.headers['x-own'] === 'drip') timers.push(setInterval(() => response.write('x'), 20))
    })
    const session = sessionTo(server.port)
    for (const own of ['drip', 'silent']) {
      const started = performance.now()
      const trial = session.post({ ...hook('{}', 300), headers: { 'x-own': own } })
      await expect(trial).rejects.toThrow('did not answer in time')
      await expect(trial).rejects.toBeInstanceOf(AnswerLost)
      expect(performance.now() - started).toBeLessThan(3_000)
    }
    for (const timer of timers) clearInterval(timer)
    await expect.poll(() => server.sockets.size).toBe(0)
  })

  test.each([
    ['that is not HTTP', 'hello\r\n\r\n'],
    ['that ends before its length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    [
      'that switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['that never comes', ''],
  ])('an answer %s counts as lost', async (_what, text) => {
    const server = await listen(
      createTcp((socket) => void socket.on('error', () => {}).once('data', () => socket.end(text))),
    )
    await expect(sessionTo(server.port).post(hook())).rejects.toBeInstanceOf(AnswerLost)
  })

  test('a session sends nothing to a private address, to a name with one, or to a server without TLS', async () => {
    const server = await serve((_request, response) => response.end('ok'))
    const outside = new Outbound({ allowPrivate: false })
    await expect(sessionTo(server.port, {}, outside).post(hook())).rejects.toBeInstanceOf(AddressRefused)
    const tls = sessionTo(server.port, {}, outbound, 'https').post(hook())
    await expect(tls).rejects.toBeInstanceOf(RequestNotSent)
    // The address of this name changes between two lookups.
    const answers: FoundAddress[][] = [
      [{ address: '10.0.0.1', family: 4 }],
      [{ address: '1.1.1.1', family: 4 }],
    ]
    const rebinding = new Outbound({ allowPrivate: false, resolve: async () => answers.shift() ?? [] })
    const session = rebinding.session('http://a.example', { idleMax: 2, maxBytes: 1_000 })
    await expect(session.post(hook())).rejects.toBeInstanceOf(AddressRefused)
    expect(answers).toHaveLength(1)
    expect(server.connections()).toBeLessThanOrEqual(1)
  })
})
