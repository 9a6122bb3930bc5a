import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startTiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { isRoot, nobody } from '../../src/platform/db/embedded/user.ts'
import { memoryFolder } from './memory-folder.ts'
import { freePort, type InstalledPostgres } from './own-postgres.ts'
import { freeze, signalAll } from './postgres-processes.ts'

const user = 'administrator'
const password = 'replicated'

/** One of the two servers. */
class Replica {
  readonly port: number
  readonly #data: string
  readonly #bin: string
  readonly #folder: string
  #running: Awaited<ReturnType<typeof startTiedProcess>> | null = null

  constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.#folder = folder
    this.port = port
    this.#data = join(folder, `data-${port}`)
  }

  get pid(): number {
    return this.#running!.pid
  }

  initialize(): void {
    const secret = join(this.#folder, 'password')
    fs.writeFileSync(secret, password)
    if (isRoot()) fs.chownSync(secret, nobody().uid, nobody().gid)
    const options = ['-U', user, '--auth=scram-sha-256', `--pwfile=${secret}`, '--no-sync']
    this.#program('initdb', ['-D', this.#data, ...options, '--encoding=UTF8', '--locale=C'])
  }

  /** Copies `primary`, to follow it from the next start. */
  copy(primary: Replica): void {
    fs.rmSync(this.#data, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`
    const options = ['--checkpoint=fast', '--no-sync', '--write-recovery-conf']
    this.#program('pg_basebackup', ['-D', this.#data, '-d', from, ...options])
  }

  /** Starts as a standby that follows `primary`, after a clean stop as the primary. */
  follow(primary: Replica): Promise<void> {
    const from = `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`
    fs.writeFileSync(join(this.#data, 'standby.signal'), '')
    fs.appendFileSync(join(this.#data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
    return this.start()
  }

  async start(): Promise<void> {
    const log = fs.openSync(join(this.#folder, `log-${this.port}`), 'a')
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: this.#folder,
      fsync: 'off',
      wal_retrieve_retry_interval: '100ms',
    }
    const command = [join(this.#bin, 'postgres'), '-D', this.#data]
    for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`)
    const running = await startTiedProcess(command, isRoot() ? nobody() : undefined, log)
    fs.closeSync(log)
    this.#running = running
    while (!(await this.run('select').then(Boolean, () => false)))
      if (running.hasExited()) throw new Error(`PostgreSQL does not start: see ${this.#folder}`)
  }

  async stop(): Promise<void> {
    this.#running?.shutDown('fast')
    await this.#running?.exited
  }

  async kill(): Promise<void> {
    signalAll(this.pid, 'SIGKILL')
    await this.#running?.exited
  }

  freeze(): void {
    freeze(this.pid)
  }

  async run(...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: '127.0.0.1', port: this.port, user, password, database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) ({ rows } = await client.query(statement))
      return rows
    } finally {
      await client.end()
    }
  }

  #program(name: string, args: string[]): void {
    const { status, stderr } = spawnSync(join(this.#bin, name), args, {
      ...(isRoot() ? nobody() : {}),
      ...{ cwd: '/', env: {}, encoding: 'utf8' },
    })
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
  }
}

/** A primary and a synchronous standby, as Patroni with `synchronous_mode` keeps them. */
export class ReplicatedPostgres {
  readonly #folder: string
  #primary: Replica
  #standby: Replica

  static async create({ bin }: InstalledPostgres): Promise<ReplicatedPostgres> {
    const folder = fs.realpathSync(fs.mkdtempSync(join(memoryFolder() ?? tmpdir(), 'crosswalk-replicated-')))
    if (isRoot()) fs.chownSync(folder, nobody().uid, nobody().gid)
    const replicated = new ReplicatedPostgres(bin, folder, await freePort(), await freePort())
    const { primary } = replicated
    primary.initialize()
    await primary.start()
    await primary.run('create database crosswalk')
    await replicated.join()
    return replicated
  }

  private constructor(bin: string, folder: string, one: number, two: number) {
    this.#folder = folder
    this.#primary = new Replica(bin, folder, one)
    this.#standby = new Replica(bin, folder, two)
  }

  get primary(): Replica {
    return this.#primary
  }

  /** The address with both servers, the standby first. */
  get url(): string {
    const hosts = [this.#standby, this.#primary].map(({ port }) => `127.0.0.1:${port}`)
    return `postgres://${user}:${password}@${hosts}/crosswalk`
  }

  /** The address of the primary alone. */
  get primaryUrl(): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.#primary.port}/crosswalk`
  }

  /** Makes the standby the primary. Its commits wait for no standby, until one joins. */
  async promote(): Promise<void> {
    const [before, after] = [this.#primary, this.#standby]
    await after.run('select pg_promote()', `alter system set synchronous_standby_names = ''`, reload)
    this.#primary = after
    this.#standby = before
  }

  /** The other server follows the primary again. Commits wait for it. */
  async join({ isClean = false } = {}): Promise<void> {
    if (isClean) await this.#standby.follow(this.#primary)
    else {
      this.#standby.copy(this.#primary)
      await this.#standby.start()
    }
    await this.#primary.run(`alter system set synchronous_standby_names = '*'`, reload)
    while (!(await this.#isSynchronous()));
  }

  async #isSynchronous(): Promise<boolean> {
    const rows = await this.#primary.run('select sync_state from pg_stat_replication')
    return rows.some(({ sync_state }) => sync_state === 'sync')
  }

  async remove(): Promise<void> {
    await this.#standby.kill().catch(() => {})
    await this.#primary.stop()
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }
}

const reload = 'select pg_reload_conf()'
