import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { migrationsFolder } from '../../src/platform/setup/migration-files.ts'
import { startTestApp } from '../support/app.ts'
import { databaseNamed, runAsOwner, testKey } from '../support/database.ts'
import { cleanUp, command, fileNamed } from '../support/processes.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
afterAll(() => Promise.all([app.close(), cleanUp()]))

const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: testKey.toString('base64') }
const file = fileNamed('people.csv')
const people =
  'Nr,Name,Mail,Consent email\n1,Ada Lovelace,ada@example.com,\n2,Grace Hopper,,perhaps\n3,"x" y,,\n'
writeFileSync(file, people)

describe('commands', () => {
  test('with DATABASE_URL, the commands work on that database', async () => {
    const org = await app.newOrg({ name: 'Here' })
    expect((await command('orgs list', env)).stdout).toContain(
      `${org.orgId}  Here: 0 contacts, 0 companies\n`,
    )
    expect((await command('database-url', env)).stdout).toBe(`${app.databaseUrl}\n`)
    const revoked = await command(`keys revoke ${org.apiKeyId}`, env)
    expect(revoked).toEqual({ code: 0, stdout: expect.stringContaining('within 2 seconds'), stderr: '' })
    await expectWithin(2_000, async () => (await org.get('/contacts')).status, 401)
  })

  test('with DATABASE_URL, doctor changes nothing, shows no secret, and fails if the schema is outdated', async () => {
    const name = `crosswalk_test_empty_${process.pid}`
    const url = databaseNamed(inject('databaseUrl'), name)
    await runAsOwner(inject('databaseUrl'), `create database ${name}`)
    try {
      const empty = { ...env, DATABASE_URL: url }
      const { password } = new URL(url)
      const before = await command('doctor', empty)
      expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('crosswalk -- migrate')])
      const listed = await command('orgs list', empty)
      expect([listed.code, listed.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^The database has no schema of Crosswalk\..* npm run crosswalk -- migrate\.\n$/,
        ),
      ])
      expect(before.stdout).toMatch(/^schema +lacks \d+ migrations, 0001_\w+\.sql to \d{4}_\w+\.sql$/m)
      expect(await runAsOwner(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])

      const planned = JSON.parse((await command('migrate --dry-run --json', empty)).stdout)
      expect(await runAsOwner(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])

      const migrated = JSON.parse((await command('migrate --json', empty)).stdout)
      expect(migrated.applied[0]).toMatch(/^0001_.*\.sql$/)
      expect(planned).toEqual({ pending: migrated.applied })
      expect((await command('migrate --dry-run', empty)).stdout).toBe('The schema is up to date.\n')
      const last = migrated.applied.at(-1)
      await runAsOwner(url, `delete from schema_migration where name = '${last}'`)
      for (const args of ['jobs list', 'orgs create New']) {
        const { code, stderr } = await command(args, empty)
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining('The database has the schema of an earlier version'),
        ])
      }
      expect(await runAsOwner(url, `select from schema_migration where name = '${last}'`)).toEqual([])
      await runAsOwner(
        url,
        `insert into schema_migration select '${last}', '${hash('sha256', readFileSync(join(migrationsFolder, last)))}'`,
      )
      expect((await command('migrate', empty)).stdout).toBe('The schema is up to date.\n')
      const after = await command('doctor --json', empty)
      expect(JSON.parse(after.stdout)).toMatchObject({
        schema: 'up to date',
        tenant_isolation: 'in force',
        pooler: 'none',
        node: process.version,
        node_released: expect.stringMatching(/^\d{4}-\d\d-\d\d, \d+ days ago$/),
        openssl: process.versions.openssl,
        openssl_released: expect.any(String),
        postgres_released: expect.any(String),
        archiving: 'off',
        // doctor may also warn about the age of this machine's PostgreSQL.
        warnings: expect.arrayContaining([
          expect.stringMatching(/archive_mode = off.*docs\/operating\/back-up\.md/),
        ]),
      })
      for (const text of [before.stdout, before.stderr, after.stdout]) {
        expect(text).not.toContain(password)
        expect(text).not.toContain(env.ENCRYPTION_KEY)
      }

      // A month of the event log that is missing stays missing.
      const months = () =>
        runAsOwner<{ name: string }>(
          url,
          `select tablename as name from pg_tables where schemaname = 'event_month' order by 1`,
        )
      const { name: latest } = (await months()).at(-1)!
      await runAsOwner(url, `drop table event_month.${latest}`)
      const left = await months()
      expect((await command('doctor --check-merges', empty)).code).toBe(0)
      expect(await months()).toEqual(left)

      await runAsOwner(url, 'alter table agency_client no force row level security')
      const open = await command('doctor', empty)
      expect([open.code, open.stdout]).toEqual([1, expect.stringMatching(/^tenant_isolation +NOT in force/m)])
    } finally {
      await runAsOwner(inject('databaseUrl'), `drop database ${name} with (force)`)
    }
  })

  test('with DATABASE_URL, doctor shows the settings even if the database is unreachable', async () => {
    const away = { ...env, DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x?password=geheim' }
    const { code, stdout, stderr } = await command('doctor', away)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database cannot be reached/)])
    expect(stdout).toMatch(/^database +postgres:\/\/me@127\.0\.0\.1:1\/x$/m)
    expect(stdout + stderr).not.toContain('geheim')
  })

  test('with another ENCRYPTION_KEY, doctor shows the settings, and what is wrong', async () => {
    const other = { ...env, ENCRYPTION_KEY: 'cd'.repeat(32) }
    const { code, stdout, stderr } = await command('doctor', other)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^This is not the encryption key that/)])
    expect(stdout).toMatch(/^schema +up to date$/m)
    expect(stdout).toMatch(/^encryption_key +ENCRYPTION_KEY$/m)
  })
})
