import { validate as isUuid } from 'uuid'
import { bytesOf, type Lookup } from '../auth/credential-cache.ts'
import { isDeletedSandbox, ssoRequired } from '../auth/known-sessions.ts'
import { allows } from '../auth/permissions.ts'
import { limitOf, permissionsOf, type Role, type StoredRecordAccess } from '../auth/roles.ts'
import type { RecordAccess } from '../platform/caller.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Ceilings } from '../platform/rate-limit/rate-limit.ts'

/** The data of an access token and its app that authentication caches. */
export type KnownApp = {
  connectedAppId: string
  memberId: string
  /** The person and the app: "Ada via Claude". */
  name: string
  orgId: string
  homeOrgId: string
  mode: 'live' | 'test'
  /** What the app may do now: its own permissions, within those of the person's role. */
  permissions: readonly string[]
  /** The records that the app reaches, as its person does; undefined: all. */
  recordAccess: RecordAccess | undefined
  /** The address that the token is for. */
  resource: string
  expiresAtMs: number
  /** Unix milliseconds of the last stored use; 0: none. */
  lastUsedAtMs: number
  ceilings: Ceilings
}

type Row = {
  id_hash: Buffer
  connected_app_id: string
  member_id: string
  member_name: string
  client_name: string
  org_id: string
  home_org_id: string
  mode: 'live' | 'test'
  app_permissions: string[]
  role: Role
  permissions: string[] | null
  record_access: StoredRecordAccess
  /** The membership in `org_id`, if the person is a member there, too; null otherwise. */
  direct: Pick<Row, 'role' | 'permissions' | 'record_access'> | null
  is_sandbox: boolean
  resource: string
  expires_at: Date
  last_used_at: Date | null
  requests_per_second: number | null
  requests_per_minute: number | null
}

/**
 * Apps `a`, with their person `m`, the membership `h` in the home org `o`, and the org `t` that they work in. The org
 * that gives the role sets the rate limits, too. `d` is the membership in `t`.
 */
const apps = sql`connected_app a
    join member m on m.member_id = a.member_id
    join membership h on h.org_id = a.home_org_id and h.member_id = a.member_id
    join org o on o.org_id = a.home_org_id
    join org t on t.org_id = a.org_id
    left join membership d on d.org_id = a.org_id and d.member_id = a.member_id`

/**
 * The person must still be a member, and still reach the organization: as its member, through its agency, or as the
 * owner of the sandbox. If the organization requires single sign-on by now, apps that were connected without it stop,
 * as sessions do.
 */
const isUsable = sql`a.revoked_at is null and not ${isDeletedSandbox('t')}
    and (a.via_sso or not (h.sso_only or ${ssoRequired}))
    and (a.org_id = a.home_org_id or t.sandbox_of = a.home_org_id or (h.record_access = 'all' and exists (
      select from agency_client l where l.agency_org_id = a.home_org_id and l.client_org_id = a.org_id)))`

/** A refresh that runs while the grant ends still stores its new token, which then belongs to no grant. */
const isGranted = sql`exists (
    select from oauth_item g where g.kind = 'Grant' and g.grant_id = i.grant_id and g.expires_at > now())`

const byHash = (tokenHashes: readonly Buffer[]) => sql<Row>`
  select i.id_hash, a.connected_app_id, a.member_id, m.name as member_name, a.client_name, a.org_id, a.home_org_id, a.mode,
    a.permissions as app_permissions, h.role, h.permissions, h.record_access,
    case when d.org_id <> a.home_org_id then jsonb_build_object(
      'role', d.role, 'permissions', d.permissions, 'record_access', d.record_access) end as direct, t.sandbox_of is not null as is_sandbox, i.payload ->> 'aud' as resource, i.expires_at, a.last_used_at,
    o.requests_per_second, o.requests_per_minute
  from ${apps} join oauth_item i on i.connected_app_id = a.connected_app_id
  where i.kind = 'AccessToken' and i.id_hash = any(${tokenHashes}::bytea[]) and i.expires_at > now() and ${isGranted} and ${isUsable}`

/** Returns whether the person of an app may use it now. */
export async function isAppUsable(rows: Tx['rows'], appId: string): Promise<boolean> {
  if (!isUuid(appId)) return false
  const found = await rows(sql`select from ${apps} where a.connected_app_id = ${appId} and ${isUsable}`)
  return found.length > 0
}

function appOf(row: Row): KnownApp {
  // Sandboxes have test data only, so nothing limits them.
  const isOwnSandbox = row.is_sandbox && row.org_id !== row.home_org_id
  // In a session, a membership in the client replaces the rights of the agency. So an app has no more than that.
  const homes = row.direct ? [row, row.direct] : [row]
  const recordAccess = isOwnSandbox ? undefined : limitOf(homes.at(-1)!.record_access)
  const granted = homes.map(({ role, permissions }) => permissionsOf(role, permissions, recordAccess))
  return {
    connectedAppId: row.connected_app_id,
    memberId: row.member_id,
    name: `${row.member_name} via ${row.client_name}`,
    orgId: row.org_id,
    homeOrgId: row.home_org_id,
    mode: row.mode,
    permissions: row.app_permissions.filter((permission) =>
      granted.every((each) => allows(each, permission)),
    ),
    recordAccess,
    resource: row.resource,
    expiresAtMs: row.expires_at.getTime(),
    lastUsedAtMs: row.last_used_at?.getTime() ?? 0,
    ceilings: { perSecond: row.requests_per_second, perMinute: row.requests_per_minute },
  }
}

/** The lookup of access tokens, for their cache. */
export const appLookup = (scope: SystemScope): Lookup<KnownApp> => ({
  async find(tokenHashes) {
    const rows = await scope.readRows(byHash(bytesOf(tokenHashes)))
    return new Map(rows.map((row) => [row.id_hash.toString('latin1'), appOf(row)]))
  },
  topicsOf: ({ connectedAppId, memberId, orgId, homeOrgId }) => [
    ...new Set([`app:${connectedAppId}`, `member:${memberId}`, orgId, homeOrgId]),
  ],
  isCacheable: () => true,
})

const usedEveryMs = 60_000

/** Stores, at most once a minute, that an app is in use. */
export async function recordAppUse(scope: SystemScope, app: KnownApp): Promise<void> {
  const now = Date.now()
  if (now - app.lastUsedAtMs < usedEveryMs) return
  app.lastUsedAtMs = now
  await scope.transact((tx) =>
    tx.run(sql`
      update connected_app set last_used_at = ${new Date(now)}
      where org_id = ${app.orgId} and connected_app_id = ${app.connectedAppId}`),
  )
}
