import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../context.ts'
import { answerError } from './answer-error.ts'
import { sendPieces } from './send-pieces.ts'

test('the log names no fault if a client leaves before a long answer is sent', async () => {
  const error = vi.fn()
  const context = { log: { error } } as unknown as Context
  const server = Fastify()
  onTestFinished(() => server.close())
  server.setErrorHandler((failure, request, reply) =>
    answerError(failure, request, reply, {
      context,
      hints: { nearest: () => null, findByValue: () => null } as never,
    }),
  )
  const isOver = Promise.withResolvers<void>()
  server.addHook('onSend', (_request, _reply, payload, sent) => {
    if (payload instanceof Readable) payload.once('close', () => setImmediate(isOver.resolve))
    sent()
  })
  server.post('/', async (request, reply) => {
    const left = once(request.raw.socket, 'close')
    client.destroy()
    await left
    return sendPieces(reply, 'org', Array(6).fill('x'.repeat(10_000)))
  })
  await server.listen({ port: 0 })
  const client = connect((server.server.address() as AddressInfo).port)
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  await isOver.promise
  expect(error.mock.calls).toEqual([])
})
