import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { Json } from '../json.ts'
import { send } from './response.ts'

const list = (items: number) =>
  Json.list(Array.from({ length: items }, (_, n) => JSON.stringify(`${n}ü`.repeat(1_000))))

async function startServer(body: Json) {
  const server = Fastify()
  onTestFinished(() => server.close())
  server.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (_request, reply) => send(reply, 'org', { status: 200, headers: {}, body }),
  })
  return server.listen({ port: 0, host: '127.0.0.1' })
}

test.each([0, 1, 30, 1_000])('a list of %i items arrives as if it were sent at once', async (items) => {
  const body = list(items).between('{"data":', '}')
  const answer = await fetch(await startServer(body))
  const text = await answer.text()
  expect(JSON.parse(text).data.length).toBe(items)
  expect(text).toBe(body.text)
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text))
})

test('a long list is sent in pieces, and other work runs in between', async () => {
  const body = list(1_000)
  expect(body.pieces.length).toBeGreaterThan(20)
  const url = await startServer(body)
  let iterations = 0
  let isOver = false
  const count = () => {
    iterations++
    if (!isOver) setImmediate(count)
  }
  const { body: stream } = await fetch(url)
  count()
  let bytes = 0
  for await (const piece of stream!) bytes += piece.length
  isOver = true
  expect(bytes).toBe(Buffer.byteLength(body.text))
  expect(iterations).toBeGreaterThan(20)
})

test('HEAD gets the length of a long list without the list', async () => {
  const body = list(1_000)
  const answer = await fetch(await startServer(body), { method: 'HEAD' })
  expect(await answer.text()).toBe('')
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(body.text))
})
