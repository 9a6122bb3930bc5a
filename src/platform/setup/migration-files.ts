import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { projectRoot } from '../config.ts'
import { OperatorError } from '../report.ts'

export const migrationsFolder = join(projectRoot, 'migrations')

export type MigrationFile = { name: string; sql: string; sha256: string }

/** A row of `schema_migration`: a migration that ran on this database. */
export type RecordedMigration = { name: string; sha256: string }

/**
 * Returns the name of the index that a migration creates or drops concurrently; null: the migration runs in a
 * transaction. PostgreSQL refuses such a statement in a transaction, and together with other statements.
 */
export function runsOutsideTransaction({ sql }: Pick<MigrationFile, 'sql'>): string | null {
  const statement = sql.replaceAll(/^--.*$/gm, '').trim()
  const [, index] =
    /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) (\w+)[^;]*;?$/.exec(
      statement,
    ) ?? []
  return index ?? null
}

/** Reads which migrations ran on a database: none if Crosswalk never used it. Changes nothing. */
export async function recordedMigrations(client: Client): Promise<RecordedMigration[]> {
  const { rows } = await client.query(`select from pg_class where oid = to_regclass('schema_migration')`)
  if (rows.length === 0) return []
  return (await client.query<RecordedMigration>('select name, sha256 from schema_migration')).rows
}

/** Returns the names of all migrations, in their order. */
export function migrationFiles(folder = migrationsFolder): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

/**
 * @throws OperatorError if the database recorded a different history, or a migration was edited
 * after it ran
 */
export function missingMigrations(
  recorded: readonly RecordedMigration[],
  folder = migrationsFolder,
): MigrationFile[] {
  const files = migrationFiles(folder).map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    return { name, sql, sha256: hash('sha256', sql) }
  })
  const done = recorded.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const [index, { name, sha256 }] of done.slice(0, files.length).entries()) {
    const file = files[index]
    if (file?.name !== name) throw historyDiffers(name, file?.name)
    if (file.sha256 !== sha256)
      throw new OperatorError(`Migration ${name} was edited after it ran here; restore it and add a new one`)
  }
  return files.slice(done.length)
}

function historyDiffers(recorded: string, expected: string | undefined): OperatorError {
  return new OperatorError(
    `This database cannot be upgraded: it records migration ${recorded} where this version has ${expected}. ` +
      'An unreleased version of Crosswalk set it up. ' +
      'Set DATABASE_URL to an empty database, or DATA_DIR to an empty folder if the database is the embedded one.',
  )
}
