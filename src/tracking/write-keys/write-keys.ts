import { recordEvents } from '../../events/record.ts'
import { refuseInSandbox } from '../../orgs/orgs.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { newKeyText } from './key-text.ts'
import type { CreateWriteKey, UpdateWriteKey, WriteKey } from './schema.ts'

/** The list has no pages, so its length is limited. */
const keysMax = 100

// An expired old key is no longer shown, and the next rotation replaces it.
const columns = sql`
  write_key_id, key, name, mode, origins, purposes,
  json_build_object('events_per_second', events_per_second, 'events_per_day', events_per_day) as limits,
  case when old_key_expires_at > now() then old_key end as old_key,
  case when old_key_expires_at > now() then floor(extract(epoch from old_key_expires_at))::bigint end as old_key_expires_at,
  floor(extract(epoch from last_seen_at))::bigint as last_seen_at,
  version,
  floor(extract(epoch from created_at))::bigint as created_at,
  floor(extract(epoch from updated_at))::bigint as updated_at`

/** All write keys of the org, newest first. */
export function listWriteKeys(tx: OrgTx): Promise<WriteKey[]> {
  return tx.rows(sql<WriteKey>`
    select ${columns} from write_key where org_id = ${tx.orgId} order by write_key_id desc`)
}

/** A write key as answers show it. @throws DomainError not_found */
export async function findWriteKey(tx: OrgTx, writeKeyId: string): Promise<WriteKey> {
  const row = await tx.first(selectKey(tx, writeKeyId))
  if (!row) throw unknownKey()
  return row
}

/**
 * Creates a write key, by default in the mode of the caller.
 * @throws DomainError conflict if the org has 100 write keys; forbidden for a live key in a sandbox
 */
export async function createWriteKey(tx: OrgTx, input: CreateWriteKey): Promise<WriteKey> {
  const mode = input.mode ?? tx.actor.mode
  if (mode === 'live') await refuseInSandbox(tx, 'A sandbox has only test keys. Send mode test.')
  await lockExclusive(tx, `write keys ${tx.orgId}`)
  const keys = await tx.rows(sql`select from write_key where org_id = ${tx.orgId}`)
  if (keys.length >= keysMax)
    throw conflict(
      'limit_reached',
      `An organization can have at most ${keysMax} write keys. Delete one first.`,
    )
  const writeKeyId = newId()
  const { events_per_second: perSecond, events_per_day: perDay } = input.limits
  await tx.run(sql`
    insert into write_key (org_id, write_key_id, name, mode, key, origins, purposes, events_per_second, events_per_day)
    values (${tx.orgId}, ${writeKeyId}, ${input.name}, ${mode}, ${newKeyText(mode)}, ${unique(input.origins)},
      ${unique(input.purposes)}, ${perSecond}, ${perDay})`)
  await recordEvents(tx, [{ type: 'write_key.created', objectId: writeKeyId }])
  return findWriteKey(tx, writeKeyId)
}

/**
 * Changes the given fields.
 * @throws DomainError not_found; conflict if `version` is not the current one
 */
export async function changeWriteKey(
  tx: OrgTx,
  writeKeyId: string,
  input: UpdateWriteKey,
  version: number | undefined,
): Promise<WriteKey> {
  const before = await lockKey(tx, writeKeyId, version)
  const after = {
    name: input.name ?? before.name,
    origins: input.origins ? unique(input.origins) : before.origins,
    purposes: input.purposes ? unique(input.purposes) : before.purposes,
    limits: {
      events_per_second: input.limits?.events_per_second ?? before.limits.events_per_second,
      events_per_day: input.limits?.events_per_day ?? before.limits.events_per_day,
    },
  }
  const changed = (['name', 'origins', 'purposes', 'limits'] as const).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  if (changed.length === 0) return before
  const { events_per_second: perSecond, events_per_day: perDay } = after.limits
  await tx.run(sql`
    update write_key
    set name = ${after.name}, origins = ${after.origins}, purposes = ${after.purposes},
      events_per_second = ${perSecond}, events_per_day = ${perDay}, version = version + 1, updated_at = now()
    where org_id = ${tx.orgId} and write_key_id = ${writeKeyId}`)
  await recordEvents(tx, [{ type: 'write_key.updated', objectId: writeKeyId, changed }])
  return findWriteKey(tx, writeKeyId)
}

/**
 * Replaces the key of a write key. The old key is accepted for `graceSeconds` more; with 0, all older keys are refused at
 * once.
 * @throws DomainError not_found; conflict while the previous key is still accepted and `graceSeconds` is not 0, or if
 * `version` is not the current one
 */
export async function rotateWriteKey(
  tx: OrgTx,
  writeKeyId: string,
  { grace_seconds: graceSeconds, version }: { grace_seconds: number; version: number | undefined },
): Promise<WriteKey> {
  const { mode, old_key_expires_at: expiresAt } = await lockKey(tx, writeKeyId, version)
  if (graceSeconds > 0 && expiresAt !== null)
    throw conflict(
      'rotation_pending',
      `The previous key is accepted until ${new Date(expiresAt * 1000).toISOString()}. Rotate again after that time, or send grace_seconds: 0 to refuse all older keys at once.`,
    )
  const isKept = graceSeconds > 0
  await tx.run(sql`
    update write_key
    set key = ${newKeyText(mode)}, old_key = case when ${isKept} then key end,
      old_key_expires_at = case when ${isKept} then now() + make_interval(secs => ${graceSeconds}) end,
      version = version + 1, updated_at = now()
    where org_id = ${tx.orgId} and write_key_id = ${writeKeyId}`)
  await recordEvents(tx, [{ type: 'write_key.rotated', objectId: writeKeyId }])
  return findWriteKey(tx, writeKeyId)
}

/** Deletes a write key, so that it is refused. @throws DomainError not_found */
export async function deleteWriteKey(tx: OrgTx, writeKeyId: string): Promise<void> {
  const deleted = await tx.run(sql`
    delete from write_key where org_id = ${tx.orgId} and write_key_id = ${writeKeyId}`)
  if (deleted === 0) throw unknownKey()
  await recordEvents(tx, [{ type: 'write_key.deleted', objectId: writeKeyId }])
}

async function lockKey(tx: OrgTx, writeKeyId: string, version: number | undefined): Promise<WriteKey> {
  const row = await tx.first(sql<WriteKey>`${selectKey(tx, writeKeyId)} for update`)
  if (!row) throw unknownKey()
  requireVersion('this write key', version, row.version)
  return row
}

const selectKey = ({ orgId }: OrgTx, writeKeyId: string) =>
  sql<WriteKey>`select ${columns} from write_key where org_id = ${orgId} and write_key_id = ${writeKeyId}`

const unknownKey = () => notFound('object_not_found', 'No write key of this organization has this id')

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]
