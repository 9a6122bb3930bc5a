import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { freePort } from '../support/own-postgres.ts'
import { patience } from '../support/patience.ts'
import { type Child, command, startServer } from '../support/processes.ts'
import { Clients, type Report, rounds } from './clients.ts'

const clientsAtOnce = 8

/** A server with its own database under `dataDir`, and clients that send requests to it. */
export async function startWithClients(dataDir: string) {
  const env = { DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error', PORT: String(await freePort()) }
  const address = `http://127.0.0.1:${env.PORT}`
  let server: Child = startServer(env)
  await server.says(/is ready/)
  const created = await command('orgs create Acme --json', env)
  const { org_id: orgId, api_key_token: token } = JSON.parse(created.stdout)
  await command(`orgs limits ${orgId} --per-second none --per-minute none`, env)
  const { database_url: url } = JSON.parse((await command('database-url --json', env)).stdout)
  const clients = new Clients(() => address, token)
  clients.start(clientsAtOnce)
  return {
    env,
    clients,
    url,
    pid: () => server.process.pid!,
    said: () => server.stderr,
    async restart(signal: NodeJS.Signals): Promise<number | null> {
      server.kill(signal)
      const { code } = await server.ended
      server = startServer(env)
      await server.says(/is ready/)
      return code
    },
    /** Lets the clients finish, and compares what they were told with the database. */
    async end(): Promise<Report> {
      await clients.stop()
      const report = await clients.report(url)
      server.kill('SIGTERM')
      await server.ended
      return report
    },
  }
}

export async function waitForMoreWrites(clients: Clients): Promise<void> {
  const before = clients.acknowledged
  await expect.poll(() => clients.acknowledged, { ...patience, interval: 5 }).toBeGreaterThan(before + 20)
  await delay(Math.random() * 50)
}

export function expectNothingLost(report: Report, what: string): void {
  console.log(`${what}, ${rounds} times:`, report)
  expect(report).toMatchObject({
    doubled: 0,
    lost: 0,
    unexpected: [],
    acknowledged: report.sent,
    found: report.sent,
  })
  expect(report.sent).toBeGreaterThan(20 * rounds)
}
