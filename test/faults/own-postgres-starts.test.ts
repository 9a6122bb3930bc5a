import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Database } from '../../src/platform/db/database.ts'
import { roleConfig } from '../../src/platform/db/roles.ts'
import { system } from '../../src/platform/db/system.ts'
import { errorText } from '../../src/platform/report.ts'
import { inspectDatabase } from '../../src/platform/setup/inspect.ts'
import { migrate } from '../../src/platform/setup/migrate.ts'
import { migrationsFolder } from '../../src/platform/setup/migration-files.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { withClientOf } from '../support/direct-sql.ts'
import {
  describeEachPostgres,
  key,
  modeOf,
  newOwnedDatabase,
  quoted,
  refusal,
  silent,
} from '../support/each-postgres.ts'
import { useEveryFeature } from '../support/exercise.ts'
import { administrator, hasIPv6, password } from '../support/own-postgres.ts'

describeEachPostgres((server) => {
  describe('preparation of the schema', () => {
    test('edited migrations are refused, and applied migrations of a newer version are ignored', async () => {
      await server().run('postgres', 'create database crosswalk')
      const url = server().url('crosswalk')
      await prepareDatabase(url, key, silent)
      await server().run('crosswalk', `insert into schema_migration values ('9999_future.sql', 'x')`)
      expect((await prepareDatabase(url, key, silent)).applied).toEqual([])
      await server().run(
        'crosswalk',
        `update schema_migration set sha256 = 'x' where name = '0001_tenancy.sql'`,
      )
      expect(await refusal(url)).toContain('0001_tenancy.sql was edited')
    })

    test('migrations refuse a database that an unreleased version set up', async () => {
      await server().run('postgres', 'create database crosswalk')
      const url = server().url('crosswalk')
      await prepareDatabase(url, key, silent)
      await server().run(
        'crosswalk',
        `update schema_migration set name = '0001_foundation.sql' where name = '0001_tenancy.sql'`,
        `delete from schema_migration where name > '0010'`,
      )
      const message =
        'This database cannot be upgraded: it records migration 0001_foundation.sql where this version has 0001_tenancy.sql.'
      expect(await refusal(url)).toContain(message)
      await expect(inspectDatabase(url)).rejects.toThrow(message)
    })

    test('a migration of an existing database is logged with its first and last file and their number', async () => {
      await server().run('postgres', 'create database crosswalk')
      const folder = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
      try {
        cpSync(migrationsFolder, folder, { recursive: true })
        const lines: string[] = []
        const log = pino({}, { write: (line) => void (/migrat/.test(line) && lines.push(line)) })
        await migrate(server().url('crosswalk'), key, log, { folder })
        expect(lines).toEqual([])
        for (const name of ['9997_a.sql', '9998_b.sql']) writeFileSync(join(folder, name), 'select 1;\n')
        await migrate(server().url('crosswalk'), key, log, { folder })
        const files = { first: '9997_a.sql', last: '9998_b.sql', number: 2 }
        expect(lines.map((line) => JSON.parse(line))).toEqual([
          expect.objectContaining({ ...files, msg: 'migrating the database of an earlier version' }),
          expect.objectContaining({ ...files, seconds: expect.any(Number), msg: 'migrated the database' }),
        ])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })

    test('migrations wait for another process that migrates, and log it', async () => {
      const url = await newOwnedDatabase(server(), 'owner', 'createrole')
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
      const url = await newOwnedDatabase(server(), 'owner', 'createrole')
      await server().run(
        'crosswalk',
        `create schema owner authorization owner`,
        `alter database crosswalk set search_path = nowhere`,
        `alter database crosswalk set datestyle = 'SQL, DMY'`,
        `alter role owner set statement_timeout = 1`,
        `revoke connect on database crosswalk from public`,
        `grant connect on database crosswalk to owner`,
      )
      await useEveryFeature(url, key)
      expect(await modeOf(url)).toBe('login')
    })
  })

  describe('unusable databases', () => {
    test('the server refuses to start on a database in another encoding, and its error says what to do', async () => {
      await server().run('postgres', `create database latin encoding 'SQL_ASCII' template template0`)
      expect(await refusal(server().url('latin'))).toMatch(/SQL_ASCII.*encoding 'UTF8' template template0/)
    })

    test('a database in which a backslash in a string is an escape is refused with the statements that change this', async () => {
      await server().run('postgres', 'create database escapes')
      await server().run('postgres', 'alter database escapes set standard_conforming_strings = off')
      const ending =
        /^standard_conforming_strings is off .*: alter database escapes set standard_conforming_strings = on; or, if the role has the setting: alter role \w+ reset standard_conforming_strings;$/
      expect(await refusal(server().url('escapes'))).toMatch(ending)
    })

    test('the server refuses to start without an existing database, and its error says what to do', async () => {
      const text = await prepareDatabase(server().url('nothing'), key, silent).then(() => '', errorText)
      expect(text).toBe(
        'database "nothing" does not exist: create it, or name another database in DATABASE_URL.',
      )
    })

    test('the server refuses to start with a role that may not create tables, and its error says what to do', async () => {
      const url = await newOwnedDatabase(server(), 'guest', 'createrole', 'elsewhere').then(() =>
        server().url('crosswalk', 'guest'),
      )
      await server().run('postgres', 'create database crosswalk')
      const message = await refusal(url)
      expect(message).toContain('alter database crosswalk owner to guest;')
      expect((await inspectDatabase(url)).serverFault).toBe(message)
      await server().run('postgres', 'alter database crosswalk owner to guest')
      expect(await modeOf(url)).toBe('login')
      expect((await inspectDatabase(url)).serverFault).toBeNull()
    })

    test('the server refuses to start if its own role migrates, or if row-level security does not bind a role', async () => {
      await server().run(
        'postgres',
        'create database crosswalk',
        'create role crosswalk_app bypassrls',
        'create role boss',
      )
      const url = server().url('crosswalk')
      const unbound = 'would see the rows of every organization'
      expect(await refusal(url)).toContain(unbound)
      await server().run(
        'postgres',
        'alter role crosswalk_app nobypassrls',
        `grant ${administrator} to crosswalk_app`,
      )
      expect(await refusal(url)).toContain(unbound)
      await server().run(
        'postgres',
        `revoke ${administrator} from crosswalk_app`,
        'grant crosswalk_system to crosswalk_app',
      )
      expect(await refusal(url)).toContain(unbound)
      await server().run('postgres', 'revoke crosswalk_system from crosswalk_app')
      expect(await modeOf(url)).toBe('login')
      const { user, password: derived } = roleConfig(url, key, 'crosswalk_app')
      const own = `postgres://${user}:${derived}@127.0.0.1:${server().port}/crosswalk`
      expect(await refusal(own)).toContain('which Crosswalk uses itself')
    })
  })

  describe('database addresses', () => {
    /** Checks that both connection pools connect to `url`, each by logging in as its role or with SET ROLE. */
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
    const make = (database: string) => server().run('postgres', `create database ${quoted(database)}`)

    test('the server connects to database addresses of every kind', async () => {
      await make('my db-é')
      await make(administrator)
      const { port, folder } = server()
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
      // A URL without a database means the database named like the migrating role, not like the role that connects.
      for (const path of ['', '/'])
        expect((await works(`postgres://${user}@127.0.0.1:${port}${path}`)).database).toBe(administrator)
    })

    test('the server connects to database addresses with TLS', async ({ skip }) => {
      const { certificate, port } = server()
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
