import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { createLog } from '../../../src/platform/log.ts'
import { prepareDatabase } from '../../../src/prepare-database.ts'
import { databaseNamed, testKey } from '../database.ts'
import { memoryFolder } from '../memory-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL for the migrating role. */
    databaseUrl: string
  }
}

// Servers in separate processes do not build the console, unless a test sets CONSOLE.
process.env.CONSOLE ??= '0'

/** All tests share one PostgreSQL. Each server of a test clones its migrated database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('error')
  const dataDir = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'crosswalk-test-'))
  // PostgreSQL's user must enter the folder, which contains the database.
  chmodSync(dataDir, 0o711)
  const embedded = process.env.TEST_DATABASE_URL
    ? null
    : await startEmbedded({ dataDir, log, role: 'server' })
  const url = process.env.TEST_DATABASE_URL ?? embedded!.url
  const client = new Client({ connectionString: url })
  await client.connect()
  if (embedded) await relax(client, embedded.url)
  await client.query('drop database if exists crosswalk_template with (force)')
  await client.query('create database crosswalk_template')
  await prepareDatabase(databaseNamed(url, 'crosswalk_template'), testKey, log)
  project.provide('databaseUrl', url)
  return async () => {
    await client.query('drop database if exists crosswalk_template with (force)')
    if (!embedded) await dropClones(client)
    await client.end()
    await embedded?.stop('fast')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A server that test files share ends with its process, and drops nothing. */
async function dropClones(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'crosswalk\\_test\\_%'`,
  )
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
}

/**
 * Turns off what tests do not need: durability, the slow hash of passwords, and the proof of SCRAM, which would cost each
 * of thousands of connections 5 ms. PostgreSQL still refuses a wrong password.
 */
async function relax(client: Client, url: string): Promise<void> {
  const settings = ['fsync = off', 'full_page_writes = off', 'scram_iterations = 1']
  for (const setting of settings) await client.query(`alter system set ${setting}`)
  const { rows } = await client.query<{ hba_file: string }>('show hba_file')
  writeFileSync(rows[0]!.hba_file, 'local all all password\nlocal replication all password\n')
  await client.query('select pg_reload_conf()')
  const { username, password } = new URL(url)
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${username} password '${password}'`)
}
