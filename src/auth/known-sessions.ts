import type { RecordAccess } from '../platform/caller.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { bytesOf, type Lookup } from './credential-cache.ts'
import { limitOf, type Role, type StoredRecordAccess } from './roles.ts'

export const idleMs = 7 * 86_400_000
const seenEveryMs = 3_600_000

/** Why a member may act on an org: membership in the org, in its agency, or in the org that owns the sandbox. */
export type AccessVia = 'member' | 'agency' | 'sandbox'

/** An org that a member may act on, with the role. */
export type AccessibleOrg = {
  orgId: string
  orgName: string
  /** The org that gives the role. */
  homeOrgId: string
  role: Role
  /** The part of the role that the member has; null: the whole role. */
  permissions: readonly string[] | null
  /** The limit on the records of the org; undefined: none. Sandboxes have no limit. */
  recordAccess: RecordAccess | undefined
  via: AccessVia
  /** Whether the role includes the clients of the org. */
  reachesClients: boolean
}

/** The data about a session and its member that authentication caches. */
export type KnownSession = {
  sessionId: string
  memberId: string
  email: string
  name: string
  /** Whether the second factor is still missing. */
  isPartial: boolean
  hasTotp: boolean
  /** How many recovery codes are left. */
  recoveryCodes: number
  hasPassword: boolean
  /** The host of each passkey of the member. */
  passkeyHosts: readonly string[]
  /** The only org that the session reaches, after single sign-on. null: all orgs of the member. */
  ssoOrgId: string | null
  /** Whether the session began with a link of the operator. */
  isRecovery: boolean
  /** The orgs of the member that require single sign-on, with what the member would reach through them. */
  ssoRequired: readonly ClosedOrg[]
  /** Whether the person also uses the account outside of `ssoOrgId`. Its provider must not change the account then. */
  isUsedElsewhere: boolean
  /** The time of the last stored use, in Unix milliseconds. */
  seenAtMs: number
  expiresAtMs: number
  /** When the person last confirmed their identity; 0: never. */
  confirmedAtMs: number
} & Reach

/** What a member reaches. An agency may have 10,000 clients, so they are not in it: see `client-reach.ts`. */
export type Reach = {
  /** The orgs of the member, and their sandboxes, by their ids. */
  reached: ReadonlyMap<string, AccessibleOrg>
  /** The agencies among `reached` whose clients the member reaches. */
  agencies: readonly AccessibleOrg[]
}

export type IdAndName = { id: string; name: string }
type ClosedOrg = IdAndName & Reach
type Membership = IdAndName & {
  role: Role
  permissions: string[] | null
  record_access: StoredRecordAccess
  is_agency: boolean
  is_sandbox: boolean
  sso_required: boolean
  sso_only: boolean
  has_clients: boolean
  sandboxes: IdAndName[]
}
type Row = {
  token_hash: Buffer
  session_id: string
  member_id: string
  email: string
  name: string
  is_partial: boolean
  has_totp: boolean
  recovery_codes: number
  has_password: boolean
  passkey_hosts: string[]
  sso_org_id: string | null
  is_recovery: boolean
  seen_at: Date
  expires_at: Date
  confirmed_at: Date | null
  memberships: Membership[]
}

/** Whether org `o` requires single sign-on of member `m`. */
export const ssoRequired: Statement<{ sso_required: boolean }> = sql<{ sso_required: boolean }>`
  exists (select from sso x where x.org_id = o.org_id and x.is_required
    and split_part(m.email_key, '@', 2) = any (x.domains))`

/**
 * Whether an org is a deleted sandbox, whose rows wait to be deleted.
 * @param alias of the table `org` in the statement
 */
export const isDeletedSandbox = (alias: string): Sql => sql`
  exists (select from sandbox x where x.org_id = ${rawSql(`${alias}.sandbox_of`)}
    and x.sandbox_org_id = ${rawSql(`${alias}.org_id`)} and x.status = 'deleted')`

/**
 * Whether org `o` has clients: whether the next agency in the index is this org. If one agency has most clients, PostgreSQL
 * expects a client of every org. It would then read the whole table for each org without clients.
 */
const hasClients = sql`
  coalesce((select l.agency_org_id = o.org_id from agency_client l where l.agency_org_id >= o.org_id
    order by l.agency_org_id, l.client_org_id limit 1), false)`

