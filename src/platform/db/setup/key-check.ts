import type { ClientBase } from 'pg'
import { deriveKey } from '../../encryption-key.ts'
import { OperatorError } from '../../report.ts'

/**
 * Sees that `rootKey` is the one that this database was set up with: a node with another one would hand out
 * cursors that the others refuse, and could not read what they sealed.
 * @throws OperatorError that says how a key is changed on purpose
 */
export async function checkKey(owner: ClientBase, rootKey: Buffer): Promise<void> {
  const { rows } = await owner.query<{ made: boolean }>(
    `select to_regclass('app.installation') is not null as made`,
  )
  if (!rows[0]?.made) return
  const kept = await owner.query<{ key_check: string }>('select key_check from app.installation')
  const before = kept.rows[0]?.key_check
  if (before === undefined || before === keyCheck(rootKey)) return
  throw new OperatorError(
    'The encryption key is not the one that this database was set up with: every node needs that one. To change it on ' +
      'purpose, stop every node, run once with the new key: npm run crosswalk -- migrate --new-key, and start them again. ' +
      "Clients' list cursors end then, and whatever was sealed with the old key is lost.",
  )
}

/** Takes `rootKey` for this database's. */
export async function keepKeyCheck(owner: ClientBase, rootKey: Buffer): Promise<void> {
  await owner.query(`
    create table if not exists app.installation (
      only_one boolean primary key default true check (only_one),
      key_check text not null
    )`)
  await owner.query(
    `insert into app.installation (key_check) values ($1)
     on conflict (only_one) do update set key_check = excluded.key_check
     where installation.key_check <> excluded.key_check`,
    [keyCheck(rootKey)],
  )
}

/** Tells keys apart, and tells nothing of them. */
function keyCheck(rootKey: Buffer): string {
  return deriveKey(rootKey, 'key check', 16).toString('hex')
}
