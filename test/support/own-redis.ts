import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { startTiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { freePort } from './own-postgres.ts'

/** A Redis or Valkey, with its version (`Redis server v=7.0.15`). */
export type InstalledRedis = { version: string; program: string }

export function installedRedis(): InstalledRedis[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['redis-server', 'valkey-server'].flatMap((name) => {
    const program = folders.map((folder) => join(folder, name)).find((path) => fs.existsSync(path))
    if (program === undefined) return []
    const said = execFileSync(program, ['--version'], { encoding: 'utf8' })
    return [{ version: /^.*?v=\S+/.exec(said)?.[0] ?? said, program }]
  })
}

const password = 'p@ss/w%rd:#?&+'

/** A Redis on a free port of 127.0.0.1 that ends with this process. */
export class OwnRedis {
  readonly port: number
  readonly #program: string
  readonly #folder = fs.mkdtempSync(join(tmpdir(), 'crosswalk-redis-'))
  #running: Awaited<ReturnType<typeof startTiedProcess>> | null = null

  static async create({ program }: InstalledRedis): Promise<OwnRedis> {
    const own = new OwnRedis(program, await freePort())
    await own.start()
    return own
  }

  private constructor(program: string, port: number) {
    this.#program = program
    this.port = port
  }

  get url(): string {
    return `redis://:${encodeURIComponent(password)}@127.0.0.1:${this.port}/0`
  }

  /** Resolves when Redis answers. */
  async start(): Promise<void> {
    const log = fs.openSync(join(this.#folder, 'log'), 'a')
    const settings = {
      port: this.port,
      bind: '127.0.0.1',
      requirepass: password,
      save: '',
      dir: this.#folder,
    }
    const command = [this.#program]
    for (const [name, value] of Object.entries(settings)) command.push(`--${name}`, String(value))
    const running = await startTiedProcess(command, undefined, log)
    fs.closeSync(log)
    this.#running = running
    while ((await this.run('PING').catch(() => null)) !== 'PONG') {
      if (running.hasExited())
        throw new Error(`Redis does not start:\n${fs.readFileSync(join(this.#folder, 'log'), 'utf8')}`)
    }
  }

  /** SIGKILL ends the server, and SIGSTOP pauses it until SIGCONT. */
  async signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    process.kill(this.#running!.pid, name)
    if (name === 'SIGKILL') await this.#running!.exited
  }

  /** Sends one command over its own connection. */
  async run(name: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    const client = new Redis(this.port, { password, lazyConnect: true, retryStrategy: null })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.call(name, args)
    } finally {
      client.disconnect()
    }
  }

  async remove(): Promise<void> {
    if (this.#running && !this.#running.hasExited()) {
      process.kill(this.#running.pid, 'SIGCONT')
      this.#running.shutDown('fast')
      await this.#running.exited
    }
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }
}