const byHash = (tokenHashes: readonly Buffer[]) => sql<Row>`
  select s.token_hash, s.session_id, s.member_id, m.email, m.name, s.is_partial, m.totp_secret is not null as has_totp,
    cardinality(m.recovery_codes) as recovery_codes, m.password is not null as has_password, s.seen_at,
    array(select p.host from passkey p where p.member_id = s.member_id) as passkey_hosts, s.expires_at, s.confirmed_at, s.sso_org_id, s.is_recovery,
    (select coalesce(json_agg(json_build_object('id', o.org_id, 'name', o.name, 'role', h.role,
        'permissions', h.permissions, 'record_access', h.record_access, 'is_agency', o.is_agency, 'is_sandbox', o.sandbox_of is not null,
        'sso_required', h.sso_only or ${ssoRequired}, 'sso_only', h.sso_only,
        'has_clients', ${hasClients},
        'sandboxes', (select coalesce(json_agg(json_build_object('id', b.org_id, 'name', b.name)), '[]')
          from org b where b.sandbox_of = o.org_id and not ${isDeletedSandbox('b')})) order by o.name, o.org_id), '[]')
      from membership h join org o on o.org_id = h.org_id where h.member_id = s.member_id and not ${isDeletedSandbox('o')}) as memberships
  from session s join member m on m.member_id = s.member_id
  where s.token_hash = any(${tokenHashes}::bytea[])`

function sessionOf(row: Row): KnownSession {
  const { sso_org_id: ssoOrgId, is_recovery: isRecovery, memberships } = row
  const isClosed = ({ id, sso_required: isRequired }: Membership) =>
    ssoOrgId === null ? isRequired && !isRecovery : id !== ssoOrgId
  return {
    sessionId: row.session_id,
    memberId: row.member_id,
    email: row.email,
    name: row.name,
    isPartial: row.is_partial,
    hasTotp: row.has_totp,
    recoveryCodes: row.recovery_codes,
    hasPassword: row.has_password,
    passkeyHosts: row.passkey_hosts,
    seenAtMs: row.seen_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    confirmedAtMs: row.confirmed_at?.getTime() ?? 0,
    ssoOrgId,
    isRecovery,
    ssoRequired: memberships
      .filter((home) => isClosed(home) && ssoOrgId === null)
      .map((home) => ({ id: home.id, name: home.name, ...reachOf([home]) })),
    isUsedElsewhere: memberships.some(({ id, sso_only: isSsoOnly }) => (id === ssoOrgId) === isSsoOnly),
    ...reachOf(memberships.filter((home) => !isClosed(home))),
  }
}

/** A membership in the org itself has priority over one in the org that made a sandbox. */
function reachOf(memberships: readonly Membership[]): Reach {
  const reached = new Map<string, AccessibleOrg>()
  const add = ({ id, name }: IdAndName, home: Membership, via: AccessVia) => {
    if (reached.has(id)) return
    const { id: homeOrgId, role, permissions, is_agency: isAgency, has_clients: hasClients } = home
    const limit = limitOf(home.record_access)
    const reachesClients = limit === undefined && (isAgency || hasClients)
    const recordAccess = via === 'sandbox' && id !== homeOrgId ? undefined : limit
    const rights = { role, permissions, recordAccess, via, reachesClients }
    reached.set(id, { orgId: id, orgName: name, homeOrgId, ...rights })
  }
  for (const home of memberships) add(home, home, home.is_sandbox ? 'sandbox' : 'member')
  // Nobody of an agency owns records of its clients, so a limited member would see none.
  const agencies = [...reached.values()].filter(({ reachesClients }) => reachesClients)
  for (const home of memberships) for (const sandbox of home.sandboxes) add(sandbox, home, 'sandbox')
  return { reached, agencies }
}

/** How the cache finds sessions, and which changes drop it from the cache. */
export const sessionLookup = (scope: SystemScope): Lookup<KnownSession> => ({
  async find(tokenHashes) {
    const rows = await scope.readRows(byHash(bytesOf(tokenHashes)))
    return new Map(rows.map((row) => [row.token_hash.toString('latin1'), sessionOf(row)]))
  },
  topicsOf: ({ memberId, reached, ssoRequired }) => [
    `member:${memberId}`,
    ...new Set([...reached.values()].map(({ homeOrgId }) => homeOrgId)),
    ...ssoRequired.map(({ id }) => id),
  ],
  isCacheable: () => true,
})

/** Returns whether a session is valid now. */
export function isAlive({ seenAtMs, expiresAtMs }: KnownSession, now: number = Date.now()): boolean {
  return now < expiresAtMs && now < seenAtMs + idleMs
}

/**
 * The payer of a request of this person that acts on no organization, or whose organization is not known yet: the
 * members of the person's first organization.
 */
export function payerOf({ memberId, reached }: KnownSession): string {
  const [first] = reached.values()
  return first ? `${first.homeOrgId}:members` : memberId
}

/** Stores, at most once an hour, that a session is in use. */
export async function recordSessionUse(scope: SystemScope, session: KnownSession): Promise<void> {
  const now = Date.now()
  if (now - session.seenAtMs < seenEveryMs) return
  session.seenAtMs = now
  await scope.transact((tx) =>
    tx.run(sql`update session set seen_at = ${new Date(now)} where session_id = ${session.sessionId}`),
  )
}
