import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import type { ClientBase } from 'pg'
import { expect, test } from 'vitest'
import { Hosts } from './hosts.ts'

test('a connection to a standby is refused with the address of that standby', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hosts = new Hosts([
    { host: '127.0.0.1', port },
    { host: 'db2', port: 5432 },
  ] as const)
  const stream = hosts.socket()
  stream.connect(1)
  await once(stream, 'connect')
  const client = { query: async () => ({ rows: [{ standby: true }] }), connection: { stream } }
  await expect(hosts.requirePrimary(client as unknown as ClientBase)).rejects.toThrow(
    `127.0.0.1:${port} is a standby, and no primary among the servers of DATABASE_URL is known`,
  )
  stream.destroy()
  server.close()
})

test('an IPv6 address of a standby has brackets', async () => {
  const hosts = new Hosts([{ host: '::1', port: 5433 }] as const)
  const client = { query: async () => ({ rows: [{ standby: true }] }), connection: { stream: new Socket() } }
  await expect(hosts.requirePrimary(client as unknown as ClientBase)).rejects.toThrow(
    '[::1]:5433 is a standby',
  )
})
