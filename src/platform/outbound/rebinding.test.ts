import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startNameServer } from '../../../test/support/name-server.ts'
import { AddressRefused, RequestNotSent } from './errors.ts'
import { Outbound } from './outbound.ts'
import { resolvePublic } from './resolve.ts'

const [published, loopback] = [Buffer.from([1, 1, 1, 1]), Buffer.from([127, 0, 0, 1])]
const addresses: Record<string, Buffer[]> = {
  'rebinding.example': [published, loopback, loopback],
  'private.example': [loopback],
}

// The first lookup gets the first address, and so on. The last address stays.
const names = await startNameServer((name, type) => {
  const known = addresses[name]
  if (!known) return 'unknown'
  if (type !== 'A') return null
  return known.length > 1 ? known.shift()! : known[0]!
})
let connections = 0
const inside = createServer((_request, response) => response.end('inside')).on('connection', () => {
  connections += 1
})
await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
const { port } = inside.address() as AddressInfo

/** The addresses to which this process tried to connect. Attempts that leave this machine end at once. */
const attempts: string[] = []
const watch = (message: unknown) => {
  const { socket } = message as { socket: Socket }
  socket.on('connectionAttempt', (address) => {
    attempts.push(address)
    if (address !== '127.0.0.1') setImmediate(() => socket.destroy(new Error('ended by the test')))
  })
}
subscribe('net.client.socket', watch)
afterAll(() => {
  unsubscribe('net.client.socket', watch)
  inside.close()
  names.close()
})

const outbound = new Outbound({ allowPrivate: false, resolve: resolvePublic([names.address]) })
const hook = { path: '/hook', headers: {}, body: '{}', timeoutMs: 5_000 }
const sessionTo = (host: string) =>
  outbound.session(`http://${host}:${port}`, { idleMax: 1, maxBytes: 1_000 })
const asked = (host: string) => names.questions.filter((question) => question === `${host} A`).length

test('if a name points to this machine after its check, the connection still goes to the checked address', async () => {
  const session = sessionTo('rebinding.example')
  await expect(session.post(hook)).rejects.toBeInstanceOf(RequestNotSent)
  expect(attempts.splice(0)).toEqual(['1.1.1.1'])
  // One lookup for each connection: a second one would find the private address.
  expect(asked('rebinding.example')).toBe(1)
  await expect(session.post(hook)).rejects.toBeInstanceOf(AddressRefused)
  expect(asked('rebinding.example')).toBe(2)
  expect([attempts, connections]).toEqual([[], 0])
  session.close()
})

test('the server on this machine would answer, if private addresses were allowed', async () => {
  const resolve = resolvePublic([names.address])
  const session = new Outbound({ allowPrivate: true, resolve }).session(`http://private.example:${port}`, {
    ...{ idleMax: 1, maxBytes: 1_000 },
  })
  expect((await session.post(hook)).status).toBe(200)
  expect([attempts.splice(0), connections]).toEqual([['127.0.0.1'], 1])
  session.close()
})
