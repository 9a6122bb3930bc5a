import type { Socket } from 'node:net'
import { pino } from 'pino'
import { afterAll, expect, test as plainTest } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { healthRequest, openConnection } from '../support/open-connection.ts'
import { exchange } from '../support/raw-http.ts'

const app = await startTestApp()
const capped = await startTestApp({ connectionsPerAddress: 2 })
const logged: string[] = []
const log = pino({}, { write: (line: string) => logged.push(line) })
const behindProxy = await startTestApp({ trustProxy: '127.0.0.2, 10.0.0.0/8' }, undefined, log)
afterAll(() => Promise.all([app.close(), capped.close(), behindProxy.close()]))

/** The open connections of each server. */
const openOf = new Map([app, behindProxy].map((each) => [each, connectionsOf(each)]))

function connectionsOf({ app }: TestApp): Set<Socket> {
  const open = new Set<Socket>()
  app.server.server.prependListener('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

// Only Linux answers at all addresses of 127.0.0.0/8.
const test = plainTest.runIf(process.platform === 'linux')

/** Opens connections from `from` until the server closes one, or there are `most`. Returns how many stay open. */
async function openFrom(app: TestApp, from: string, most: number): Promise<number> {
  for (let open = 0; open < most; open++) if (!(await openConnection(app.address, from))) return open
  return most
}

/** Leaves room for `room` further connections. */
function leaveRoom(app: TestApp, room: number): void {
  app.app.server.server.maxConnections = (openOf.get(app)?.size ?? 0) + room
}

test('an address gets a connection only while it has fewer connections than are free', async () => {
  leaveRoom(app, 12)
  expect(await openFrom(app, '127.0.0.5', 12)).toBe(6)
  expect(await openFrom(app, '127.0.0.6', 12)).toBe(3)
  expect(await openFrom(app, '127.0.0.7', 1)).toBe(1)
})

test('an address that closes its connections gets new ones', async () => {
  leaveRoom(app, 2)
  for (let round = 0; round < 5; round++) {
    const { statuses } = await exchange(
      app.address,
      healthRequest.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    expect(statuses).toEqual([200])
  }
})

test('CONNECTIONS_PER_ADDRESS limits the connections of an address', async () => {
  expect(await openFrom(capped, '127.0.0.5', 9)).toBe(2)
  expect(await openFrom(capped, '127.0.0.6', 9)).toBe(2)
})

test('the addresses of trusted proxies have no share', async () => {
  leaveRoom(behindProxy, 12)
  expect(await openFrom(behindProxy, '127.0.0.2', 11)).toBe(11)
})

test('the log says that a process has as many connections as it may have', async () => {
  await expect.poll(() => openOf.get(behindProxy)?.size).toBe(0)
  leaveRoom(behindProxy, 2)
  expect(await openFrom(behindProxy, '127.0.0.2', 3)).toBe(2)
  const lines = logged.filter((line) => line.includes('as many connections as it may have'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { connections: behindProxy.app.server.server.maxConnections },
  ])
})
