import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { defaultLockWaits } from '../../src/platform/setup/lock-retries.ts'
import { migrate } from '../../src/platform/setup/migrate.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner, testKey } from '../support/database.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await startTestApp({ role: 'api' })
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-migrations-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await app.close()
})

const transactionMs = 30_000

test('while a migration waits for a transaction of 30 s, each request is answered', {
  timeout: 300_000,
}, async () => {
  // A migration of a later version that needs an exclusive lock on contacts, while requests read and write.
  cpSync(join(projectRoot, 'migrations'), folder, { recursive: true })
  writeFileSync(join(folder, '9999_later.sql'), 'alter table contact add column later text;\n')
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
    const migrated = migrate(app.databaseUrl, testKey, createLog('silent'), { folder }).finally(() => {
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
  expect(
    await runAsOwner(app.databaseUrl, `select from schema_migration where name = '9999_later.sql'`),
  ).toHaveLength(1)
  // Requests wait during an attempt of the migration, but not between two attempts.
  expect(Math.max(...waits)).toBeLessThan(2 * defaultLockWaits.attemptMs)
  expect(waits.length).toBeGreaterThan(100)
})
