import { chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { startTiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { isRoot, nobody } from '../../src/platform/db/embedded/user.ts'
import { pageNamed } from './markdown.ts'
import { administrator, freePort, type OwnPostgres, password } from './own-postgres.ts'

/** Returns the path of PgBouncer. Without it, skips a test; in CI, the test fails. */
export function pgBouncerOrSkip(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  const program = folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path))
  if (program === undefined)
    test.runIf(process.env.CI === 'true')(
      'connection poolers: SKIPPED, because PgBouncer is not installed (apt-get install pgbouncer)',
      () => expect(program).toBeDefined(),
    )
  return program
}

const poolModes = ['session', 'transaction', 'statement'] as const
export type PoolMode = (typeof poolModes)[number]

const guideBlock = (language: string) =>
  pageNamed('docs/operating/poolers.md').blocks.find((block) => block.language === language)!.text

/** A PgBouncer in front of one database, set up as docs/operating/poolers.md describes. */
export class OwnPgBouncer {
  readonly port: number
  readonly #database: string
  readonly #folder: string
  readonly #running: Awaited<ReturnType<typeof startTiedProcess>>

  /** @param database belongs to `postgres`; its owner logs in with the password of all test roles */
  static async create(program: string, postgres: OwnPostgres, database: string): Promise<OwnPgBouncer> {
    await postgres.run(database, guideBlock('sql').replace('<password>', password))
    const folder = mkdtempSync(join(tmpdir(), 'crosswalk-pgbouncer-'))
    const port = await freePort()
    const users = join(folder, 'userlist.txt')
    writeFileSync(users, `"pgbouncer" "${password}"\n`, { mode: 0o644 })
    const [, target] = /^crosswalk = (.*) pool_mode=transaction$/m.exec(guideBlock('ini')) ?? []
    const databases = poolModes.map((mode) => `${mode} = ${target} pool_mode=${mode}`)
    const settings = guideBlock('ini')
      .replace(/^crosswalk = .*$/m, databases.join('\n'))
      .replaceAll('port=5432', `port=${postgres.port}`)
      .replaceAll('dbname=crosswalk', `dbname=${database}`)
      .replace('listen_port = 6432', `listen_port = ${port}`)
      .replace('/etc/pgbouncer/userlist.txt', users)
    // Debian's package would put the socket into a folder of its own.
    writeFileSync(join(folder, 'pgbouncer.ini'), `${settings}unix_socket_dir =\n`, { mode: 0o644 })
    const log = openSync(join(folder, 'log'), 'a')
    const user = isRoot() ? nobody() : undefined
    if (user) chownSync(folder, user.uid, user.gid)
    const running = await startTiedProcess([program, join(folder, 'pgbouncer.ini')], user, log)
    const own = new OwnPgBouncer(port, database, folder, running)
    while (!(await own.#answers(postgres))) {
      if (running.hasExited())
        throw new Error(`PgBouncer does not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
    }
    return own
  }

  private constructor(
    port: number,
    database: string,
    folder: string,
    running: Awaited<ReturnType<typeof startTiedProcess>>,
  ) {
    this.port = port
    this.#database = database
    this.#folder = folder
    this.#running = running
  }

  /** The address that leads through the pooler, for the address of a role at PostgreSQL itself. */
  url(direct: string, mode: PoolMode): string {
    const url = new URL(direct)
    url.port = String(this.port)
    url.pathname = `/${mode}`
    return url.toString()
  }

  async remove(): Promise<void> {
    // PgBouncer ends at once after SIGTERM, and waits for its clients after SIGINT.
    this.#running.shutDown('smart')
    await this.#running.exited
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(postgres: OwnPostgres): Promise<boolean> {
    const url = this.url(postgres.url(this.#database, administrator), 'session')
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
}
