import { sql } from 'kysely'
import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import { isRecognizedAgency } from '../orgs/orgs.ts'
import type { Caller } from '../platform/caller.ts'
import { build } from '../platform/db/statement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { badRequest, conflict, notFound } from '../platform/http/problem.ts'
import { type Maker, requireGranting, requireMinting } from './minting.ts'
import type { CreatedKey, CreateKey, Key, UpdateKey } from './schema.ts'
import { hashToken, type Mode, newLegacyToken, newToken } from './token.ts'

const dayMs = 86_400_000
/** Their list has no pages. */
const keysMax = 10_000
const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** Creates a key in the org that the transaction is bound to. @throws Problem 400, 401, 403, 409 */
export async function createKey(tx: Tx, caller: Caller, input: CreateKey): Promise<CreatedKey> {
  const { name, mode, is_agency: isAgency, permissions = null } = input
  const createdBy = await requireMinting(tx, caller, { isAgency, permissions })
  if (isAgency && !(await isRecognizedAgency(tx))) {
    throw badRequest(
      'is_agency needs an organization that is a recognized agency (flagged as one, or with linked client organizations); leave is_agency out for a normal key',
    )
  }
  await requireRoom(tx, caller.orgId)
  const expiresAt = input.expires_in_days ? new Date(Date.now() + input.expires_in_days * dayMs) : null
  return insertKey(tx, caller, { name, mode, isAgency, permissions, expiresAt, createdBy })
}

/** @throws Problem 409 if the org has as many keys as it may have */
async function requireRoom(tx: Tx, orgId: string): Promise<void> {
  const counted = await tx.first<{ keys: number }>({
    text: 'select count(*) as keys from api_key where org_id = $1',
    values: [orgId],
  })
  if (counted!.keys < keysMax) return
  throw conflict(
    `An organization has at most ${keysMax.toLocaleString('en')} API keys, those that have expired included: delete some first`,
  )
}

export type NewKey = {
  name: string
  mode: Mode
  isAgency?: boolean
  /** All unless given. */
  permissions?: readonly string[] | null
  /** Never unless given. */
  expiresAt?: Date | null
  /** The operator unless given. */
  createdBy?: Maker | null
  /** A token as they were before prefixes and checksums. */
  legacy?: boolean
}

