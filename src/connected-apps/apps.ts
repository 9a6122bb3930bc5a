import { memberName } from '../events/actor.ts'
import { recordEvents } from '../events/record.ts'
import { type Actor, systemOf } from '../platform/actor.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import { notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { AppListQuery } from './schema.ts'

const wire = new JsonColumns('a', {
  connected_app_id: 'uuid',
  client_name: 'text',
  client_host: 'text',
  member_id: 'uuid',
  member_name: { sql: memberName('a.member_id'), kind: 'text' },
  mode: 'text',
  permissions: { sql: 'to_json(a.permissions)', kind: 'json' },
  created_at: 'seconds',
  last_used_at: 'seconds',
  revoked_at: 'seconds',
})

/** Returns the apps of an organization, newest first. Disconnected ones are listed with `revoked`. */
export function listApps(
  org: Org,
  cursors: Cursors,
  { revoked, ...query }: AppListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'a')
  filter.and(revoked ? sql`a.revoked_at is not null` : sql`a.revoked_at is null`)
  const source = { list: `apps ${revoked}`, from: sql`connected_app a`, id: sql`a.connected_app_id`, wire }
  return readPage(org, cursors, { ...source, filter }, query)
}

export type NewApp = {
  memberId: string
  orgId: string
  homeOrgId: string
  clientId: string
  clientName: string
  clientHost: string
  mode: 'live' | 'test'
  permissions: readonly string[]
  /** Whether the person had signed in with the single sign-on of `homeOrgId`. */
  viaSso: boolean
}

/** Connects an app to an organization for a person. Returns its id. */
export async function connectApp(tx: Tx, actor: Actor, app: NewApp): Promise<string> {
  const appId = newId()
  await tx.run(sql`
    insert into connected_app (org_id, connected_app_id, member_id, home_org_id, client_id, client_name, client_host,
      mode, permissions, via_sso, created_at)
    values (${app.orgId}, ${appId}, ${app.memberId}, ${app.homeOrgId}, ${app.clientId}, ${app.clientName},
      ${app.clientHost}, ${app.mode}, ${[...app.permissions]}, ${app.viaSso}, now())`)
  const acting = { ...actor, orgId: app.orgId, mode: app.mode }
  await recordEvents(new OrgTx(tx, acting), [{ type: 'connected_app.connected', objectId: appId }])
  return appId
}

/** Narrows the permissions of an app. @throws DomainError not_found */
export async function narrowApp(tx: OrgTx, appId: string, permissions: readonly string[]): Promise<void> {
  const count = await tx.run(sql`
    update connected_app set permissions = ${[...permissions]}
    where org_id = ${tx.orgId} and connected_app_id = ${appId} and revoked_at is null
      and permissions @> ${[...permissions]}`)
  if (count === 0) throw unknownApp()
  await recordEvents(tx, [{ type: 'connected_app.updated', objectId: appId, changed: ['permissions'] }])
}

/** Disconnects an app: its tokens stop working within 2 seconds. @throws DomainError not_found */
export async function revokeApp(tx: OrgTx, appId: string): Promise<void> {
  const count = await tx.run(sql`
    update connected_app set revoked_at = now(), revoked_by = ${tx.actor.memberId}
    where org_id = ${tx.orgId} and connected_app_id = ${appId} and revoked_at is null`)
  if (count === 0) throw unknownApp()
  await recordEvents(tx, [{ type: 'connected_app.revoked', objectId: appId }])
}

/**
 * Disconnects the apps of a member who leaves the actor's organization. Otherwise the apps would work again if the
 * member came back.
 */
export async function revokeAppsOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const apps = await tx.rows(sql<{ org_id: string; connected_app_id: string }>`
    update connected_app set revoked_at = now(), revoked_by = ${actor.memberId}
    where home_org_id = ${actor.orgId} and member_id = ${memberId} and revoked_at is null
    returning org_id, connected_app_id`)
  for (const { org_id: orgId, connected_app_id: objectId } of apps)
    await recordEvents(new OrgTx(tx, { ...actor, orgId }), [{ type: 'connected_app.revoked', objectId }])
}

/**
 * Disconnects an app whose grant ended: it revoked a token, or its code or refresh token was used twice and somebody else
 * may have it. Works across organizations: the authorization server does not know the organization of an app.
 */
export async function endApp(scope: SystemScope, appId: string): Promise<void> {
  await scope.transact(async (tx) => {
    const app = await tx.first(sql<{ org_id: string }>`
      update connected_app set revoked_at = now() where connected_app_id = ${appId} and revoked_at is null
      returning org_id`)
    if (app)
      await recordEvents(new OrgTx(tx, systemOf(app.org_id)), [
        { type: 'connected_app.revoked', objectId: appId },
      ])
  })
}

export type ShownApp = {
  connected_app_id: string
  client_name: string
  client_host: string
  member_id: string
  member_name: string | null
  mode: 'live' | 'test'
  permissions: string[]
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

/** @throws DomainError not_found */
export async function findApp(tx: OrgTx, appId: string): Promise<ShownApp> {
  const app = await tx.first(sql<ShownApp>`
    select connected_app_id, client_name, client_host, member_id, ${rawSql(memberName('member_id'))} as member_name,
      mode, permissions, floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from last_used_at))::bigint as last_used_at,
      floor(extract(epoch from revoked_at))::bigint as revoked_at
    from connected_app where org_id = ${tx.orgId} and connected_app_id = ${appId}`)
  if (!app) throw unknownApp()
  return app
}

const unknownApp = () =>
  notFound(
    'object_not_found',
    'No connected app of this organization has this id; GET /connected-apps lists them',
  )
