import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { freeze, signalAll, thaw } from '../support/postgres-processes.ts'
import type { Programs } from './programs.ts'
import { type Replacements, sample } from './samples.ts'
import { startProgram } from './tied.ts'

export type Ports = { postgres: number; rest: number }

/** A database server of the cluster: Patroni, and the PostgreSQL that it starts. */
export class PatroniNode {
  readonly name: string
  readonly ports: Ports
  readonly configuration: string
  readonly log: string
  readonly #data: string
  readonly #program: string
  #running: TiedProcess | null = null

  constructor(programs: Programs, folder: string, name: string, ports: Ports, common: Replacements) {
    this.name = name
    this.ports = ports
    this.configuration = join(folder, `${name}.yml`)
    this.log = join(folder, `${name}.log`)
    this.#data = join(folder, `data-${name}`)
    this.#program = programs.patroni
    const text = sample('patroni.yml', [
      ['name: db1', `name: ${name}`],
      ['0.0.0.0:8008', `127.0.0.1:${ports.rest}`],
      ['10.0.0.11:8008', `127.0.0.1:${ports.rest}`],
      ['0.0.0.0:5432', `127.0.0.1:${ports.postgres}`],
      ['10.0.0.11:5432', `127.0.0.1:${ports.postgres}`],
      ['/usr/lib/postgresql/15/bin', programs.postgres.bin],
      ['/var/lib/postgresql/15/crosswalk', this.#data],
      ['/var/lib/postgresql/crosswalk.pgpass', join(folder, `${name}.pgpass`)],
      ['/var/run/postgresql', folder],
      ...common,
    ])
    writeFileSync(this.configuration, text, { mode: 0o644 })
  }

  async start(): Promise<void> {
    this.#running = await startProgram([this.#program, this.configuration], this.log)
  }

  /** SIGKILL of all processes of PostgreSQL. */
  killPostgres(): void {
    if (this.#postgres) signalAll(this.#postgres, 'SIGKILL')
  }

  /** SIGKILL of Patroni and of all processes of PostgreSQL. */
  async kill(): Promise<void> {
    if (!this.#running) return
    process.kill(this.#running.pid, 'SIGKILL')
    this.killPostgres()
    await this.#running.exited
    this.#running = null
  }

  /** SIGSTOP of Patroni and of all processes of PostgreSQL. */
  freeze(): void {
    process.kill(this.#running!.pid, 'SIGSTOP')
    freeze(this.#postgres!)
  }

  thaw(): void {
    thaw(this.#postgres!)
    process.kill(this.#running!.pid, 'SIGCONT')
  }

  get #postgres(): number | null {
    const file = join(this.#data, 'postmaster.pid')
    if (!existsSync(file)) return null
    const [pid] = readFileSync(file, 'utf8').split('\n', 1)
    // The file of a killed PostgreSQL stays, and its number may be that of another process now.
    const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', pid!], { encoding: 'utf8' })
    return stdout.includes(this.#data) ? Number(pid) : null
  }
}
