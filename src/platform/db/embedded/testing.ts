import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts'
import { readPidFile } from './pid-file.ts'
import type { User } from './user.ts'

/** The folder in which the tests of this file work. Every user may enter it. */
export const testFolder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'crosswalk-test-')))
fs.chmodSync(testFolder, 0o711)

const cleanups: (() => unknown)[] = []

/** Ends all processes that a test started, each by its own handle or number. Call it in `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const end of cleanups.splice(0).reverse()) await end()
  const orphan = fs.existsSync(join(shared, 'postgres.json')) ? postmaster(shared) : 0
  if (orphan && isAlive(orphan)) process.kill(orphan, 'SIGINT')
  await waitUntil('no PostgreSQL is left', () => !isAlive(orphan))
  logged.length = 0
}

/** Deletes the test folder. Call it in `afterAll`. */
export function removeTestFolder(): void {
  fs.rmSync(testFolder, { recursive: true, force: true })
}

const shared = join(testFolder, 'shared')

/** A DATA_DIR for all tests of one file, with a database and no running server. */
export async function readyDataDir(): Promise<string> {
  if (!fs.existsSync(shared)) await (await start(shared, 'server')).stop('fast')
  return shared
}

let counter = 0

/** The path of a new DATA_DIR, which does not exist yet. */
export const newDataDir = () => join(testFolder, `data-${++counter}`)

/** The database's log lines, with the level first. */
export const logged: string[] = []
const recordAs = (level: string) => (_about: object, message: string) =>
  void logged.push(`${level}: ${message}`)
export const log = { info: recordAs('info'), warn: recordAs('warn'), error: recordAs('error') }

/** Starts an embedded PostgreSQL, which stops after the test. */
export async function start(dataDir: string, role: 'server' | 'guest'): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataDir, role, log })
  cleanups.push(() => postgres.stop('fast'))
  return postgres
}

/** Returns the first value of a statement that runs in a separate session. */
export async function ask(url: string, statement: string): Promise<unknown> {
  const client = await session(url)
  const { rows } = await client.query(statement)
  await client.end()
  return Object.values(rows[0] ?? {})[0]
}

/** Opens a session. `cleanUp` ends it. */
export async function session(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  cleanups.push(() => client.end())
  return client
}

export type Other = {
  pid: number
  answer: { url?: string; adopted?: boolean; error?: string; message?: string }
  logged: string[]
  stop(mode: 'fast' | 'smart'): Promise<void>
  kill(): Promise<void>
}

/** Starts PostgreSQL from another process; `user` needs root. Returns when it is up or has failed. */
export async function startOther(dataDir: string, role: 'server' | 'guest', user?: User): Promise<Other> {
  const child = spawnOther(dataDir, role, user)
  const messages = createInterface(child.stdout!)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await messages.next()).value ?? '{}')
  const said: string[] = []
  let answer = await next()
  for (; answer.said; answer = await next()) said.push(answer.said)
  return {
    pid: child.pid!,
    answer,
    logged: said,
    async stop(mode) {
      child.stdin!.write(`${mode}\n`)
      while ((await next()).said) {}
    },
    kill: () => kill(child),
  }
}

/** Starts another process, and does not wait for PostgreSQL. */
export function spawnOther(dataDir: string, role: 'server' | 'guest', user?: User): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', otherProcessSource, dataDir, role],
    {
      ...user,
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  cleanups.push(() => kill(child))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const otherProcessSource = `
  import { createInterface } from 'node:readline'
  import { startEmbedded } from '${pathToFileURL(join(import.meta.dirname, 'embedded.ts'))}'
  const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  const listen = (_about, message) => say({ said: message })
  const [dataDir, role] = process.argv.slice(1)
  try {
    const postgres = await startEmbedded({ dataDir, role, log: { info: listen, warn: listen, error: listen } })
    say({ url: postgres.url, adopted: postgres.adopted })
    for await (const mode of createInterface(process.stdin)) say({ stopped: await postgres.stop(mode) })
  } catch (error) {
    say({ error: error.name, message: error.message })
  }`

/** Waits until something becomes true (at most 60 s). */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = Date.now(); !(await holds()); await delay(5)) {
    if (Date.now() - started > 60_000) throw new Error(`not true within 60 s: ${what}`)
  }
}

/** Reads the process number of the postmaster of a DATA_DIR. */
export function postmaster(dataDir: string): number {
  return readPidFile(join(homeOf(dataDir), 'cluster'))?.pid ?? 0
}

/** The folder `home` that the postgres.json of a data folder names, as a full path. */
export function homeOf(dataDir: string): string {
  const { home } = JSON.parse(fs.readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { home: string }
  return join(home.startsWith('/') ? '' : dataDir, home)
}

/** Whether the process runs. A zombie does not count. */
export function isAlive(pid: number): boolean {
  const state = stateOf(pid)?.state
  return state !== undefined && state !== 'Z'
}

/** The id of the parent of a process; 0 if the process is gone. */
export function parentOf(pid: number): number {
  return stateOf(pid)?.parent ?? 0
}

/** Returns the running processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  const all =
    process.platform === 'linux'
      ? fs.readdirSync('/proc').filter((name) => parentOf(Number(name)) === pid)
      : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
          .trim()
          .split('\n')
  return all.map(Number)
}

function stateOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const line =
      process.platform === 'linux'
        ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
        : execFileSync('ps', ['-o', 'stat=,ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [state, parent] = line.split(/\s+/)
    return { state: state![0]!, parent: Number(parent) }
  } catch {
    return undefined
  }
}
