import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { defaultLockWaits } from '../../src/platform/setup/lock-retries.ts'
import { migrate } from '../../src/platform/setup/migrate.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp({ role: 'api' })
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await app.close()
})

// Requests must not wait longer, even while a migration waits for its lock.
const waitMaxMs = 2_500
// After 16 s a migration tried four times. A longer transaction only adds tries.
const transactionMs = 16_000
const migrations = {
  '9997_later.sql': 'alter table contact add column later text;\n',
  '9998_later_index.sql':
    '-- The column is large.\ncreate index concurrently if not exists contact_by_later on contact (org_id, later);\n',
}
const migrateLater = (lockWaits = defaultLockWaits) =>
  migrate(app.databaseUrl, testKey, createLog('silent'), { folder, lockWaits })

beforeAll(() => {
  cpSync(join(projectRoot, 'migrations'), folder, { recursive: true })
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, name), text)
})

const readiness = async () => (await app.stranger.get('/readyz', { prefix: '' })).body

test('while a migration of contacts waits for an open transaction, no request takes longer than 2.5 s', {
  timeout: 300_000,
}, async () => {
  const org = await app.newOrg()
  let isDone = false
  const waits: number[] = []
  const client = async (ask: () => Promise<{ status: number }>, status: number) => {
    while (!isDone) {
      const askedAt = performance.now()
      expect((await ask()).status).toBe(status)
      waits.push(performance.now() - askedAt)
      await delay(50)
    }
  }
  await withClient(app, async (blocker) => {
    await blocker.query('begin')
    await blocker.query('select from contact')
    const startedAt = performance.now()
    const migrated = migrateLater().finally(() => {
      isDone = true
    })
    const clients = [
      client(() => org.get('/contacts'), 200),
      client(() => org.post('/contacts', { first_name: 'Ada' }), 201),
    ]
    await Promise.race([migrated, delay(transactionMs)])
    expect(isDone).toBe(false)
    await blocker.query('rollback')
    await Promise.all([migrated, ...clients])
    console.log(
      `applied ${((performance.now() - startedAt - transactionMs) / 1000).toFixed(1)} s after the transaction;`,
      `${waits.length} requests, the slowest took ${(Math.max(...waits) / 1000).toFixed(1)} s`,
    )
  })
  expect(await applied()).toEqual(Object.keys(migrations))
  expect(Math.max(...waits)).toBeLessThan(waitMaxMs)
  expect(waits.length).toBeGreaterThan(50)
})

const applied = async () =>
  (
    await runAsOwner<{ name: string }>(
      app.databaseUrl,
      `select name from schema_migration where name > '9' order by name`,
    )
  ).map(({ name }) => name)

test('a version that knows less than the schema works beside the new one, even after a restart', async () => {
  const org = await app.newOrg()
  const restarted = await startTestApp({}, app)
  try {
    for (const server of [app, restarted]) {
      const client = server.client(org.token)
      const { status, body } = await client.post('/contacts', { first_name: 'Ada', email: 'ada@example.com' })
      expect(status).toBe(201)
      const path = `/contacts/${body.data.contact_id}`
      expect((await client.patch(path, { last_name: 'Lovelace' })).status).toBe(200)
      expect((await client.get(path)).body.data).toMatchObject({ last_name: 'Lovelace' })
      expect((await client.delete(path)).status).toBeLessThan(300)
      const ready = await server.stranger.get('/readyz', { prefix: '' })
      expect([ready.status, ready.body.schema]).toEqual([200, 'up to date'])
    }
  } finally {
    await restarted.close()
  }
})

test('a concurrent index that failed halfway is built again, by one of two processes that start together', async () => {
  const [name] = Object.keys(migrations).slice(-1)
  const state = () =>
    runAsOwner(
      app.databaseUrl,
      `select indisvalid from pg_index where indexrelid = to_regclass('contact_by_later')`,
    )
  await runAsOwner(app.databaseUrl, 'drop index contact_by_later')
  await runAsOwner(app.databaseUrl, 'delete from schema_migration where name = $1', [name])
  await withClient(app, async (blocker) => {
    await blocker.query('begin')
    await blocker.query('lock table contact in row exclusive mode')
    await expect(migrateLater({ attemptMs: 100, giveUpMs: 300 })).rejects.toThrow(
      `Migration ${name} got no lock`,
    )
    expect(await state()).toEqual([{ indisvalid: false }])
    await blocker.query('rollback')
  })
  await Promise.all([migrateLater(), migrateLater()])
  expect(await state()).toEqual([{ indisvalid: true }])
  expect(await applied()).toEqual(Object.keys(migrations))
})

test('while the schema lacks a migration of its version, /readyz answers 503', async () => {
  await expect.poll(readiness, patience).toMatchObject({ status: 'ready', schema: 'up to date' })
  const [last] = await runAsOwner<{ name: string; sha256: string }>(
    app.databaseUrl,
    `delete from schema_migration where name = (select max(name) from schema_migration where name < '9') returning name, sha256`,
  )
  await expect
    .poll(readiness, patience)
    .toMatchObject({ status: 'not ready', database: 'up', schema: 'outdated' })
  expect((await app.stranger.get('/readyz', { prefix: '' })).status).toBe(503)
  await runAsOwner(app.databaseUrl, 'insert into schema_migration (name, sha256) values ($1, $2)', [
    last!.name,
    last!.sha256,
  ])
  await expect.poll(readiness, patience).toMatchObject({ status: 'ready', schema: 'up to date' })
  await runAsOwner(app.databaseUrl, 'revoke select on schema_migration from crosswalk_system')
  await expect.poll(readiness, patience).toMatchObject({ status: 'not ready', schema: 'outdated' })
  await migrateLater()
  await expect.poll(readiness, patience).toMatchObject({ status: 'ready' })
})
