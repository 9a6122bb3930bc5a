import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { RawConnection } from '../support/raw-http.ts'
import { usualLongestTurn } from '../support/turns.ts'

const app = await startTestApp()
afterAll(() => app.close())

const document = 'GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'

/** Connections of a client that reads nothing. */
async function deafConnections(count: number): Promise<Socket[]> {
  const { port } = new URL(app.address)
  const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1').pause())
  const accepted = () =>
    new Promise<number>((resolve) => app.app.server.server.getConnections((_, open) => resolve(open)))
  await vi.waitFor(async () => expect(await accepted()).toBeGreaterThanOrEqual(count), patience)
  return sockets
}

test('a stranger who requests a large document on 200 connections at once does not keep the thread', async () => {
  // Makes the document.
  await app.stranger.get('/openapi.json', { prefix: '' })
  const limit = 60
  const longest = await usualLongestTurn(async () => {
    const sockets = await deafConnections(200)
    for (const socket of sockets) socket.write(document)
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    for (const socket of sockets) socket.destroy()
    await sleep(10)
  }, limit)
  console.log('LONGEST', longest)
  expect(longest).toBeLessThan(limit)
})

test('a stranger who requests 400 documents on one connection gets at most 128 of them', async () => {
  const connection = new RawConnection(app.address)
  const last = 'GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'
  connection.send(document.replace('GET', 'HEAD').repeat(400) + last)
  await connection.closed
  const counted = (status: number) => connection.statuses.filter((each) => each === status).length
  expect([counted(200) > 1, counted(200) + counted(429), counted(429) >= 400 - 128]).toEqual([
    true,
    401,
    true,
  ])
  expect((await app.stranger.get('/openapi.json', { prefix: '' })).status).toBe(200)
})
