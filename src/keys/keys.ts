import { hashToken, type Mode, newLegacyToken, newToken } from '../auth/token.ts'
import { recordEvents } from '../events/record.ts'
import { isRecognizedAgency, refuseInSandbox } from '../orgs/orgs.ts'
import type { Caller } from '../platform/caller.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { joinItems } from '../platform/db/joined-items.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import { conflict, invalid, notFound } from '../platform/domain-error.ts'
import { Json } from '../platform/json.ts'
import { type Creator, requireGrantable, requireKeyCreation } from './key-creation.ts'
import type { CreatedKey, CreateKey, Key, UpdateKey } from './schema.ts'

const dayMs = 86_400_000
const keysMax = 10_000
const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** Creates a key in the org of the transaction. @throws DomainError invalid, unauthenticated, forbidden, conflict */
export async function createKey(tx: OrgTx, caller: Caller, input: CreateKey): Promise<CreatedKey> {
  const { name, mode, is_agency: isAgency, permissions = null } = input
  const createdBy = await requireKeyCreation(tx, caller, { isAgency, permissions })
  if (isAgency && !(await isRecognizedAgency(tx))) {
    throw invalid(
      'agency_required',
      'is_agency needs an organization that is a recognized agency (flagged as one, or with linked client organizations); leave is_agency out for a normal key',
    )
  }
  await requireRoom(tx)
  const expiresAt = input.expires_in_days ? new Date(Date.now() + input.expires_in_days * dayMs) : null
  return insertKey(tx, { name, mode, isAgency, permissions, expiresAt, createdBy })
}

/** @throws DomainError conflict if the org has reached its maximum number of keys */
async function requireRoom(tx: OrgTx): Promise<void> {
  await lockExclusive(tx, `api keys ${tx.orgId}`)
  const counted = await tx.first(sql<{ keys: number }>`
    select count(*) as keys from api_key where org_id = ${tx.orgId}`)
  if (counted && counted.keys < keysMax) return
  throw conflict(
    'limit_reached',
    `An organization has at most ${keysMax.toLocaleString('en')} API keys, including expired ones: delete some first`,
  )
}

export type NewKey = {
  name: string
  mode: Mode
  isAgency?: boolean
  /** The permissions of the key; null (the default) means all. */
  permissions?: readonly string[] | null
  /** The time at which the key expires; null (the default) means never. */
  expiresAt?: Date | null
  /** The creator of the key; by default the operator. */
  createdBy?: Creator | null
  /** Whether the token has the old form, without prefix and checksum. */
  legacy?: boolean
}

/**
 * Stores a new key and its event. Returns the secret, of which only a hash is stored.
 * @throws DomainError forbidden for a live key in a sandbox
 */
export async function insertKey(tx: OrgTx, key: NewKey, rotatedFrom?: string): Promise<CreatedKey> {
  const { name, mode, isAgency = false, permissions = null, expiresAt = null } = key
  if (mode === 'live') {
    await refuseInSandbox(
      tx,
      'A sandbox has only test keys, so that nothing in it has a real effect. Send mode test, or use the organization that made the sandbox',
    )
  }
  const { token, body, hint } = key.legacy ? newLegacyToken() : newToken(mode)
  const apiKeyId = newId()
  const createdAt = new Date()
  const {
    keyOrgId = null,
    apiKeyId: madeBy = null,
    memberId = null,
    isBelowOwner = false,
  } = key.createdBy ?? {}
  await tx.run(sql`
    insert into api_key (org_id, api_key_id, token_hash, token_hint, name, mode, is_agency, permissions,
      created_by_org_id, created_by_api_key_id, created_by_member_id, is_below_owner, created_at, expires_at)
    values (${tx.orgId}, ${apiKeyId}, ${Buffer.from(hashToken(body), 'latin1')}, ${hint}, ${name}, ${mode},
      ${isAgency}, ${permissions}, ${keyOrgId}, ${madeBy}, ${memberId}, ${isBelowOwner}, ${createdAt}, ${expiresAt})`)
  const type = rotatedFrom ? 'api_key.rotated' : 'api_key.created'
  const data = rotatedFrom ? { rotated_from: rotatedFrom } : { is_agency: isAgency, key_mode: mode }
  await recordEvents(tx, [{ type, objectId: apiKeyId, data }])
  const created = {
    api_key_id: apiKeyId,
    name,
    mode,
    created_at: seconds(createdAt),
    expires_at: expiresAt && seconds(expiresAt),
    permissions: permissions && [...permissions],
  }
  return isAgency
    ? { ...created, is_agency: true, token }
    : { ...created, is_agency: false, api_key_token: token }
}

