import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { closedLoop } from '../support/closed-loop.ts'
import { patience } from '../support/patience.ts'
import { exchange, RawConnection } from '../support/raw-http.ts'
import { longestTurn, usualLongestTurn } from '../support/turns.ts'

// A proxy may open more connections in a second than a client.
const app = await startTestApp({ trustProxy: '127.0.0.1' })
afterAll(() => app.close())

const document = 'GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'
const zippedDocument =
  'GET /openapi.json HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n'

/** Connections of a client that reads nothing. */
async function deafConnections(count: number): Promise<Socket[]> {
  const { port } = new URL(app.address)
  const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1').pause())
  let accepted = 0
  const note = () => {
    accepted += 1
  }
  const { server } = app.app.server
  server.on('connection', note)
  await vi.waitFor(() => expect(accepted).toBeGreaterThanOrEqual(count), patience)
  server.off('connection', note)
  return sockets
}

test('a stranger who requests a large document on 200 connections at once does not block the thread', async () => {
  // Makes the document.
  expect((await exchange(app.address, zippedDocument)).statuses).toEqual([200])
  const limit = 100
  const longest = await usualLongestTurn(async () => {
    const sockets = await deafConnections(200)
    for (const socket of sockets) socket.write(document)
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    for (const socket of sockets) socket.destroy()
    await sleep(10)
  }, limit)
  expect(longest).toBeLessThan(limit)
})

test('the first request for openapi.json, which makes the document, does not block the thread', async () => {
  const limit = 150
  let longest = Number.POSITIVE_INFINITY
  // Garbage collection can make a turn longer, so the best of three servers counts.
  for (let run = 0; run < 3 && longest >= limit; run++) {
    const fresh = await startTestApp({ role: 'api' })
    // A client on the same thread that parses the document would take a part of the time.
    const request = () => exchange(fresh.address, zippedDocument)
    longest = Math.min(longest, await longestTurn(request))
    await fresh.close()
  }
  expect(longest).toBeLessThan(limit)
})

test('a connection with 300 requests at once is closed, and all requests of one with 200 are answered in order', async () => {
  const asks = Array.from(
    { length: 300 },
    (_, at) => `GET /healthz HTTP/1.1\r\nHost: here\r\nX-Request-Id: n${at}\r\n\r\n`,
  )
  const many = new RawConnection(app.address).send(asks.join(''))
  await many.closed
  expect(many.statuses.length).toBeLessThan(300)
  const last = 'GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'
  const fewer = new RawConnection(app.address).send(asks.slice(0, 200).join('') + last)
  await fewer.closed
  expect(fewer.statuses).toEqual(Array(201).fill(200))
  const ids = [...fewer.text.matchAll(/x-request-id: n(\d+)/gi)].map(([, at]) => Number(at))
  expect(ids).toEqual(Array.from({ length: 200 }, (_, at) => at))
})

test('the rest of 2,400 requests at once is not even parsed after the connection is closed', async () => {
  let parsed = 0
  const count = () => {
    parsed += 1
  }
  const { server } = app.app.server
  server.on('request', count)
  onTestFinished(() => void server.off('request', count))
  const many = new RawConnection(app.address)
  await once(many.socket, 'connect')
  await many.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_400)).closed
  expect(parsed).toBeGreaterThan(0)
  expect(parsed).toBeLessThan(600)
})

test('100 connections with 40 requests with long headers each are read in parts, and all requests are answered', async () => {
  const headers = Array.from({ length: 95 }, (_, at) => `X-${at}: ${'x'.repeat(100)}\r\n`).join('')
  const asks = (more: string) => `GET /healthz HTTP/1.1\r\nHost: here\r\n${more}${headers}\r\n`
  const text = asks('').repeat(39) + asks('Connection: close\r\n')
  const all = Array.from({ length: 100 }, () => new RawConnection(app.address))
  await Promise.all(all.map(({ socket }) => once(socket, 'connect')))
  await Promise.all(all.map((each) => each.send(text).closed))
  expect(new Set(all.map(({ statuses }) => statuses.length))).toEqual(new Set([40]))
})

