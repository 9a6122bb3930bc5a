import { afterAll, expect, test } from 'vitest'
import { postmasterOf } from '../support/postgres-processes.ts'
import { cleanUp, newDataDir } from '../support/processes.ts'
import { rounds } from './clients.ts'
import { expectNothingLost, startWithClients, waitForMoreWrites } from './installation.ts'

afterAll(cleanUp)

const timeout = 180_000 + rounds * 20_000

test('after SIGKILL of a server that writes, every acknowledged record exists and each retry takes effect once', {
  timeout,
}, async () => {
  const { clients, restart, end } = await startWithClients(newDataDir())
  for (let round = 0; round < rounds; round++) {
    await waitForMoreWrites(clients)
    await restart('SIGKILL')
  }
  expectNothingLost(await end(), 'kill -9 of the server')
})

test('after SIGTERM a server that writes exits with 0, and each retry takes effect once', {
  timeout,
}, async () => {
  const { clients, restart, end } = await startWithClients(newDataDir())
  for (let round = 0; round < rounds; round++) {
    await waitForMoreWrites(clients)
    expect(await restart('SIGTERM')).toBe(0)
  }
  expectNothingLost(await end(), 'SIGTERM')
})

test('after SIGKILL of PostgreSQL under load, the same server process recovers and loses no record', {
  timeout,
}, async () => {
  const { clients, pid, url, end } = await startWithClients(newDataDir())
  const serverBefore = pid()
  for (let round = 0; round < rounds; round++) {
    await waitForMoreWrites(clients)
    process.kill(postmasterOf(url), 'SIGKILL')
  }
  await waitForMoreWrites(clients)
  expect(pid()).toBe(serverBefore)
  expectNothingLost(await end(), 'kill -9 of PostgreSQL')
})