/** The token of a new key, whether it is an agency key or not. */
export const tokenOf = (key: CreatedKey): string => (key.is_agency ? key.token : key.api_key_token)

/**
 * Every key of the org, newest first, without secrets. An org may have 10,000 keys, so PostgreSQL makes the JSON: reading the
 * rows would take this thread 20 ms for each 1,000 keys.
 */
export async function listKeys(org: Org): Promise<Json> {
  const rows = await org.readRows(
    joinItems(sql`
      select row_to_json(k)::text as item, row_number() over (order by k.created_at desc, k.api_key_id desc) as place
      from (select ${shownColumns} from api_key where org_id = ${org.orgId}) as k`),
  )
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return Json.list(rows.map(({ items }) => items)).between('{"keys":', `,"total":${total}}`)
}

/** @throws DomainError not_found */
export async function findKey(tx: OrgTx, apiKeyId: string): Promise<Key> {
  const row = await tx.first(selectKey(tx.orgId, apiKeyId))
  if (!row) throw unknownKey()
  return toKey(row)
}

/** Changes the name or the permissions. @throws DomainError unauthenticated, forbidden, not_found */
export async function updateKey(tx: OrgTx, caller: Caller, apiKeyId: string, input: UpdateKey): Promise<Key> {
  if (input.permissions !== undefined) await requireGrantable(tx, caller, input.permissions)
  // Lock the key: a concurrent change of its name could otherwise restore permissions that this change removes.
  const row = await tx.first(sql<KeyRow>`${selectKey(tx.orgId, apiKeyId)} for no key update`)
  if (!row) throw unknownKey()
  const before = toKey(row)
  const name = input.name ?? before.name
  const permissions = input.permissions === undefined ? before.permissions : input.permissions
  const changed = [
    ...(name !== before.name ? ['name'] : []),
    ...(JSON.stringify(permissions) !== JSON.stringify(before.permissions) ? ['permissions'] : []),
  ]
  if (changed.length > 0) {
    await tx.run(sql`
      update api_key set name = ${name}, permissions = ${permissions}
      where org_id = ${tx.orgId} and api_key_id = ${apiKeyId}`)
    await recordEvents(tx, [{ type: 'api_key.updated', objectId: apiKeyId, changed }])
  }
  return { ...before, name, permissions }
}

/**
 * Deletes a key, so that its token stops working.
 * @throws DomainError not_found
 */
export async function deleteKey(tx: OrgTx, apiKeyId: string): Promise<void> {
  if ((await removeKey(tx, apiKeyId)) === 0) throw unknownKey()
  await recordEvents(tx, [{ type: 'api_key.deleted', objectId: apiKeyId }])
}

/**
 * Deletes the keys that an agency made in the organization, and the keys that these keys made. Returns the deleted keys
 * by id.
 */
