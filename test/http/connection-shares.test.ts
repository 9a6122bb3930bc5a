import { connect, type Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test as plainTest } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { exchange } from '../support/raw-http.ts'

const app = await startTestApp()
const capped = await startTestApp({ connectionsPerAddress: 2 })
const behindProxy = await startTestApp({ trustProxy: '127.0.0.2, 10.0.0.0/8' })
afterAll(() => Promise.all([app.close(), capped.close(), behindProxy.close()]))

// Only Linux answers at all addresses of 127.0.0.0/8.
const test = plainTest.runIf(process.platform === 'linux')
const request = 'GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n'

/** Opens connections from `from` until the server closes one, or there are `most`. Returns how many stay open. */
async function openFrom(app: TestApp, from: string, most: number): Promise<number> {
  const { hostname, port } = new URL(app.address)
  for (let open = 0; open < most; open++) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from })
    onTestFinished(() => void socket.destroy())
    if (!(await isAnswered(socket))) return open
  }
  return most
}

const isAnswered = (socket: Socket) =>
  new Promise<boolean>((resolve) => {
    socket
      .once('data', () => resolve(true))
      .once('close', () => resolve(false))
      .on('error', () => {})
    socket.write(request)
  })

/** Leaves room for `room` further connections. */
async function leaveRoom({ app }: TestApp, room: number): Promise<void> {
  const { server } = app.server
  const open = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  server.maxConnections = open + room
}

test('an address gets a connection only while it has fewer connections than are free', async () => {
  await leaveRoom(app, 12)
  expect(await openFrom(app, '127.0.0.5', 12)).toBe(6)
  expect(await openFrom(app, '127.0.0.6', 12)).toBe(3)
  expect(await openFrom(app, '127.0.0.7', 1)).toBe(1)
})

test('an address that closes its connections gets new ones', async () => {
  await leaveRoom(app, 2)
  for (let round = 0; round < 5; round++) {
    const { statuses } = await exchange(
      app.address,
      request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    expect(statuses).toEqual([200])
  }
})

test('CONNECTIONS_PER_ADDRESS limits the connections of an address', async () => {
  expect(await openFrom(capped, '127.0.0.5', 9)).toBe(2)
  expect(await openFrom(capped, '127.0.0.6', 9)).toBe(2)
})

test('the addresses of trusted proxies have no share', async () => {
  await leaveRoom(behindProxy, 12)
  expect(await openFrom(behindProxy, '127.0.0.2', 11)).toBe(11)
})
