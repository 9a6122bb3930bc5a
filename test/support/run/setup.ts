import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { createLog } from '../../../src/platform/log.ts'
import { prepareDatabase } from '../../../src/prepare-database.ts'
import { databaseNamed, testKey } from '../database.ts'
import { roomInMemory } from '../room-in-memory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL for the migrating role. */
    databaseUrl: string
  }
}

// Servers in separate processes do not build the console, unless a test sets CONSOLE.
process.env.CONSOLE ??= '0'

/** All tests share one PostgreSQL. Each test file clones its migrated database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('error')
  const dataDir = mkdtempSync(join(roomInMemory() ?? tmpdir(), 'crosswalk-test-'))
  // PostgreSQL's user must enter the folder, which contains the database.
  chmodSync(dataDir, 0o711)
  const embedded = process.env.TEST_DATABASE_URL
    ? null
    : await startEmbedded({ dataDir, log, role: 'server' })
  const url = process.env.TEST_DATABASE_URL ?? embedded!.url
  const client = new Client({ connectionString: url })
  await client.connect()
  if (embedded) await forgetDurability(client)
  await client.query('drop database if exists crosswalk_template with (force)')
  await client.query('create database crosswalk_template')
  await prepareDatabase(databaseNamed(url, 'crosswalk_template'), testKey, log)
  project.provide('databaseUrl', url)
  return async () => {
    await client.query('drop database if exists crosswalk_template with (force)')
    await client.end()
    await embedded?.stop('fast')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Turns durability off, which tests do not need. */
async function forgetDurability(client: Client): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
}
