import type { Socket } from 'node:net'
import Fastify, { type FastifyReply } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { RawConnection, rawRequest } from '../../../test/support/raw-http.ts'
import { sendPieces } from './send-pieces.ts'
import { limitUnreadAnswers } from './unread-answers.ts'

const bytesMax = 100_000
const caller = { payerId: 'org' } as never

/** A server whose large answers have 60,000 bytes, and are ready when `isReady` resolves. */
async function startServer(
  isReady: (socket: Socket) => Promise<unknown>,
  answer: (reply: FastifyReply) => unknown = () => 'x'.repeat(60_000),
) {
  const server = Fastify()
  onTestFinished(() => server.close())
  server.setErrorHandler((_error, _request, reply) => reply.code(503).send(''))
  server.decorateRequest('caller', null)
  server.addHook('onRequest', async (request) => {
    request.caller = caller
  })
  limitUnreadAnswers(server, bytesMax)
  let [begun, ended] = [0, 0]
  server.get('/large', async ({ raw: { socket } }, reply) => {
    begun++
    await isReady(socket)
    ended++
    return answer(reply)
  })
  server.get('/small', () => 'x')
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const large = rawRequest('token', 'GET', '/large').replace('Connection: close\r\n', '')
  const status = async () => (await fetch(`${address}/small`)).status
  return { address, large, begun: () => begun, ended: () => ended, status }
}

test.each([
  ['4 clients with a request each', 4, 1],
  ['a client with 4 requests in a row', 1, 4],
])('answers that are ready when the client is gone do not count: %s', async (_case, clients, each) => {
  const server = await startServer((socket) => new Promise((resolve) => socket.once('close', resolve)))
  const connections = Array.from({ length: clients }, () =>
    new RawConnection(server.address).send(server.large.repeat(each)),
  )
  await expect.poll(server.begun).toBe(4)
  for (const { socket } of connections) socket.destroy()
  await expect.poll(server.ended).toBe(4)
  expect(await server.status()).toBe(200)
})

test.each([
  ['answers', undefined],
  ['answers in pieces', (reply: FastifyReply) => sendPieces(reply, 'org', Array(6).fill('x'.repeat(10_000)))],
])(
  '%s that wait for earlier answers of their connection count until the client is gone',
  async (_case, answer) => {
    const { promise: first, resolve: open } = Promise.withResolvers<void>()
    let number = 0
    const server = await startServer(async () => number++ === 0 && first, answer)
    onTestFinished(() => open())
    const connection = new RawConnection(server.address).send(server.large.repeat(3))
    await expect.poll(server.status).toBe(503)
    connection.socket.destroy()
    await expect.poll(server.status).toBe(200)
  },
)
