import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, installedPostgres } from '../support/own-postgres.ts'
import { type Child, cleanUp, command, newDataDir, startServer } from '../support/processes.ts'
import { ReplicatedPostgres } from '../support/replicated-postgres.ts'
import { Clients, rounds } from './clients.ts'
import { expectNothingLost, waitForMoreWrites } from './installation.ts'

const [installed] = installedPostgres()

describe.runIf(installed)('a primary and a synchronous standby, both in DATABASE_URL', () => {
  let postgres: ReplicatedPostgres
  let servers: Child[]
  let clients: Clients

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.create(installed!)
    const env = {
      ...{ DATABASE_URL: postgres.url, ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: newDataDir() },
      DEMO: '0',
    }
    const ports = [await freePort(), await freePort()]
    servers = ports.map((port) => startServer({ ...env, PORT: String(port) }))
    await Promise.all(servers.map((server) => server.says(/is ready/)))
    const { stdout } = await command('orgs create Acme --json', env)
    const { org_id: orgId, api_key_token: token } = JSON.parse(stdout)
    const { stdout: findings } = await command('doctor --json', env)
    expect(JSON.parse(findings)).toMatchObject({ replication: 'synchronous', warnings: expect.any(Array) })
    await command(`orgs limits ${orgId} --per-second none --per-minute none`, env)
    let turn = 0
    clients = new Clients(() => `http://127.0.0.1:${ports[turn++ % 2]}`, token)
    clients.start(8)
  })
  afterAll(async () => {
    await clients?.stop()
    for (const server of servers ?? []) server.kill('SIGTERM')
    await Promise.all((servers ?? []).map(({ ended }) => ended))
    await postgres?.remove()
    await cleanUp()
  })

  const logged = () => Math.max(...servers.map(({ stderr }) => stderr.split('\n').length - 1))

  /** How long no write was acknowledged, in milliseconds. */
  async function pauseDuring(fault: () => Promise<void>): Promise<number> {
    await waitForMoreWrites(clients)
    const startedAt = performance.now()
    await fault()
    await waitForMoreWrites(clients)
    return performance.now() - startedAt
  }

  const faults: [string, number, () => Promise<void>][] = [
    ['SIGKILL of the primary', 5_000, () => postgres.primary.kill()],
    ['a switchover', 5_000, () => postgres.primary.stop()],
    // Requests to a frozen server end when its connections were silent for 18 s.
    ['a frozen primary', 30_000, async () => postgres.primary.freeze()],
  ]

  test.each(faults)(
    'through %s, no acknowledged write is lost or doubled',
    {
      timeout: 120_000 + rounds * 60_000,
    },
    async (name, atMostMs, fault) => {
      const pauses: number[] = []
      const [linesBefore, startedAt] = [logged(), performance.now()]
      for (let round = 0; round < rounds; round++) {
        const before = postgres.primary
        pauses.push(
          await pauseDuring(async () => {
            await fault()
            await postgres.promote()
          }),
        )
        if (name === 'a frozen primary') await before.kill()
        await postgres.join({ isClean: name === 'a switchover' })
      }
      const lines = logged() - linesBefore
      console.log(`${name}: at most ${lines} lines in the log of a server`)
      expect(lines).toBeLessThan((2 * (performance.now() - startedAt)) / 1_000 + 10 * rounds)
      pauses.sort((one, other) => one - other)
      console.log(`${name}: no write for`, pauses.map((pause) => `${(pause / 1000).toFixed(1)} s`).join(', '))
      expect(pauses[Math.floor(pauses.length / 2)]).toBeLessThan(atMostMs)
      await clients.stop()
      expectNothingLost(await clients.report(postgres.primaryUrl), name)
      clients.start(8)
    },
  )
})