export async function deleteKeysOfAgency(
  tx: OrgTx,
  agencyOrgId: string,
): Promise<{ api_key_id: string; name: string }[]> {
  const deleted: { api_key_id: string; name: string }[] = []
  for (;;) {
    const found = await tx.rows(sql<Columns<'api_key', 'api_key_id' | 'name'>>`
      delete from api_key where org_id = ${tx.orgId} and created_by_org_id = ${agencyOrgId}
      returning api_key_id, name`)
    // A key can make another key until it is deleted. So repeat this until no key is found.
    if (found.length === 0) break
    deleted.push(...found)
  }
  const events = deleted.map((key) => ({ type: 'api_key.deleted' as const, objectId: key.api_key_id }))
  if (events.length > 0) await recordEvents(tx, events)
  return deleted.sort((a, b) => (a.api_key_id < b.api_key_id ? -1 : 1))
}

/**
 * Creates a new token with the name, mode, permissions and expiry of a key. The old key expires after the grace period.
 * @throws DomainError unauthenticated, forbidden, not_found, conflict
 */
export async function rotateKey(
  tx: OrgTx,
  caller: Caller,
  apiKeyId: string,
  graceSeconds: number,
): Promise<CreatedKey> {
  const row = await tx.first(sql<RotatedRow>`
    select name, mode, is_agency, permissions, expires_at, replaced_by_api_key_id
    from api_key where org_id = ${tx.orgId} and api_key_id = ${apiKeyId} for update`)
  if (!row) throw unknownKey()
  const { name, is_agency: isAgency, permissions, expires_at: expiresAt } = row
  const mode = row.mode as Mode
  const createdBy = await requireKeyCreation(tx, caller, { isAgency, permissions })
  if (row.replaced_by_api_key_id) {
    throw conflict(
      'api_key_already_rotated',
      `This API key was rotated already; rotate its successor ${row.replaced_by_api_key_id}, or create a new key`,
    )
  }
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw conflict(
      'rotation_after_expiry',
      'This API key has expired, and rotation does not extend it; create a new key',
    )
  }
  if (graceSeconds > 0) await requireRoom(tx)
  const successor = { name, mode, isAgency, permissions, expiresAt, createdBy }
  const created = await insertKey(tx, successor, apiKeyId)
  if (graceSeconds === 0) {
    await removeKey(tx, apiKeyId)
  } else {
    await tx.run(sql`
      update api_key
      set expires_at = least(expires_at, now() + make_interval(secs => ${graceSeconds})),
        replaced_by_api_key_id = ${created.api_key_id}
      where org_id = ${tx.orgId} and api_key_id = ${apiKeyId}`)
  }
  return created
}

const columnNames = [
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
  'created_by_member_id',
  'replaced_by_api_key_id',
] as const
const columns = rawSql(columnNames.join(', '))
const timeNames: readonly string[] = ['created_at', 'expires_at', 'last_used_at']
/** The columns as answers show them. */
const shownColumns = rawSql(
  columnNames
    .map((name) =>
      timeNames.includes(name) ? `floor(extract(epoch from ${name}))::bigint as ${name}` : name,
    )
    .join(', '),
)
type KeyRow = Columns<'api_key', (typeof columnNames)[number]>
type RotatedRow = Columns<
  'api_key',
  'name' | 'mode' | 'is_agency' | 'permissions' | 'expires_at' | 'replaced_by_api_key_id'
>

const selectKey = (orgId: string, apiKeyId: string) =>
  sql<KeyRow>`select ${columns} from api_key where org_id = ${orgId} and api_key_id = ${apiKeyId}`

const removeKey = (tx: OrgTx, apiKeyId: string): Promise<number> =>
  tx.run(sql`delete from api_key where org_id = ${tx.orgId} and api_key_id = ${apiKeyId}`)

function toKey(row: KeyRow): Key {
  return {
    ...row,
    mode: row.mode as Mode,
    created_at: seconds(row.created_at),
    expires_at: row.expires_at && seconds(row.expires_at),
    last_used_at: row.last_used_at && seconds(row.last_used_at),
  }
}

const unknownKey = () => notFound('object_not_found', 'No API key of this organization has this id')
