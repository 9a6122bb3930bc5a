import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { defaultLockWaits } from '../../src/platform/setup/lock-retries.ts'
import { type MigrateOptions, migrate } from '../../src/platform/setup/migrate.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'

const app = await startTestApp()
afterAll(() => app.close())

// A migration of a later version that needs an exclusive lock on contacts, which blocks readers and writers.
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
cpSync(join(projectRoot, 'migrations'), folder, { recursive: true })
writeFileSync(join(folder, '9999_later.sql'), 'alter table contact add column later text;\n')
afterAll(() => rmSync(folder, { recursive: true }))

const other = new Client({ connectionString: app.databaseUrl })
await other.connect()
afterAll(() => other.end())
beforeEach(() => other.query('begin'))
afterEach(() => other.query('rollback'))

const migrateAll = (options: MigrateOptions) =>
  migrate(app.databaseUrl, testKey, createLog('silent'), options)

const applied = () =>
  runAsOwner(app.databaseUrl, `select name from schema_migration where name = '9999_later.sql'`)

test('a process can start while pg_dump reads every table', async () => {
  const tables = await runAsOwner<{ name: string }>(
    app.databaseUrl,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'app', 'pgboss')`,
  )
  await other.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`)
  await prepareDatabase(app.databaseUrl, testKey, createLog('silent'), null, {
    lockWaits: { attemptMs: 200, giveUpMs: 0 },
  })
})

describe('migrations that wait', () => {
  beforeEach(() => other.query('lock table contact in access share mode'))

  test('a migration that waits too long for an open transaction on contacts fails without changes and names the transaction', async () => {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    const lockWaits = { attemptMs: 100, giveUpMs: 200 }
    await expect(migrateAll({ folder, lockWaits })).rejects.toThrow(
      new RegExp(
        `^Migration 9999_later\\.sql got no lock within 0.2 s, .* process ${rows[0]!.pid} .*pg_terminate_backend`,
      ),
    )
    expect(await applied()).toEqual([])
  })

  test('a migration that waits for an open transaction on contacts delays no request by more than 2.5 s', async () => {
    expect(defaultLockWaits.attemptMs).toBeLessThanOrEqual(2_000)
    const org = await app.newOrg()
    let done = false
    const migrated = migrateAll({ folder, lockWaits: { attemptMs: 500, giveUpMs: 60_000 } }).finally(() => {
      done = true
    })
    const waits: number[] = []
    const startedAt = performance.now()
    while (!done) {
      const askedAt = performance.now()
      const { status } = await org.get('/contacts')
      waits.push(performance.now() - askedAt)
      expect(status).toBe(200)
      if (performance.now() - startedAt > 3_000) await other.query('rollback')
    }
    await migrated
    expect(await applied()).toHaveLength(1)
    expect(Math.max(...waits)).toBeLessThan(2_500)
  })
})
