import { freePort } from '../support/own-postgres.ts'
import { type Child, command, newDataDir, startServer } from '../support/processes.ts'
import type { PatroniCluster } from './cluster.ts'
import { Load } from './load.ts'

/** A server that reaches the database through HAProxy, one that knows both hosts, and clients of both. */
export class Servers {
  readonly load: Load
  readonly #servers: Child[]
  readonly #environments: Record<string, string>[]

  static async start(cluster: PatroniCluster): Promise<Servers> {
    const common = { ENCRYPTION_KEY: 'ab'.repeat(32), DATA_DIR: newDataDir(), DEMO: '0' }
    const environments = []
    for (const DATABASE_URL of [cluster.proxyUrl, cluster.hostsUrl])
      environments.push({ ...common, DATABASE_URL, PORT: String(await freePort()) })
    const servers: Child[] = []
    for (const environment of environments) {
      const server = startServer(environment)
      servers.push(server)
      await server.says(/is ready/)
    }
    const { stdout } = await command('orgs create Acme --json', environments[1]!)
    const { org_id: orgId, api_key_token: token } = JSON.parse(stdout)
    await command(`orgs limits ${orgId} --per-second none --per-minute none`, environments[1]!)
    const addresses = environments.map(({ PORT }) => `http://127.0.0.1:${PORT}`)
    const load = new Load(
      [
        { name: 'proxy', addresses: addresses.slice(0, 1) },
        { name: 'hosts', addresses: addresses.slice(1) },
        { name: 'either', addresses },
      ],
      token,
    )
    return new Servers(servers, environments, load)
  }

  private constructor(servers: Child[], environments: Record<string, string>[], load: Load) {
    this.#servers = servers
    this.#environments = environments
    this.load = load
  }

  /** What `doctor` finds, for each DATABASE_URL. */
  async doctor(): Promise<unknown[]> {
    const found = this.#environments.map((environment) => command('doctor --json', environment))
    return (await Promise.all(found)).map(({ stdout }) => JSON.parse(stdout))
  }

  /** How many lines each server has logged. */
  lines(): number[] {
    return this.#servers.map(({ stderr }) => stderr.split('\n').length - 1)
  }

  async stop(): Promise<void> {
    await this.load.stop()
    for (const server of this.#servers) server.kill('SIGTERM')
    await Promise.all(this.#servers.map(({ ended }) => ended))
  }
}
