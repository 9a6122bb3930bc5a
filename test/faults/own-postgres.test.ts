import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Database } from '../../src/platform/db/database.ts'
import { roleConfig } from '../../src/platform/db/roles.ts'
import { system } from '../../src/platform/db/system.ts'
import { createLog } from '../../src/platform/log.ts'
import { OperatorError } from '../../src/platform/report.ts'
import { inspectDatabase } from '../../src/platform/setup/inspect.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { withClientOf } from '../support/direct-sql.ts'
import { exercise } from '../support/exercise.ts'
import {
  administrator,
  freshKey,
  hasIPv6,
  installedPostgres,
  OwnPostgres,
  password,
} from '../support/own-postgres.ts'

const installed = installedPostgres()
const silent = createLog('silent')
const [key, otherKey] = [freshKey(), freshKey()]
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

if (installed.length === 0)
  test.runIf(process.env.CI === 'true')(
    "a PostgreSQL of one's own: SKIPPED, for there are no initdb and postgres in /usr/lib/postgresql/*/bin or on the " +
      'PATH (apt-get install postgresql brings them; where CI runs they have to be)',
    () => expect(installed).not.toEqual([]),
  )

describe.each(installed)('PostgreSQL $version', (postgres) => {
  const major = Number.parseInt(postgres.version, 10)
  let server: OwnPostgres
  beforeAll(async () => {
    server = await OwnPostgres.create(postgres)
  })
  afterEach(() => server.clear())
  afterAll(() => server?.remove())

  const modeOf = async (url: string, withKey = key) => (await prepareDatabase(url, withKey, silent)).roles
  /** A database, and the address of the role that owns it and has `rights`. */
  async function ownedBy(role: string, rights: string, database = 'crosswalk'): Promise<string> {
    await server.run(
      'postgres',
      `create role ${quoted(role)} login password '${password}' ${rights}`,
      `create database ${quoted(database)} owner ${quoted(role)}`,
    )
    return server.url(database, role)
  }
  async function refusal(url: string, withKey = key): Promise<string> {
    const error = await prepareDatabase(url, withKey, silent).then(
      () => null,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(OperatorError)
    return error.message
  }
  /** The statements that a message asks an administrator to run. */
  const advised = (message: string) =>
    [...message.matchAll(/^ {2}(.*;)$/gm)].map(([, statement]) => statement!)

  describe('the server works', () => {
    test('the server works if the migrating role is a superuser', async () => {
      await server.run('postgres', 'create database crosswalk')
      await exercise(server.url('crosswalk'), key)
      expect(await modeOf(server.url('crosswalk'))).toBe('login')
    })

    test('the server works if the migrating role is an ordinary one that may create roles', async () => {
      const url = await ownedBy('owner', 'createrole')
      await exercise(url, key)
      expect(await modeOf(url)).toBe('login')
    })

    test('the server works if an administrator created and granted the roles, because the migrating role may not', async () => {
      const url = await ownedBy('owner', '')
      await server.run(
        'postgres',
        'create role crosswalk_app nologin',
        'create role crosswalk_system nologin',
        'grant crosswalk_app, crosswalk_system to owner',
      )
      await exercise(url, key)
      expect(await modeOf(url)).toBe('set-role')
    })

    test('the server works after an administrator ran the statements in the error for a role without rights', async () => {
      const url = await ownedBy('The "Owner"', '')
      const statements = advised(await refusal(url))
      expect(statements).toEqual([
        'create role crosswalk_app nologin;',
        'create role crosswalk_system nologin;',
        'grant crosswalk_app, crosswalk_system to "The ""Owner""";',
      ])
      await server.run('postgres', ...statements.slice(0, 2))
      expect(advised(await refusal(url))).toEqual(statements.slice(2))
      await server.run('postgres', ...statements.slice(2))
      await exercise(url, key)
      expect(await modeOf(url)).toBe('set-role')
    })
  })

  describe('two installations on one server', () => {
    const first = async () => {
      await server.run('postgres', 'create database first')
      expect(await modeOf(server.url('first'))).toBe('login')
    }
    const stillLogsIn = async () => expect(await modeOf(server.url('first'))).toBe('login')

    test('two installations on one server with one encryption key share the roles', async () => {
      await first()
      expect(await modeOf(await ownedBy('second', '', 'second'))).toBe('login')
    })

    test('two installations on one server with two encryption keys both work: the second does not change the passwords of the first', async () => {
      await first()
      await server.run('postgres', 'create database second')
      const lines: { msg: string; level: number }[] = []
      const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
      expect((await prepareDatabase(server.url('second'), otherKey, log)).roles).toBe('set-role')
      expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('another Crosswalk') }])
      await exercise(server.url('second'), otherKey)
      await stillLogsIn()
    })

    test('two installations on one server with two encryption keys both work if the second owner is an ordinary role', async () => {
      await first()
      const url = await ownedBy('second', 'createrole', 'second')
      // Until PostgreSQL 15, a role with CREATEROLE could grant itself any role that is no superuser.
      if (major >= 16) await server.run('postgres', ...advised(await refusal(url, otherKey)))
      expect(await modeOf(url, otherKey)).toBe('set-role')
      await stillLogsIn()
    })

    test('two installations on one server can start for the first time at once, with several processes each', async () => {
      await server.run('postgres', 'create database first', 'create database second')
      const children = await Promise.all([
        migrateElsewhere(server.url('first'), key),
        migrateElsewhere(server.url('first'), key),
        migrateElsewhere(server.url('second'), otherKey),
      ])
      expect(children).toEqual([expect.anything(), expect.anything(), expect.anything()])
      const [one, two, three] = children.map(({ applied, roles }) => ({ applied: applied.length, roles }))
      expect([one!.applied, two!.applied].sort()).toEqual([0, three!.applied])
      expect(one!.roles).toBe(two!.roles)
      expect([one!.roles, three!.roles].sort()).toEqual(['login', 'set-role'])
    })
  })

  describe('another encryption key', () => {
    test('another encryption key is refused until an operator confirms the change', async () => {
      const url = await ownedBy('owner', 'createrole')
      await prepareDatabase(url, key, silent)
      expect(await refusal(url, otherKey)).toContain('migrate --new-key')
      expect(await modeOf(url)).toBe('login')
      // The old passwords stay until an operator confirms that no other installation uses them.
      expect((await prepareDatabase(url, otherKey, silent, { oldKey: null, loseSecrets: false })).roles).toBe(
        'set-role',
      )
      await exercise(url, otherKey)
      expect(await refusal(url, key)).toContain('migrate --new-key')
      await server.run('postgres', 'alter role crosswalk_app nologin', 'alter role crosswalk_system nologin')
      expect(await modeOf(url, otherKey)).toBe('login')
    })
  })

  describe('migrations', () => {
    test('migrations that were edited are refused, and those of a newer version are ignored', async () => {
      await server.run('postgres', 'create database crosswalk')
      const url = server.url('crosswalk')
      await prepareDatabase(url, key, silent)
      await server.run('crosswalk', `insert into schema_migration values ('9999_future.sql', 'x')`)
      expect((await prepareDatabase(url, key, silent)).applied).toEqual([])
      await server.run(
        'crosswalk',
        `update schema_migration set sha256 = 'x' where name = '0001_tenancy.sql'`,
      )
      expect(await refusal(url)).toContain('0001_tenancy.sql was edited')
    })

    test('migrations refuse a database that an unreleased version set up', async () => {
      await server.run('postgres', 'create database crosswalk')
      const url = server.url('crosswalk')
      await prepareDatabase(url, key, silent)
      await server.run(
        'crosswalk',
        `update schema_migration set name = '0001_foundation.sql' where name = '0001_tenancy.sql'`,
        `delete from schema_migration where name > '0010'`,
      )
      const message =
        'This database cannot be upgraded: it records migration 0001_foundation.sql where this version has 0001_tenancy.sql.'
      expect(await refusal(url)).toContain(message)
      await expect(inspectDatabase(url)).rejects.toThrow(message)
    })

    test('migrations wait for another process that migrates, and log it', async () => {
      const url = await ownedBy('owner', 'createrole')
      const waits = Promise.withResolvers<void>()
      const log = pino({}, { write: (line) => void (/waiting for it/.test(line) && waits.resolve()) })
      await withClientOf(url, async (first) => {
        await first.query("select pg_advisory_lock(hashtextextended('crosswalk migrate', 0))")
        const second = prepareDatabase(url, key, log)
        await waits.promise
        await first.query('select pg_advisory_unlock_all()')
        expect((await second).applied).not.toEqual([])
      })
    })

    test('migrations work with any session settings of the database and the role', async () => {
      const url = await ownedBy('owner', 'createrole')
      await server.run(
        'crosswalk',
        `create schema owner authorization owner`,
        `alter database crosswalk set search_path = nowhere`,
        `alter database crosswalk set datestyle = 'SQL, DMY'`,
        `alter role owner set statement_timeout = 1`,
        `revoke connect on database crosswalk from public`,
        `grant connect on database crosswalk to owner`,
      )
      await exercise(url, key)
      expect(await modeOf(url)).toBe('login')
    })
  })

  describe('the start is refused with an instruction for', () => {
    test('the start is refused with an instruction for a database in another encoding', async () => {
      await server.run('postgres', `create database latin encoding 'SQL_ASCII' template template0`)
      expect(await refusal(server.url('latin'))).toMatch(/SQL_ASCII.*encoding 'UTF8' template template0/)
    })

    test('the start is refused with an instruction for a database that does not exist', async () => {
      expect(await refusal(server.url('nothing'))).toContain('"nothing" does not exist')
    })

    test('the start is refused with an instruction for a role that may not create tables', async () => {
      const url = await ownedBy('guest', 'createrole', 'elsewhere').then(() =>
        server.url('crosswalk', 'guest'),
      )
      await server.run('postgres', 'create database crosswalk')
      const message = await refusal(url)
      expect(message).toContain('alter database crosswalk owner to guest;')
      await server.run('postgres', 'alter database crosswalk owner to guest')
      expect(await modeOf(url)).toBe('login')
    })

    test("the start is refused with an instruction for a role of Crosswalk's own, and roles that row-level security does not bind", async () => {
      await server.run(
        'postgres',
        'create database crosswalk',
        'create role crosswalk_app bypassrls',
        'create role boss',
      )
      const url = server.url('crosswalk')
      const unbound = 'would see the rows of every organization'
      expect(await refusal(url)).toContain(unbound)
      await server.run(
        'postgres',
        'alter role crosswalk_app nobypassrls',
        `grant ${administrator} to crosswalk_app`,
      )
      expect(await refusal(url)).toContain(unbound)
      await server.run(
        'postgres',
        `revoke ${administrator} from crosswalk_app`,
        'grant crosswalk_system to crosswalk_app',
      )
      expect(await refusal(url)).toContain(unbound)
      await server.run('postgres', 'revoke crosswalk_system from crosswalk_app')
      expect(await modeOf(url)).toBe('login')
      const { user, password: derived } = roleConfig(url, key, 'crosswalk_app')
      const own = `postgres://${user}:${derived}@127.0.0.1:${server.port}/crosswalk`
      expect(await refusal(own)).toContain('which Crosswalk uses itself')
    })
  })

  describe('the server connects to addresses', () => {
    /** Both pools log in, or enter their roles, over the kind of connection in `url`. */
    async function works(url: string): Promise<{ database: string; encrypted: boolean }> {
      const { roles } = await prepareDatabase(url, key, silent)
      const database = new Database({ url, rootKey: key, roles, log: silent })
      try {
        const query = {
          text: 'select current_database()::text as database, ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()',
          values: [],
        }
        const [across] = await system(database).readRows<{ database: string; encrypted: boolean }>(query)
        expect(await database.org('').readRows(query)).toEqual([across])
        return across!
      } finally {
        await database.close()
      }
    }
    const user = `${administrator}:${encodeURIComponent(password)}`
    const make = (database: string) => server.run('postgres', `create database ${quoted(database)}`)

    test('the server connects to addresses of every kind', async () => {
      await make('my db-é')
      await make(administrator)
      const { port, folder } = server
      const database = encodeURIComponent('my db-é')
      const kinds = [
        `postgresql://${user}@127.0.0.1:${port}/${database}`,
        `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable`,
        `postgres://${user}@/${database}?host=${encodeURIComponent(folder)}&port=${port}`,
        `postgres://127.0.0.1:${port}/${database}?user=${administrator}&password=${encodeURIComponent(password)}`,
        `postgres://${user}@127.0.0.1:${port}/${database}?options=-c%20search_path%3Dnowhere&application_name=mine`,
        ...(hasIPv6() ? [`postgres://${user}@[::1]:${port}/${database}`] : []),
      ]
      for (const url of kinds)
        expect(await works(url), url).toEqual({ database: 'my db-é', encrypted: false })
      // Without a database name, it is the name of the migrating role and not of the role that connects.
      for (const path of ['', '/'])
        expect((await works(`postgres://${user}@127.0.0.1:${port}${path}`)).database).toBe(administrator)
    })

    test('the server connects to addresses with TLS', async ({ skip }) => {
      const { certificate, port } = server
      if (!certificate) return skip('openssl is not installed')
      await make('crosswalk')
      const address = `postgres://${user}@localhost:${port}/crosswalk`
      const trusting = `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`
      for (const mode of ['sslmode=no-verify', trusting, 'uselibpqcompat=true&sslmode=require'])
        expect(await works(`${address}?${mode}`), mode).toEqual({ database: 'crosswalk', encrypted: true })
      await expect(works(`${address}?sslmode=verify-full`)).rejects.toMatchObject({ code: /SELF_SIGNED/ })
    })
  })
})

/** Migrates in a separate process. */
async function migrateElsewhere(url: string, rootKey: Buffer): Promise<{ applied: string[]; roles: string }> {
  const preparing = pathToFileURL(join(import.meta.dirname, '../../src/prepare-database.ts'))
  const log = pathToFileURL(join(import.meta.dirname, '../../src/platform/log.ts'))
  const program = `
    import { prepareDatabase } from '${preparing}'
    import { createLog } from '${log}'
    const [url, key] = process.argv.slice(1)
    process.stdout.write(JSON.stringify(await prepareDatabase(url, Buffer.from(key, 'hex'), createLog('silent'))))`
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, url, rootKey.toString('hex')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  const [status] = await once(child, 'close')
  expect(status).toBe(0)
  return JSON.parse(said)
}
