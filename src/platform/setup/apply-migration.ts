import type { Client } from 'pg'
import { codeOf } from '../db/errors.ts'
import type { Log } from '../log.ts'
import { type LockWaits, withLockRetries } from './lock-retries.ts'
import { type MigrationFile, runsOutsideTransaction } from './migration-files.ts'
import { oneRow } from './one-row.ts'

/**
 * Runs one migration, and records it.
 * @throws OperatorError if it got no lock in time; Error with the name of the migration if its SQL fails
 */
export async function applyMigration(
  owner: Client,
  file: MigrationFile,
  log: Log,
  { attemptMs, giveUpMs }: LockWaits,
): Promise<void> {
  const index = runsOutsideTransaction(file)
  // A concurrent index blocks no request while it waits for transactions, so its one attempt may use the whole time limit.
  const waits = { attemptMs: index ? Math.max(attemptMs, giveUpMs) : attemptMs, giveUpMs }
  const apply = () => (index ? applyConcurrently(owner, file, index) : applyInTransaction(owner, file))
  try {
    await withLockRetries(owner, log, `Migration ${file.name}`, apply, waits)
  } catch (error) {
    if (codeOf(error) === '') throw error
    throw new Error(`Migration ${file.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function applyInTransaction(owner: Client, { name, sql, sha256 }: MigrationFile): Promise<void> {
  try {
    await owner.query('begin')
    await owner.query(record, [name, sha256])
    await owner.query(sql)
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

/** If the process dies between the index and its record, the next process finds the index, and only records it. */
async function applyConcurrently(
  owner: Client,
  { name, sql, sha256 }: MigrationFile,
  index: string,
): Promise<void> {
  const { invalid } = await oneRow<{ invalid: boolean }>(
    owner,
    'select exists (select from pg_index where indexrelid = to_regclass($1) and not indisvalid) as invalid',
    [index],
  )
  // An attempt that failed leaves an index that no query uses.
  if (invalid) await owner.query(`drop index concurrently if exists ${index}`)
  await owner.query(sql)
  await owner.query(record, [name, sha256])
}

const record = 'insert into schema_migration (name, sha256) values ($1, $2)'