/** Stores a new key and its event; the answer holds the secret, of which only a hash is kept. */
export async function insertKey(
  tx: Tx,
  actor: Actor,
  key: NewKey,
  rotatedFrom?: string,
): Promise<CreatedKey> {
  const { name, mode, isAgency = false, permissions = null, expiresAt = null } = key
  const { token, body, hint } = key.legacy ? newLegacyToken() : newToken(mode)
  const apiKeyId = v7()
  const createdAt = new Date()
  await tx.run(
    build.insertInto('api_key').values({
      org_id: actor.orgId,
      api_key_id: apiKeyId,
      token_hash: Buffer.from(hashToken(body), 'latin1'),
      token_hint: hint,
      name,
      mode,
      is_agency: isAgency,
      permissions: permissions && [...permissions],
      created_by_org_id: key.createdBy?.keyOrgId ?? null,
      created_by_api_key_id: key.createdBy?.apiKeyId ?? null,
      created_at: createdAt,
      expires_at: expiresAt,
    }),
  )
  const type = rotatedFrom ? 'api_key.rotated' : 'api_key.created'
  const data = rotatedFrom ? { rotated_from: rotatedFrom } : { is_agency: isAgency, key_mode: mode }
  await recordEvents(tx, actor, [{ type, objectId: apiKeyId, data }])
  return {
    api_key_id: apiKeyId,
    ...(isAgency ? { token } : { api_key_token: token }),
    name,
    mode,
    is_agency: isAgency,
    created_at: seconds(createdAt),
    expires_at: expiresAt && seconds(expiresAt),
    permissions: permissions && [...permissions],
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

/** Changes the name or the permissions. @throws Problem 401, 403, 404 */
export async function updateKey(tx: Tx, caller: Caller, apiKeyId: string, input: UpdateKey): Promise<Key> {
  if (input.permissions !== undefined) await requireGranting(tx, caller, input.permissions)
  // Locked: a change of the name at the same time must not bring back permissions that this takes away.
  const row = await tx.first(selectKeys().where('api_key_id', '=', apiKeyId).forNoKeyUpdate())
  if (!row) throw unknownKey()
  const before = toKey(row)
  const name = input.name ?? before.name
  const permissions = input.permissions === undefined ? before.permissions : input.permissions
  const changed = [
    ...(name !== before.name ? ['name'] : []),
    ...(JSON.stringify(permissions) !== JSON.stringify(before.permissions) ? ['permissions'] : []),
  ]
  if (changed.length > 0) {
    await tx.run(
      build
        .updateTable('api_key')
        .set({ name, permissions })
        .where('org_id', '=', caller.orgId)
        .where('api_key_id', '=', apiKeyId),
    )
    await recordEvents(tx, caller, [{ type: 'api_key.updated', objectId: apiKeyId, changed }])
  }
  return { ...before, name, permissions }
}

/** Deletes a key; its token stops working. @throws Problem 404 */
export async function deleteKey(tx: Tx, actor: Actor, apiKeyId: string): Promise<void> {
  const deleted = await tx.run(
    build.deleteFrom('api_key').where('org_id', '=', actor.orgId).where('api_key_id', '=', apiKeyId),
  )
  if (deleted === 0) throw unknownKey()
  await recordEvents(tx, actor, [{ type: 'api_key.deleted', objectId: apiKeyId }])
}

/**
 * Makes a new token with the name, mode, permissions and expiry of a key, which itself dies after the grace.
 * @throws Problem 401, 403, 404, 409
 */
export async function rotateKey(
  tx: Tx,
  caller: Caller,
  apiKeyId: string,
  graceSeconds: number,
): Promise<CreatedKey> {
  const row = await tx.first(
    build
      .selectFrom('api_key')
      .selectAll()
      .where('org_id', '=', caller.orgId)
      .where('api_key_id', '=', apiKeyId)
      .forUpdate(),
  )
  if (!row) throw unknownKey()
  const { name, is_agency: isAgency, permissions, expires_at: expiresAt } = row
  const mode = row.mode as Mode
  const createdBy = await requireMinting(tx, caller, { isAgency, permissions })
  if (row.replaced_by_api_key_id) {
    throw conflict(
      `This API key was rotated already; rotate its successor ${row.replaced_by_api_key_id}, or create a new key`,
    )
  }
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw conflict('This API key has expired, and its successor would have too; create a new key')
  }
  if (graceSeconds > 0) await requireRoom(tx, caller.orgId)
  const successor = { name, mode, isAgency, permissions, expiresAt, createdBy }
  const created = await insertKey(tx, caller, successor, apiKeyId)
  if (graceSeconds === 0) {
    await tx.run(
      build.deleteFrom('api_key').where('org_id', '=', caller.orgId).where('api_key_id', '=', apiKeyId),
    )
  } else {
    const graceEnd = sql<Date>`least(expires_at, now() + make_interval(secs => ${graceSeconds}))`
    await tx.run(
      build
        .updateTable('api_key')
        .set({ expires_at: graceEnd, replaced_by_api_key_id: created.api_key_id })
        .where('org_id', '=', caller.orgId)
        .where('api_key_id', '=', apiKeyId),
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
    .where('org_id', '=', sql<string>`app.org_id()`)

type Row = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

function toKey(row: Row): Key {
  return {
    ...row,
    mode: row.mode as Mode,
    created_at: seconds(row.created_at),
    expires_at: row.expires_at && seconds(row.expires_at),
    last_used_at: row.last_used_at && seconds(row.last_used_at),
  }
}

const unknownKey = () => notFound('No API key of this organization has this id')
