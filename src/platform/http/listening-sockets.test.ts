import fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ListeningSockets } from './listening-sockets.ts'

const anyPort = { host: '127.0.0.1', port: 0 }

/** Starts a server whose answers wait for `release`. */
async function slowServer(): Promise<{
  server: FastifyInstance
  url: string
  release: () => void
  began: () => number
}> {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  let requests = 0
  const server = fastify()
  server.get('/', async () => {
    requests++
    await promise
    return 'done'
  })
  const url = await new ListeningSockets(server).listen(anyPort)
  onTestFinished(() => server.close())
  return { server, url, release, began: () => requests }
}

test('a stop lets the requests of all sockets finish, and then nothing listens', async () => {
  const clients = 64
  const { server, url, release, began } = await slowServer()
  // Without keep-alive, each request has a connection of its own.
  const ask = async () => (await fetch(url, { headers: { connection: 'close' } })).text()
  const answers = Array.from({ length: clients }, ask)
  await expect.poll(began).toBe(clients)
  const closed = server.close()
  release()
  expect(await Promise.all(answers)).toEqual(Array(clients).fill('done'))
  await closed
  await expect(ask()).rejects.toThrow('fetch failed')
})

test('a second server cannot listen on the port', async () => {
  const { url } = await slowServer()
  const second = fastify()
  onTestFinished(() => second.close())
  const listening = new ListeningSockets(second).listen({ ...anyPort, port: Number(new URL(url).port) })
  await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