/** An organization whose API key the server knows already. */
async function newNeighbor(): Promise<TestOrg> {
  const neighbor = await app.newOrg()
  await neighbor.get('/contacts?limit=1')
  return neighbor
}

/** Sends on 1,200 connections with this token, while the requests of a neighbor must succeed. */
async function besideLoad(neighbor: TestOrg, token: string, work = () => {}): Promise<void> {
  const request = `GET /v1/contacts HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const load = await closedLoop({ address: app.address, connections: 1_200, request })
  work()
  const statuses = new Set<number>()
  for (let asked = 0; asked < 10 || load.answers() < 100; asked++)
    statuses.add((await neighbor.get('/contacts?limit=1')).status)
  await load.end()
  expect([...statuses]).toEqual([200])
}

test('a stranger with 1,200 connections that send again after each answer does not block the thread', async () => {
  const neighbor = await newNeighbor()
  const limit = 100
  const longest = await usualLongestTurn(() => besideLoad(neighbor, 'svc_live_unknown'), limit)
  expect(longest).toBeLessThan(limit)
})

const keepThread = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** The most answers of the server that one iteration of the event loop finishes during `work`. */
async function mostAnswersAtOnce(work: () => Promise<void>): Promise<number> {
  let answers = 0
  const count = (message: unknown) => {
    if ((message as { server: Server }).server === app.app.server.server) answers += 1
  }
  subscribe('http.server.response.finish', count)
  onTestFinished(() => void unsubscribe('http.server.response.finish', count))
  return mostInAnIteration(work, () => answers)
}

/** By how much `counted` grows in one iteration of the event loop during `work`, at most. */
async function mostInAnIteration(work: () => Promise<unknown>, counted: () => number): Promise<number> {
  let [before, most, isDone] = [counted(), 0, false]
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextIteration()
    most = Math.max(most, counted() - before)
    before = counted()
  }
  await done
  return most
}

test('if an organization above its rate limit sends on 1,200 connections, one iteration of the event loop answers few requests', async () => {
  const neighbor = await newNeighbor()
  const busy = await app.newOrg({ limited: true })
  while ((await busy.get('/contacts?limit=1')).status !== 429);
  // While the thread does something else, the requests of all connections arrive.
  const most = await mostAnswersAtOnce(() => besideLoad(neighbor, busy.token!, () => keepThread(500)))
  // Without turns, one iteration answers all that have arrived: 1,000 and more.
  expect(most).toBeLessThan(300)
})

test('if 2,000 clients leave at once in the middle of their bodies, one iteration of the event loop finishes few requests', async () => {
  const { server } = app.app.server
  let [open, answered] = [0, 0]
  const count = (asked: IncomingMessage, answer: ServerResponse) => {
    if (asked.method !== 'POST') return
    open += 1
    asked.once('error', () => {
      open -= 1
    })
    const end = answer.end.bind(answer) as (...given: unknown[]) => ServerResponse
    answer.end = (...given: unknown[]) => {
      answered += 1
      return end(...given)
    }
  }
  server.on('request', count)
  onTestFinished(() => void server.off('request', count))
  const neighbor = await newNeighbor()
  const head = `POST /v1/contacts HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${neighbor.token}\r\n`
  const request = `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
  const load = await closedLoop({ address: app.address, connections: 2_000, request })
  await vi.waitFor(() => expect(open).toBe(2_000), patience)
  // It waits in the same lane, so all requests before it have begun.
  await neighbor.get('/contacts?limit=1')
  const leave = async () => {
    await load.end()
    await vi.waitFor(() => expect([open, answered]).toEqual([0, 2_000]), patience)
  }
  // To answer a client that has left takes 0.1 ms.
  expect(await mostInAnIteration(leave, () => answered)).toBeLessThan(100)
})
