import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { Database } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { freePort, freshKey, installedPostgres, OwnPostgres } from '../support/own-postgres.ts'
import { installedRedis, OwnRedis } from '../support/own-redis.ts'
import { Child, type Environment } from '../support/processes.ts'

/** A log line, with the process that wrote it and the time in milliseconds since 1970. */
export type Line = { process: string; at: number; level: string; text: string }

export type Outage = { what: string; from: number; until: number }

export const processes = ['api-1', 'api-2', 'worker'] as const
export type ProcessName = (typeof processes)[number]

type Running = { name: ProcessName; child: Child; since: number }

/** Two API servers and a worker as separate processes, with their own PostgreSQL and Redis. */
export class Installation {
  readonly postgres: OwnPostgres
  readonly redis: OwnRedis | null
  readonly database: Database
  readonly addresses: string[]
  readonly lines: Line[] = []
  readonly outages: Outage[] = []
  readonly stopped: { name: ProcessName; code: number | null; inFlight: number; ms: number; load: number }[] =
    []
  readonly #env: Environment
  readonly #ports: Record<string, string>
  readonly #running = new Map<ProcessName, Running>()

  /** @param settings more environment variables for each process */
  static async start(settings: Environment): Promise<Installation> {
    const [installed] = installedPostgres()
    if (!installed) throw new Error('A day needs an installed PostgreSQL, which can be restarted.')
    const postgres = await OwnPostgres.create(installed)
    await postgres.run('postgres', 'create database crosswalk')
    const [redisInstalled] = installedRedis()
    const redis = redisInstalled ? await OwnRedis.create(redisInstalled) : null
    const key = freshKey()
    const log = createLog('error')
    const url = postgres.url('crosswalk')
    const { roles } = await prepareDatabase(url, key, log)
    const database = new Database({ url, rootKey: key, roles, log, appConnections: 1, systemConnections: 1 })
    const ports = { 'api-1': String(await freePort()), 'api-2': String(await freePort()) }
    const env = {
      ...{ DATABASE_URL: url, ENCRYPTION_KEY: key.toString('base64'), LOG_LEVEL: 'warn' },
      ...{ PUBLIC_URL: `http://127.0.0.1:${ports['api-1']}`, NODE_OPTIONS: '--max-semi-space-size=8' },
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    }
    const day = new Installation(postgres, redis, database, env, ports)
    await Promise.all(processes.map((name) => day.#start(name)))
    return day
  }

  private constructor(
    postgres: OwnPostgres,
    redis: OwnRedis | null,
    database: Database,
    env: Environment,
    ports: Record<string, string>,
  ) {
    this.postgres = postgres
    this.redis = redis
    this.database = database
    this.#env = env
    this.#ports = ports
    this.addresses = Object.values(ports).map((port) => `http://127.0.0.1:${port}`)
  }

  get url(): string {
    return this.postgres.url('crosswalk')
  }

  get env(): Environment {
    return this.#env
  }

  get running(): readonly Running[] {
    return [...this.#running.values()]
  }

  addressOf(name: ProcessName): string | undefined {
    return this.#ports[name] && `http://127.0.0.1:${this.#ports[name]}`
  }

  async #start(name: ProcessName): Promise<void> {
    const isApi = name !== 'worker'
    const env = { ...this.#env, ROLE: isApi ? 'api' : 'worker', PORT: this.#ports[name] ?? '0' }
    const child = new Child('src/main.ts', [], env)
    this.#running.set(name, { name, child, since: Date.now() })
    for (const stream of [child.process.stdout!, child.process.stderr!]) {
      let rest = ''
      stream.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        for (const line of lines) this.#read(name, line)
      })
    }
    await child.says(/is ready/)
  }

  #read(process: ProcessName, text: string): void {
    if (text.trim() === '') return
    const at = Date.now()
    if (!text.startsWith('{')) this.lines.push({ process, at, level: 'plain', text })
    else this.lines.push({ process, at, level: String((JSON.parse(text) as { level: string }).level), text })
  }

  async #during(what: string, work: () => Promise<unknown>): Promise<void> {
    const outage: Outage = { what, from: Date.now(), until: Number.POSITIVE_INFINITY }
    this.outages.push(outage)
    await work()
    outage.until = Date.now()
  }

  restart(name: ProcessName, signal: 'SIGKILL' | 'SIGTERM', inFlight: () => number = () => 0): Promise<void> {
    return this.#during(`${signal} ${name}`, async () => {
      const { child } = this.#running.get(name)!
      const [asked, from] = [inFlight(), Date.now()]
      child.kill(signal)
      const { code } = await child.ended
      if (signal === 'SIGTERM') {
        const load = loadavg()[0]!
        this.stopped.push({ name, code, inFlight: asked, ms: Date.now() - from, load })
      }
      await this.#start(name)
    })
  }

  restartDatabase(mode: 'immediate' | 'fast'): Promise<void> {
    return this.#during(`PostgreSQL ${mode}`, async () => {
      process.kill(this.postgres.pid, mode === 'immediate' ? 'SIGQUIT' : 'SIGINT')
      await this.postgres.stop()
      await this.postgres.start()
    })
  }

  restartRedis(): Promise<void> {
    return this.#during('SIGKILL Redis', async () => {
      await this.redis!.signal('SIGKILL')
      await delay(2_000)
      await this.redis!.start()
    })
  }

  async rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Ends all processes, and returns the exit code or signal of each. */
  async stop(): Promise<{ name: string; code: number | null }[]> {
    for (const { child } of this.running) child.kill('SIGTERM')
    const ended = this.running.map(async ({ name, child }) => ({ name, code: (await child.ended).code }))
    return Promise.all(ended)
  }

  async remove(): Promise<void> {
    await this.database.close()
    await this.postgres.remove()
    await this.redis?.remove()
  }
}
