import type { ClientBase } from 'pg'
import { deriveKey } from '../encryption-key.ts'
import { seal, unseal } from '../sealing.ts'

// Other services were told addresses with these tokens in them, so their key outlives the encryption key that it was derived
// from at first: from its first change on it is stored, sealed with the one that is in force.

const firstTokenKey = (rootKey: Buffer) => deriveKey(rootKey, 'org tokens')
const sealingKey = (rootKey: Buffer) => deriveKey(rootKey, 'installation')
const sealContext = 'org token key'

/** What names of orgs for other services are proved with, whatever the encryption key was when they were given out. */
export async function readOrgTokenKey(owner: ClientBase, rootKey: Buffer): Promise<Buffer> {
  return openSealed(await readSealed(owner), rootKey) ?? firstTokenKey(rootKey)
}

/** Seals it again, within the caller's transaction, for a key that follows `oldKey`; null: nobody has that any more. */
export async function carryOrgTokenKey(
  owner: ClientBase,
  rootKey: Buffer,
  oldKey: Buffer | null,
): Promise<void> {
  const sealed = await readSealed(owner)
  // The change may have been done before.
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
