import { execFile, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { TiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { memoryFolder } from '../support/memory-folder.ts'
import { freePort } from '../support/own-postgres.ts'
import { PatroniNode } from './node.ts'
import type { Programs } from './programs.ts'
import { guideCommand, sample } from './samples.ts'
import { endOf, environment, startProgram, unprivileged } from './tied.ts'

type Member = { name: string; role: string; state: string }

const run = promisify(execFile)

/**
 * etcd, two nodes with Patroni and PostgreSQL, and HAProxy, all with the files of deploy/patroni/. One member of etcd
 * is enough here, because the test never stops etcd.
 */
export class PatroniCluster {
  readonly nodes: readonly [PatroniNode, PatroniNode]
  readonly #programs: Programs
  readonly #folder: string
  readonly #etcd: { client: number; peer: number }
  readonly #proxyPort: number
  readonly #tied: TiedProcess[] = []

  static async create(programs: Programs): Promise<PatroniCluster> {
    const folder = realpathSync(mkdtempSync(join(memoryFolder() ?? tmpdir(), 'crosswalk-patroni-')))
    if (unprivileged) chownSync(folder, unprivileged.uid, unprivileged.gid)
    const ports: number[] = []
    while (ports.length < 7) ports.push(await freePort())
    const cluster = new PatroniCluster(programs, folder, ports)
    try {
      await cluster.#start()
    } catch (error) {
      const logs = cluster.nodes.map(({ log }) => endOf(log)).join('\n')
      await cluster.remove()
      throw new Error(`The cluster does not start:\n${logs}`, { cause: error })
    }
    return cluster
  }

  private constructor(programs: Programs, folder: string, ports: number[]) {
    const [client, peer, proxy, ...rest] = ports as [number, number, number, ...number[]]
    this.#programs = programs
    this.#folder = folder
    this.#etcd = { client, peer }
    this.#proxyPort = proxy
    const common = [
      ['  - 10.0.0.11:2379\n  - 10.0.0.12:2379\n  - 10.0.0.13:2379\n', `  - 127.0.0.1:${client}\n`],
    ] as [string, string][]
    const node = (name: string, postgres: number, api: number) =>
      new PatroniNode(programs, folder, name, { postgres, rest: api }, common)
    this.nodes = [node('db1', rest[0]!, rest[1]!), node('db2', rest[2]!, rest[3]!)]
  }

  /** The address of the database through HAProxy. */
  get proxyUrl(): string {
    return `postgres://crosswalk:password@127.0.0.1:${this.#proxyPort}/crosswalk`
  }

  /** The address of the database with both servers. */
  get hostsUrl(): string {
    const hosts = this.nodes.map(({ ports }) => `127.0.0.1:${ports.postgres}`)
    return `postgres://crosswalk:password@${hosts}/crosswalk`
  }

  async #start(): Promise<void> {
    await this.#startEtcd()
    await this.#startProxy()
    for (const node of this.nodes) {
      this.#validate(node)
      await node.start()
    }
    await this.waitUntilSynchronous()
    const list = await this.#patronictl('list')
    if (!/Leader.*\n.*Sync Standby|Sync Standby.*\n.*Leader/.test(list)) throw new Error(list)
    const administrator = 'host=10.0.0.11,10.0.0.12 user=postgres'
    const command = guideCommand('create role', [
      [administrator, `${administrator} port=${this.nodes.map(({ ports }) => ports.postgres)}`],
      ['10.0.0.11,10.0.0.12', '127.0.0.1,127.0.0.1'],
    ])
    await this.#shell(command)
  }

  async #startEtcd(): Promise<void> {
    const { client, peer } = this.#etcd
    const text = sample('etcd.env', [
      [',etcd2=http://10.0.0.12:2380,etcd3=http://10.0.0.13:2380', ''],
      ['10.0.0.11:2379', `127.0.0.1:${client}`],
      ['10.0.0.11:2380', `127.0.0.1:${peer}`],
      ['/var/lib/etcd/crosswalk', join(this.#folder, 'etcd')],
    ])
    const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!])
    const log = join(this.#folder, 'etcd.log')
    this.#tied.push(await startProgram([this.#programs.etcd], log, Object.fromEntries(settings)))
    await until('etcd', () => fetch(`http://127.0.0.1:${client}/health`).then(({ ok }) => ok))
  }

  async #startProxy(): Promise<void> {
    const [one, two] = this.nodes
    const file = join(this.#folder, 'haproxy.cfg')
    const text = sample('haproxy.cfg', [
      ['bind 127.0.0.1:5000', `bind 127.0.0.1:${this.#proxyPort}`],
      ['10.0.0.11:5432 check port 8008', `127.0.0.1:${one.ports.postgres} check port ${one.ports.rest}`],
      ['10.0.0.12:5432 check port 8008', `127.0.0.1:${two.ports.postgres} check port ${two.ports.rest}`],
    ])
    writeFileSync(file, text, { mode: 0o644 })
    const log = join(this.#folder, 'haproxy.log')
    this.#tied.push(await startProgram([this.#programs.haproxy, '-f', file], log))
  }

  /** @throws Error if Patroni refuses the configuration for another reason than an address of this machine */
  #validate({ configuration }: PatroniNode): void {
    const { stderr, stdout } = spawnSync(this.#programs.patroni, ['--validate-config', configuration], {
      ...unprivileged,
      ...{ cwd: '/', env: environment, encoding: 'utf8' },
    })
    const faults = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => /\w/.test(line) && !isExpected.test(line))
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }

  async #members(): Promise<Member[]> {
    const states = this.nodes.map(async ({ ports }) => {
      const response = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      })
      return ((await response.json()) as { members: Member[] }).members
    })
    return Promise.any(states).catch(() => [])
  }

  /** Waits until there is a primary, and the standby has all of its commits. */
  async waitUntilSynchronous(): Promise<void> {
    await until('a synchronous standby', async () => {
      const members = await this.#members()
      const isThere = (role: string) =>
        members.some((member) => member.role === role && /^(running|streaming)$/.test(member.state))
      return isThere('leader') && isThere('sync_standby')
    })
  }

  async primary(): Promise<PatroniNode> {
    // A busy machine may not answer at the first try.
    let found: PatroniNode | undefined
    await until('primary', async () => {
      const leader = (await this.#members()).find(({ role }) => role === 'leader')
      found = this.nodes.find(({ name }) => name === leader?.name)
      return found !== undefined
    })
    return found!
  }

  /** Runs the command of the guide that makes the standby the primary. */
  async switchOver(): Promise<void> {
    await this.#patronictl('switchover')
  }

  /** Runs the command of the guide with this action. */
  #patronictl(action: string): Promise<string> {
    return this.#shell(
      guideCommand(`config.yml ${action}`, [
        ['patronictl', this.#programs.patronictl],
        ['/etc/patroni/config.yml', this.nodes[0].configuration],
      ]),
    )
  }

  /** Rows that the primary stores, as its administrator. */
  async rows<Row>(query: string): Promise<Row[]> {
    const { ports } = await this.primary()
    const url = `host=127.0.0.1 port=${ports.postgres} dbname=crosswalk user=postgres`
    const json = `select coalesce(json_agg(row), '[]') from (${query}) row`
    return JSON.parse(await this.#shell(`psql "${url}" -Atc "${json}"`)) as Row[]
  }

  async #shell(text: string): Promise<string> {
    const { stdout } = await run('/bin/sh', ['-euc', text], {
      env: { ...environment, PGPASSWORD: 'password-of-postgres' },
      maxBuffer: 2 ** 28,
    })
    return stdout
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()))
    for (const program of this.#tied) program.shutDown('smart')
    await Promise.all(this.#tied.map(({ exited }) => exited))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const isExpected = /^(\w+\.connect_address 127\.0\.0\.1|Configuration file is valid)/

/** @throws Error after two minutes */
async function until(what: string, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await isThere().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`No ${what} within two minutes`)
    await delay(50)
  }
}
