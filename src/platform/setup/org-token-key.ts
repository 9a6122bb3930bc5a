import type { ClientBase } from 'pg'
import { deriveKey } from '../encryption-key.ts'
import { seal, unseal } from '../sealing.ts'

// Other services store org tokens, so their key must stay the same when the encryption key changes. It is derived
// from the first encryption key. After a change, it is stored sealed.

const firstTokenKey = (rootKey: Buffer) => deriveKey(rootKey, 'org tokens')
const sealingKey = (rootKey: Buffer) => deriveKey(rootKey, 'installation')
const sealContext = 'org token key'

/** Returns the key that signs org tokens. It is independent of the current encryption key. */
export async function readOrgTokenKey(owner: ClientBase, rootKey: Buffer): Promise<Buffer> {
  return openSealed(await readSealed(owner), rootKey) ?? firstTokenKey(rootKey)
}

/**
 * Seals the key again for `rootKey`, in the caller's transaction.
 * @param oldKey the previous encryption key; null: it is lost
 */
export async function resealOrgTokenKey(
  owner: ClientBase,
  rootKey: Buffer,
  oldKey: Buffer | null,
): Promise<void> {
  const sealed = await readSealed(owner)
  // An earlier run may have completed the change.
  if (openSealed(sealed, rootKey) !== null) return
  const key = oldKey && (openSealed(sealed, oldKey) ?? firstTokenKey(oldKey))
  await owner.query('update app.installation set org_token_key = $1', [
    key && seal(sealingKey(rootKey), key.toString('base64'), sealContext),
  ])
}

async function readSealed(owner: ClientBase): Promise<Buffer | null> {
  const { rows } = await owner.query<{ org_token_key: Buffer | null }>(
    'select org_token_key from app.installation',
  )
  return rows[0]?.org_token_key ?? null
}

function openSealed(sealed: Buffer | null, rootKey: Buffer): Buffer | null {
  const text = sealed && unseal(sealingKey(rootKey), sealed, sealContext)
  return text === null ? null : Buffer.from(text, 'base64')
}
