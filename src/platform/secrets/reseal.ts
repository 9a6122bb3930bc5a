import type { ClientBase } from 'pg'
import { OperatorError } from '../report.ts'
import { type SealedSecret, SecretKey } from './secret-key.ts'

/** A planned change of the encryption key. */
export type EncryptionKeyChange = {
  /** The previous key; null: it is lost. */
  oldKey: Buffer | null
  /** Whether secrets that neither key opens are deleted. If false, they make the change fail. */
  loseSecrets: boolean
}

/** How many secrets a change of the key sealed again, and how many it deleted. */
export type ResealCounts = { resealed: number; lost: number }

/**
 * Checks before a change that the new or the old key opens every secret.
 * @throws OperatorError that names the secrets that neither key opens
 */
export async function requireOpenable(
  owner: ClientBase,
  rootKey: Buffer,
  change: EncryptionKeyChange,
): Promise<void> {
  if (change.loseSecrets || !(await hasSecrets(owner))) return
  const { lost } = splitByKey(await readSecrets(owner), rootKey, change.oldKey)
  if (lost.length > 0) throw lostSecretsError(lost, change.oldKey !== null)
}

/** Returns whether there are secrets that were sealed with this key. */
export async function hasSealed(owner: ClientBase, rootKey: Buffer): Promise<boolean> {
  if (!(await hasSecrets(owner))) return false
  const { rowCount } = await owner.query('select from secret where key_id = $1 limit 1', [
    new SecretKey(rootKey).id,
  ])
  return rowCount !== 0
}

/**
 * Seals secrets of the old key with `rootKey`, in the caller's transaction.
 * @throws OperatorError if some secrets open with neither key, and may not be deleted
 */
export async function resealSecrets(
  owner: ClientBase,
  rootKey: Buffer,
  { oldKey, loseSecrets }: EncryptionKeyChange,
): Promise<ResealCounts> {
  await owner.query('lock table secret in share row exclusive mode')
  const key = new SecretKey(rootKey)
  const { opened, lost } = splitByKey(await readSecrets(owner), rootKey, oldKey)
  if (lost.length > 0 && !loseSecrets) throw lostSecretsError(lost, oldKey !== null)
  for (const { org_id: orgId, name, value } of opened)
    await owner.query('update secret set key_id = $3, sealed = $4 where org_id = $1 and name = $2', [
      ...[orgId, name, key.id, key.seal(orgId, name, value)],
    ])
  for (const { org_id: orgId, name } of lost)
    await owner.query('delete from secret where org_id = $1 and name = $2', [orgId, name])
  return { resealed: opened.length, lost: lost.length }
}

async function hasSecrets(owner: ClientBase): Promise<boolean> {
  const { rows } = await owner.query<{ made: boolean }>(
    `select to_regclass('public.secret') is not null as made`,
  )
  return rows[0]?.made === true
}

async function readSecrets(owner: ClientBase): Promise<SealedSecret[]> {
  const { rows } = await owner.query<SealedSecret>(
    'select org_id, name, key_id, sealed from secret order by org_id, name',
  )
  return rows
}

/** Separates secrets that the old key opens from secrets that neither key opens. */
function splitByKey(
  secrets: readonly SealedSecret[],
  rootKey: Buffer,
  oldKey: Buffer | null,
): { opened: (SealedSecret & { value: string })[]; lost: SealedSecret[] } {
  const key = new SecretKey(rootKey)
  const old = oldKey && new SecretKey(oldKey)
  const others = secrets
    .filter((secret) => key.open(secret) === null)
    .map((secret) => ({ ...secret, value: old?.open(secret) ?? null }))
  return {
    opened: others.flatMap((secret) => (secret.value === null ? [] : [{ ...secret, value: secret.value }])),
    lost: others.filter(({ value }) => value === null),
  }
}

function lostSecretsError(lost: readonly SealedSecret[], oldKeyGiven: boolean): OperatorError {
  const byName = Map.groupBy(lost, ({ name }) => name)
  const listed = [...byName].map(
    ([name, { length }]) => `  ${name} of ${length} ${length === 1 ? 'organization' : 'organizations'}`,
  )
  return new OperatorError(
    `Nothing was changed: these stored credentials do not open with the new encryption key${oldKeyGiven ? ', nor with OLD_ENCRYPTION_KEY' : ''}, and would be lost:\n${listed.join('\n')}\n` +
      'Give the key that sealed them as OLD_ENCRYPTION_KEY (or OLD_ENCRYPTION_KEY_FILE), and they are sealed again. If nobody ' +
      'has it any more, run this again with --lose-secrets: they are deleted, and the organizations have to enter them again.',
  )
}
