import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import fastify from 'fastify'
import { afterAll, afterEach, expect, test } from 'vitest'
import { unauthenticated } from '../domain-error.ts'
import { type FileLimits, sendFile } from './send-file.ts'

const patient: FileLimits = { idleMs: 60_000, totalMs: 60_000, checkMs: 60_000 }
let limits = patient
let requireRights = async (): Promise<void> => {}
const ending = new AbortController()
let ended = Promise.withResolvers<void>()
async function* endless(): AsyncGenerator<string, void> {
  try {
    for (;;) yield 'x'.repeat(1024 * 1024)
  } finally {
    ended.resolve()
  }
}
async function* failing(): AsyncGenerator<string, void> {
  yield 'first\r\n'
  throw new Error('it fails')
}

const server = fastify()
server.get('/endless', (_, reply) =>
  sendFile(reply, { name: 'endless', format: 'csv', pieces: endless() }, () => requireRights(), limits),
)
server.get('/ended', (_, reply) =>
  sendFile(
    reply,
    { name: 'ended', format: 'csv', pieces: endless(), ending: ending.signal },
    requireRights,
    limits,
  ),
)
server.get('/failing', (_, reply) =>
  sendFile(reply, { name: 'failing', format: 'jsonl', pieces: failing() }, requireRights, limits),
)
const address = await server.listen()
const { port } = new URL(address)
afterAll(() => server.close())
afterEach(() => {
  limits = patient
  requireRights = async () => {}
  ended = Promise.withResolvers()
})

async function begin(path: string): Promise<IncomingMessage> {
  const request = get(address + path)
  // The response reports the reset too.
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function readAll(response: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return bytes
}

test('a client that stops reading is cut off after the idle limit', async () => {
  limits = { ...patient, idleMs: 100 }
  const response = await begin('/endless')
  await ended.promise
  await expect(readAll(response)).rejects.toThrow(/aborted|ECONNRESET/)
})

test('a file that takes longer than the total limit is cut off, although its client reads', async () => {
  limits = { ...patient, totalMs: 200 }
  await expect(readAll(await begin('/endless'))).rejects.toThrow(/aborted|ECONNRESET/)
  await ended.promise
})

test('a download that the server ends early is cut off, so that no client takes it for the whole file', async () => {
  const response = await begin('/ended')
  ending.abort(new Error('another file needs its turn'))
  await expect(readAll(response)).rejects.toThrow(/aborted|ECONNRESET/)
  await ended.promise
})

test('a download ends early if the caller loses its rights, and not while the database cannot say', async () => {
  limits = { ...patient, checkMs: 0 }
  let checks = 0
  requireRights = async () => {
    if (++checks === 9) throw unauthenticated('api_key_unknown', 'This API key was deleted')
    throw new Error('The database is unavailable')
  }
  await expect(readAll(await begin('/endless'))).rejects.toThrow(/aborted|ECONNRESET/)
  await ended.promise
  expect(checks).toBe(9)
})

test('sending a file stops when the client disconnects', async () => {
  const response = await begin('/endless')
  response.destroy()
  await ended.promise
})

test('an HTTP/1.1 client sees that a file is incomplete if sending fails', async () => {
  await expect(readAll(await begin('/failing'))).rejects.toThrow(/aborted|ECONNRESET/)
})

test('an HTTP/1.0 client gets a connection reset if a file fails, because HTTP/1.0 has no chunks', async () => {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /failing HTTP/1.0\r\n\r\n')
  const [error] = await once(socket.resume(), 'error').catch((reason) => [reason])
  expect(error).toMatchObject({ code: 'ECONNRESET' })
})
