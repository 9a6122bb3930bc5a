import { randomBytes } from 'node:crypto'
import { recordEvents } from '../../events/record.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { IdentitySecret, NewIdentitySecret } from './schema.ts'
import { userHashSecretOf } from './verify.ts'

const [currentName, oldName] = ['tracking:identity', 'tracking:identity:old']
const none: IdentitySecret = { created_at: null, old_secret_expires_at: null }

/** The state of the identity secret, without the secret. */
export async function readIdentitySecret(tx: OrgTx): Promise<IdentitySecret> {
  const row = await tx.first(sql<IdentitySecret>`
    select floor(extract(epoch from created_at))::bigint as created_at,
      case when old_expires_at > now() then floor(extract(epoch from old_expires_at))::bigint end as old_secret_expires_at
    from identity_secret where org_id = ${tx.orgId}`)
  return row ?? none
}

/** The secrets that may sign for the organization now. */
export async function openIdentitySecrets(tx: OrgTx, secrets: Secrets): Promise<string[]> {
  const { created_at: createdAt, old_secret_expires_at: oldExpiresAt } = await readIdentitySecret(tx)
  if (createdAt === null) return []
  const [current, old] = [
    await secrets.open(tx, tx.orgId, currentName),
    oldExpiresAt === null ? null : await secrets.open(tx, tx.orgId, oldName),
  ]
  return [current, old].filter((secret) => secret !== null)
}

/**
 * Makes the identity secret, or replaces it. The old one is accepted for `graceSeconds` more; with 0, all older secrets are
 * refused at once.
 * @throws DomainError conflict while the previous secret is still accepted and `graceSeconds` is not 0
 */
export async function rotateIdentitySecret(
  tx: OrgTx,
  secrets: Secrets,
  graceSeconds: number,
): Promise<NewIdentitySecret> {
  await lockExclusive(tx, `identity secret ${tx.orgId}`)
  const { old_secret_expires_at: expiresAt } = await readIdentitySecret(tx)
  if (graceSeconds > 0 && expiresAt !== null)
    throw conflict(
      'rotation_pending',
      `The previous secret is accepted until ${new Date(expiresAt * 1000).toISOString()}. Rotate again after that time, or send grace_seconds: 0 to refuse all older secrets at once.`,
    )
  const current = await secrets.open(tx, tx.orgId, currentName)
  const identitySecret = `idsec_${randomBytes(32).toString('base64url')}`
  await secrets.put(tx, tx.orgId, currentName, identitySecret)
  const isKept = current !== null && graceSeconds > 0
  if (isKept) await secrets.put(tx, tx.orgId, oldName, current)
  else await secrets.forget(tx, tx.orgId, oldName)
  await tx.run(sql`
    insert into identity_secret (org_id, old_expires_at)
    values (${tx.orgId}, case when ${isKept} then now() + make_interval(secs => ${graceSeconds}) end)
    on conflict (org_id) do update set created_at = now(), old_expires_at = excluded.old_expires_at`)
  await recordEvents(tx, [{ type: 'tracking_settings.identity_secret_rotated', objectId: tx.orgId }])
  return {
    org_id: tx.orgId,
    ...(await readIdentitySecret(tx)),
    identity_secret: identitySecret,
    user_hash_secret: userHashSecretOf(identitySecret),
  }
}

/** Deletes the secret: from then on, nothing verifies a user. @throws DomainError not_found */
export async function deleteIdentitySecret(tx: OrgTx, secrets: Secrets): Promise<void> {
  const deleted = await tx.run(sql`delete from identity_secret where org_id = ${tx.orgId}`)
  if (deleted === 0) throw notFound('object_not_found', 'The organization has no identity secret')
  await secrets.forget(tx, tx.orgId, currentName)
  await secrets.forget(tx, tx.orgId, oldName)
  await recordEvents(tx, [{ type: 'tracking_settings.identity_secret_deleted', objectId: tx.orgId }])
}
