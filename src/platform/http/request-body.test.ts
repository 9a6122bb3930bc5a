import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exchange, RawConnection } from '../../../test/support/raw-http.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'
import { createServer } from './server.ts'

const bodyTimeoutMs = 150
const limit = 1000
const mebibyte = 1024 * 1024
/** How many bytes Node.js reads from a connection at a time. */
const pieceBytes = 64 * 1024

const echo = endpoint({
  method: 'POST',
  path: '/echo',
  name: 'echo',
  sdk: 'things.echo',
  summary: 'Echo',
  tag: 'Test',
  permission: null,
  body: z.object({ say: text() }),
  bodyLimit: limit,
  shape: 'bare',
  response: z.object({ said: z.string() }),
  handle: async ({ body }) => ({ said: body.say }),
})

const upload = endpoint({
  method: 'POST',
  path: '/upload',
  name: 'upload',
  sdk: 'things.upload',
  summary: 'Count the bytes of a file, up to a limit',
  tag: 'Test',
  permission: null,
  body: z.object({ csv: text() }),
  streams: ['text/csv'],
  shape: 'bare',
  response: z.object({ bytes: z.int() }),
  staging: {
    async take({ stream }) {
      let bytes = 0
      for await (const piece of stream!) {
        bytes += piece.length
        if (bytes > limit) throw new DomainError('body_too_large', 'too large for me')
      }
      return bytes
    },
    drop: async () => {},
  },
  handle: async ({ staged }) => ({ bytes: staged }),
})

let server: FastifyInstance
let address: string
const logged: string[] = []
const errors: Error[] = []

const serverWith = (bodyTimeoutMs: number) => {
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
  return createServer({
    endpoints: [echo, upload],
    context: { log, config: { trustProxy: false }, database: { org: () => null } } as unknown as Context,
    gate: () => ({ orgId: 'any', payerId: 'any' }) as Caller,
    requirePermission: () => {},
    requireRights: async () => {},
    answerKeyed: async () => expect.fail('No request has an Idempotency-Key'),
    publicRoutes: () => {},
    bodyTimeoutMs,
    onAnswer: () => {},
  })
}

