import { sql } from 'kysely'
import { v7 } from 'uuid'
import { covers } from '../auth/permissions.ts'
import { type Actor, recordEvents } from '../events/record.ts'
import { isRecognizedAgency } from '../orgs/orgs.ts'
import type { Caller } from '../platform/caller.ts'
import { build } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { badRequest, forbidden, notFound } from '../platform/http/problem.ts'
import type { CreatedKey, CreateKey, Key, UpdateKey } from './schema.ts'
import { hashToken, newLegacyToken, newToken } from './token.ts'

const dayMs = 86_400_000
const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** Creates a key in the org that the transaction is bound to. @throws Problem 400, 403 */
export async function createKey(tx: Tx, caller: Caller, input: CreateKey): Promise<CreatedKey> {
  const asked = input.permissions ?? null
  const permissions = input.permissions === undefined ? caller.permissions : asked
  if (!covers(caller.permissions, permissions)) {
    throw forbidden(
      'A key cannot mint a key that may do more than itself; ask for permissions that this key has',
    )
  }
  if (input.is_agency && !(await isRecognizedAgency(tx))) {
    throw badRequest(
      'is_agency needs an organization that is a recognized agency (flagged as one, or with linked client organizations); leave is_agency out for a normal key',
    )
  }
  return insertKey(tx, caller, {
    name: input.name,
    mode: input.mode,
    isAgency: input.is_agency,
    permissions,
    expiresAt: input.expires_in_days ? new Date(Date.now() + input.expires_in_days * dayMs) : null,
    createdBy: caller,
    legacy: false,
  })
}

export type NewKey = {
  name: string
  mode: 'live' | 'test'
  isAgency: boolean
  permissions: readonly string[] | null
  expiresAt: Date | null
  createdBy: { keyOrgId: string; apiKeyId: string } | null
  legacy: boolean
}

/** Stores a new key and its event; the answer holds the secret, of which only a hash is kept. */
export async function insertKey(
  tx: Tx,
  actor: Actor,
  key: NewKey,
  rotatedFrom?: string,
): Promise<CreatedKey> {
  const { token, body, hint } = key.legacy ? newLegacyToken() : newToken(key.mode)
  const apiKeyId = v7()
  const createdAt = new Date()
  await tx.run(
    build.insertInto('api_key').values({
      org_id: actor.orgId,
      api_key_id: apiKeyId,
      token_hash: Buffer.from(hashToken(body), 'latin1'),
      token_hint: hint,
      name: key.name,
      mode: key.mode,
      is_agency: key.isAgency,
      permissions: key.permissions ? [...key.permissions] : null,
      created_by_org_id: key.createdBy?.keyOrgId ?? null,
      created_by_api_key_id: key.createdBy?.apiKeyId ?? null,
      created_at: createdAt,
      expires_at: key.expiresAt,
    }),
  )
  const type = rotatedFrom ? 'api_key.rotated' : 'api_key.created'
  const data = rotatedFrom ? { rotated_from: rotatedFrom } : { is_agency: key.isAgency, key_mode: key.mode }
  await recordEvents(tx, actor, [{ type, objectId: apiKeyId, data }])
  return {
    api_key_id: apiKeyId,
    ...(key.isAgency ? { token } : { api_key_token: token }),
    name: key.name,
    mode: key.mode,
    is_agency: key.isAgency,
    created_at: seconds(createdAt),
    expires_at: key.expiresAt && seconds(key.expiresAt),
    permissions: key.permissions ? [...key.permissions] : null,
  }
}

/** Every key of the org, newest first, without secrets. */
export async function listKeys(tx: Tx): Promise<Key[]> {
  const rows = await tx.rows(
    selectKeys().orderBy('api_key.created_at', 'desc').orderBy('api_key.api_key_id', 'desc'),
  )
  return rows.map(toKey)
}

/** @throws Problem 404 */
export async function findKey(tx: Tx, apiKeyId: string): Promise<Key> {
  const row = await tx.first(selectKeys().where('api_key_id', '=', apiKeyId))
  if (!row) throw unknownKey()
  return toKey(row)
}

/** Changes the name or the permissions. @throws Problem 403, 404 */
export async function updateKey(tx: Tx, caller: Caller, apiKeyId: string, input: UpdateKey): Promise<Key> {
  const before = await findKey(tx, apiKeyId)
  if (input.permissions !== undefined && !covers(caller.permissions, input.permissions)) {
    throw forbidden('A key cannot grant more than it has; ask for permissions that this key has')
  }
  const name = input.name ?? before.name
  const permissions = input.permissions === undefined ? before.permissions : input.permissions
  const changed = [
    ...(name !== before.name ? ['name'] : []),
    ...(JSON.stringify(permissions) !== JSON.stringify(before.permissions) ? ['permissions'] : []),
  ]
  if (changed.length > 0) {
    await tx.run(build.updateTable('api_key').set({ name, permissions }).where('api_key_id', '=', apiKeyId))
    await recordEvents(tx, caller, [{ type: 'api_key.updated', objectId: apiKeyId, changed }])
  }
  return { ...before, name, permissions }
}

/** Deletes a key; its token stops working. @throws Problem 404 */
export async function deleteKey(tx: Tx, actor: Actor, apiKeyId: string): Promise<void> {
  if ((await tx.run(build.deleteFrom('api_key').where('api_key_id', '=', apiKeyId))) === 0) throw unknownKey()
  await recordEvents(tx, actor, [{ type: 'api_key.deleted', objectId: apiKeyId }])
}

/**
 * Makes a new token with the name, mode, permissions and expiry of a key, which itself dies after the grace.
 * @throws Problem 403, 404
 */
export async function rotateKey(
  tx: Tx,
  caller: Caller,
  apiKeyId: string,
  graceSeconds: number,
): Promise<CreatedKey> {
  const old = await tx.first(
    build.selectFrom('api_key').selectAll().where('api_key_id', '=', apiKeyId).forUpdate(),
  )
  if (!old || (old.expires_at && old.expires_at.getTime() <= Date.now())) throw unknownKey()
  if (!covers(caller.permissions, old.permissions)) {
    throw forbidden(
      'A key cannot rotate a key that may do more than itself; rotate it with itself or a stronger key',
    )
  }
  const created = await insertKey(
    tx,
    caller,
    {
      name: old.name,
      mode: old.mode as 'live' | 'test',
      isAgency: old.is_agency,
      permissions: old.permissions,
      expiresAt: old.expires_at,
      createdBy: caller,
      legacy: false,
    },
    apiKeyId,
  )
  if (graceSeconds === 0) {
    await tx.run(build.deleteFrom('api_key').where('api_key_id', '=', apiKeyId))
  } else {
    const expiresAt = sql<Date>`least(expires_at, now() + make_interval(secs => ${graceSeconds}))`
    await tx.run(
      build.updateTable('api_key').set({ expires_at: expiresAt }).where('api_key_id', '=', apiKeyId),
    )
  }
  return created
}

const selectKeys = () =>
  build
    .selectFrom('api_key')
    .select([
      'api_key_id',
      'name',
      'mode',
      'is_agency',
      'created_at',
      'expires_at',
      'permissions',
      'token_hint',
      'last_used_at',
      'created_by_org_id',
      'created_by_api_key_id',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

function toKey(row: Row): Key {
  return {
    ...row,
    mode: row.mode as Key['mode'],
    created_at: seconds(row.created_at),
    expires_at: row.expires_at && seconds(row.expires_at),
    last_used_at: row.last_used_at && seconds(row.last_used_at),
  }
}

const unknownKey = () => notFound('No API key of this organization has this id')
