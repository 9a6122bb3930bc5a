import type { ClientBase } from 'pg'
import { keyCheck } from '../encryption-keys.ts'
import { OperatorError } from '../report.ts'
import { hasSealed } from '../secrets/reseal.ts'

/**
 * Returns the active key of this database: `rootKey`, or `oldKey` until the database changes to `rootKey`.
 * @throws OperatorError that says how to change the key, if it is neither
 */
export async function findActiveKey(
  owner: ClientBase,
  rootKey: Buffer,
  oldKey: Buffer | null,
): Promise<Buffer> {
  const before = await readKeyCheck(owner)
  if (before === null || before === keyCheck(rootKey)) return rootKey
  if (oldKey && before === keyCheck(oldKey)) return oldKey
  throw new OperatorError(wrongKey)
}

/** Says what to do if the database has neither ENCRYPTION_KEY nor OLD_ENCRYPTION_KEY as its active key. */
export const wrongKey =
  'This is not the encryption key that this database was set up with. Every node needs that key. To change the key, ' +
  'set the new key as ENCRYPTION_KEY and the old key as OLD_ENCRYPTION_KEY on every node, and start the nodes again. Then ' +
  'run npm run crosswalk -- change-key. If every node is stopped, or the old key is lost, run ' +
  'npm run crosswalk -- migrate --new-key instead (docs/operating/encryption-key.md).'

/**
 * Checks that `oldKey` is the previous key of this database, or that a secret is still sealed with it. Does nothing
 * if the change is already done.
 * @throws OperatorError
 */
export async function checkOldKey(owner: ClientBase, oldKey: Buffer, rootKey: Buffer): Promise<void> {
  const before = await readKeyCheck(owner)
  if (before === null || before === keyCheck(oldKey) || before === keyCheck(rootKey)) return
  if (await hasSealed(owner, oldKey)) return
  throw new OperatorError('OLD_ENCRYPTION_KEY is not the key that this database was set up with either.')
}

async function readKeyCheck(owner: ClientBase): Promise<string | null> {
  const { rows } = await owner.query<{ made: boolean }>(
    `select to_regclass('app.installation') is not null as made`,
  )
  if (!rows[0]?.made) return null
  const kept = await owner.query<{ key_check: string }>('select key_check from app.installation')
  return kept.rows[0]?.key_check ?? null
}

/** Creates the table app.installation, which has one row. */
export async function makeInstallation(owner: ClientBase): Promise<void> {
  await owner.query(`
    create table if not exists app.installation (
      only_one boolean primary key default true check (only_one),
      key_check text not null
    )`)
  await addInstallationColumn(owner, 'org_token_key', 'bytea')
}

/**
 * Adds a column if it is missing. ADD COLUMN IF NOT EXISTS would lock the table even if the column exists, so each
 * start would wait for a running pg_dump.
 */
export async function addInstallationColumn(
  owner: Pick<ClientBase, 'query'>,
  name: string,
  type: string,
): Promise<void> {
  await owner.query(`
    do $$ begin
      if not exists (
        select from pg_attribute where attrelid = 'app.installation'::regclass and attname = '${name}'
      ) then
        alter table app.installation add column ${name} ${type};
      end if;
    end $$`)
}

/** Stores the check value of `rootKey`, the key of this database. */
export async function storeKeyCheck(owner: ClientBase, rootKey: Buffer): Promise<void> {
  await owner.query(
    `insert into app.installation (key_check) values ($1)
     on conflict (only_one) do update set key_check = excluded.key_check
     where installation.key_check <> excluded.key_check`,
    [keyCheck(rootKey)],
  )
}