beforeAll(async () => {
  server = serverWith(bodyTimeoutMs)
  server.addHook('onError', async (_request, _reply, error) => {
    errors.push(error)
  })
  address = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

const head = (path: string, type: string, length: number | null) =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\n` +
  `${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`

const post = (path: string, type: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body,
    duplex: 'half',
  } as never)

/** Sends `bytes` of CSV piece by piece, like a client that reads a file. */
const csvOf = (bytes: number) =>
  new ReadableStream({
    pull(controller) {
      if (bytes <= 0) return controller.close()
      controller.enqueue(new Uint8Array(65_536).fill(97))
      bytes -= 65_536
    },
  })

describe('a body', () => {
  test('a body that arrives too slowly gets 408', async () => {
    const { text } = await exchange(address, `${head('/echo', 'application/json', 100)}{"say": "half of it`)
    expect(text).toMatch(/^HTTP\/1\.1 408 .*connection: close.*\{"detail":"The body did not arrive in time/is)
  })

  test('if a client still sends its body after the answer, the server reads the rest until the same time limit', async () => {
    const { statuses } = await exchange(
      address,
      `${head('/nowhere', 'application/json', 100)}{"say": "half of it`,
    )
    expect(statuses).toEqual([404])
  })

  test('a body that is streamed may take longer', async () => {
    const streamed = new RawConnection(address).send(`${head('/upload', 'text/csv', 6)}a,b`)
    await exchange(address, `${head('/echo', 'application/json', 100)}{`)
    expect(streamed.text).toBe('')
    expect(await streamed.send('\n1,').until(/\}/)).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":6\}/s)
    streamed.socket.destroy()
  })

  test.each([
    ['announced', limit + 1],
    ['not announced', null],
  ])(
    'a body over the limit, %s, gets a 413 that the client can read, and the connection stays open',
    async (_how, length) => {
      const connection = new RawConnection(address).send(head('/echo', 'application/json', length))
      const body = 'a'.repeat(limit + 1)
      connection.send(length === null ? `${body.length.toString(16)}\r\n${body}\r\n` : body.slice(1))
      expect(await connection.until(/\}/)).toMatch(/^HTTP\/1\.1 413 .*larger than 1000 bytes/s)
      connection.send(length === null ? '0\r\n\r\n' : 'a')
      connection.send(`${head('/echo', 'application/json', 14)}{"say": "yes"}`)
      expect(await connection.until(/\{"said":"yes"\}/)).toContain('HTTP/1.1 200 ')
      connection.socket.destroy()
    },
  )

  test('a body gets its answer even if the endpoint stops reading early', async () => {
    const answer = await post('/upload', 'text/csv', csvOf(5_000_000))
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: 'too large for me', code: 'body_too_large' },
    ])
  })

  test.each(['HTTP/1.1', 'HTTP/1.0'])(
    'a client whose connection closes after the answer can still send the whole body of a refused request: %s',
    async (version) => {
      const patient = serverWith(60_000)
      const address = await patient.listen({ port: 0, host: '127.0.0.1' })
      const request = head('/echo', 'application/json', 4 * mebibyte).replace('HTTP/1.1', version)
      const connection = new RawConnection(address)
      const errors: Error[] = []
      connection.socket.on('error', (error) => errors.push(error))
      connection.send(request.replace('Host: here', 'Host: here\r\nConnection: close'))
      await connection.until(/^HTTP\/1\.1 413 .*\}/s)
      connection.send(Buffer.alloc(4 * mebibyte, 'a'))
      await connection.closed
      expect(errors).toEqual([])
      await patient.close()
    },
  )

  test('a body of a refused request is read in small pieces, so that other requests are answered meanwhile', async () => {
    const clients = 8
    const sockets: Socket[] = []
    const patient = serverWith(60_000)
    patient.server.on('connection', (socket) => sockets.push(socket))
    const address = await patient.listen({ port: 0, host: '127.0.0.1' })
    const refused = Array.from({ length: clients }, () =>
      new RawConnection(address).send(head('/echo', 'application/json', 8 * mebibyte)),
    )
    for (const connection of refused) await connection.until(/ 413 /)
    for (const connection of refused) connection.send(Buffer.alloc(4 * mebibyte, 'a'))
    let [read, mostInOneTurn] = [0, 0]
    while (read < 2 * clients * mebibyte) {
      await new Promise(setImmediate)
      const before = read
      read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      mostInOneTurn = Math.max(mostInOneTurn, read - before)
    }
    for (const { socket } of refused) socket.destroy()
    await patient.close()
    // Four pieces of each client, and a fifth that Node.js reads after the pause.
    expect(mostInOneTurn).toBeLessThanOrEqual(clients * 5 * pieceBytes)
  })

  test.each(['text/csv', 'TEXT/CSV; charset=utf-8', ' text/csv;header=present'])(
    'a body of the type %j is streamed to an endpoint that asks for it',
    async (type) => {
      expect(await (await post('/upload', type, 'a,b\n')).json()).toEqual({ bytes: 4 })
    },
  )

  test.each([
    ...['text/csv', 'text/plain', 'foo', '/', 'application/jsonx', 'application/json; charset=utf-16', ';'],
  ])('a body of the type %j is not parsed as JSON', async (type) => {
    const answer = await post('/echo', type, '{"say": "x"}')
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { detail: [{ type: 'model_attributes_type', loc: ['body'] }] },
    ])
  })

  test.each([
    ['/echo', 'application/json', gzipSync('{"say": "x"}')],
    ['/upload', 'text/csv', gzipSync('a,b\n')],
  ])('a compressed body is refused with a text that says so: %s', async (path, type, body) => {
    const answer = await post(path, type, body, { 'content-encoding': 'gzip' })
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      {
        detail: [
          {
            ...{ type: 'value_error', loc: ['header', 'content-encoding'] },
            msg: 'compressed bodies are not read here; send the body without a Content-Encoding',
          },
        ],
      },
    ])
  })

  test('a body with the encoding "identity" is not compressed', async () => {
    const answer = await post('/echo', 'application/json', '{"say": "x"}', { 'content-encoding': 'Identity' })
    expect(await answer.json()).toEqual({ said: 'x' })
  })

  test.each(['application/json', 'APPLICATION/JSON; charset="UTF-8"', 'application/problem+json', ''])(
    'a body of the type %j is parsed as JSON',
    async (type) => {
      const { text } = await exchange(
        address,
        `POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 14\r\n\r\n{"say": "yes"}`,
      )
      expect(text).toMatch(/^HTTP\/1\.1 200 .*\{"said":"yes"\}$/s)
    },
  )

  test('a body whose client disconnects is not logged as an error of the server', async () => {
    for (const [path, type] of [
      ['/echo', 'application/json'],
      ['/upload', 'text/csv'],
    ] as const) {
      const before = errors.length
      const { socket } = new RawConnection(address)
      await new Promise((resolve) => socket.write(`${head(path, type, 100)}a`, resolve))
      socket.destroy()
      while (errors.length === before) await new Promise(setImmediate)
    }
    await new Promise(setImmediate)
    expect(logged).toEqual([])
  })
})
