import { lockCallerRights } from '../auth/caller-rights.ts'
import { recordEvents } from '../events/record.ts'
import { insertKey, tokenOf } from '../keys/keys.ts'
import { refuseInSandbox } from '../orgs/orgs.ts'
import { type Actor, systemOf } from '../platform/actor.ts'
import type { Caller } from '../platform/caller.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { onOtherOrg } from '../platform/db/other-org.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict, notFound, tooMany } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { readSettings, writeSettings } from './copied-settings.ts'
import { closeDoors } from './doors.ts'
import type { CreatedSandbox, CreateSandbox, ListQuery, Sandbox } from './schema.ts'

const dayMs = 86_400_000
/**
 * How many sandboxes an organization has at most, and how many it deletes a minute. Deleting their rows takes time.
 */
const sandboxesMax = 5
const deletedMax = 20

const wire = new JsonColumns('s', {
  org_id: { sql: 's.sandbox_org_id', kind: 'uuid' },
  name: 'text',
  copy: { sql: 's.copied', kind: 'text' },
  status: 'text',
  created_at: 'seconds',
  expires_at: 'seconds',
})

/** Returns the sandboxes of the organization, newest first. */
export function listSandboxes(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 's').and(sql`s.status <> 'deleted'`)
  const source = { list: 'sandboxes', from: sql`sandbox s`, id: sql`s.sandbox_org_id`, wire, filter }
  return readPage(org, cursors, source, query)
}

/** @throws DomainError not_found */
export async function findSandbox(tx: OrgTx, sandboxOrgId: string): Promise<Sandbox> {
  const sandbox = await tx.first(sql<Sandbox>`
    select sandbox_org_id as org_id, name, copied as copy, status,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from expires_at))::bigint as expires_at
    from sandbox where org_id = ${tx.orgId} and sandbox_org_id = ${sandboxOrgId} and status <> 'deleted'`)
  if (!sandbox) throw unknownSandbox()
  return sandbox
}

const unknownSandbox = () => notFound('object_not_found', 'This organization has no sandbox with this id')

/** Crosswalk itself, acting on a sandbox. Sandboxes have only test mode. */
export const actorIn = (sandboxOrgId: string): Actor => systemOf(sandboxOrgId, 'test')

/**
 * Creates a sandbox with a test key that has the permissions of the caller's key. With sample data, it is `preparing`
 * until a job has filled it.
 * @throws DomainError unauthenticated, forbidden; conflict if the organization has 5 sandboxes; too_many
 */
export async function createSandbox(
  tx: OrgTx,
  caller: Caller,
  input: CreateSandbox,
): Promise<CreatedSandbox> {
  const held = await lockCallerRights(tx, caller, 'organization:manage')
  const { permissions, made_by_org_id: keyOrgId, is_below_owner: isBelowOwner } = held
  await refuseInSandbox(
    tx,
    'A sandbox cannot have sandboxes. Use an API key of the organization that made it',
  )
  await requireRoom(tx)
  const sandboxOrgId = newId()
  const copiesSettings = input.copy === 'settings'
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + input.expires_in_days * dayMs)
  await tx.run(sql`select app.create_sandbox_org(${sandboxOrgId}, ${input.name}, ${copiesSettings})`)
  await tx.run(sql`
    insert into sandbox (org_id, sandbox_org_id, name, copied, status, created_at, expires_at)
    values (${tx.orgId}, ${sandboxOrgId}, ${input.name}, ${input.copy},
      ${input.copy === 'sample' ? 'preparing' : 'ready'}, ${createdAt}, ${expiresAt})`)
  await recordEvents(tx, [{ type: 'sandbox.created', objectId: sandboxOrgId }])
  const settings = copiesSettings ? await readSettings(tx) : null
  const key = await onOtherOrg(tx, actorIn(sandboxOrgId), async (sandbox) => {
    if (settings) await writeSettings(sandbox, settings)
    const createdBy = { keyOrgId, apiKeyId: caller.apiKeyId, memberId: caller.memberId, isBelowOwner }
    return insertKey(sandbox, { name: 'First key', mode: 'test', permissions, createdBy })
  })
  return {
    ...(await findSandbox(tx, sandboxOrgId)),
    api_key_id: key.api_key_id,
    api_key_token: tokenOf(key),
  }
}

/** @throws DomainError conflict, too_many */
async function requireRoom(tx: OrgTx): Promise<void> {
  await lockExclusive(tx, `sandboxes ${tx.orgId}`)
  const counted = await tx.first(sql<{ sandboxes: number; deleted: number }>`
    select count(*) filter (where status <> 'deleted') as sandboxes,
      count(*) filter (where deleted_at > now() - interval '1 minute') as deleted
    from sandbox where org_id = ${tx.orgId}`)
  if (counted && counted.sandboxes >= sandboxesMax) {
    throw conflict(
      'limit_reached',
      `An organization can have at most ${sandboxesMax} sandboxes. Delete one first (DELETE /organization/sandboxes/{org_id}).`,
    )
  }
  if (counted && counted.deleted >= deletedMax) {
    throw tooMany(
      'rate_limit_exceeded',
      `${deletedMax} sandboxes were deleted in the last minute. Try again in a minute.`,
      {
        retryAfterSeconds: 60,
      },
    )
  }
}

/** Ends the keys, forms and webhooks of a sandbox, and marks its rows for deletion. @throws DomainError not_found */
export async function deleteSandbox(tx: OrgTx, sandboxOrgId: string): Promise<void> {
  const deleted = await tx.run(sql`
    update sandbox set status = 'deleted', deleted_at = now(), purge_at = now()
    where org_id = ${tx.orgId} and sandbox_org_id = ${sandboxOrgId} and status <> 'deleted'`)
  if (deleted === 0) throw unknownSandbox()
  await recordEvents(tx, [{ type: 'sandbox.deleted', objectId: sandboxOrgId }])
  await onOtherOrg(tx, actorIn(sandboxOrgId), (sandbox) => closeDoors(sandbox, sandbox.orgId))
}

/** Locks a sandbox that is `preparing`. Returns false if it is not. */
export async function lockPreparing(tx: OrgTx, sandboxOrgId: string): Promise<boolean> {
  const found = await tx.first(sql`
    select 1 from sandbox
    where org_id = ${tx.orgId} and sandbox_org_id = ${sandboxOrgId} and status = 'preparing' for update`)
  return found !== undefined
}

/** Ends the preparation of a sandbox. */
export async function finishPreparing(
  tx: OrgTx,
  sandboxOrgId: string,
  status: 'ready' | 'failed',
): Promise<void> {
  await tx.run(sql`
    update sandbox set status = ${status}
    where org_id = ${tx.orgId} and sandbox_org_id = ${sandboxOrgId} and status = 'preparing'`)
}
