import type { Role } from '../../auth/roles.ts'
import { recordEvents } from '../../events/record.ts'
import type { Caller } from '../../platform/caller.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { conflict, forbidden, notFound } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

/** The name under which the client secret of an org is stored. */
const secretName = 'sso'

/** The roles for new members. */
export const newcomerRoles = ['admin', 'member', 'viewer'] as const satisfies readonly Role[]

export type SsoSettings = {
  issuer: string
  client_id: string
  domains: string[]
  newcomer_role: (typeof newcomerRoles)[number] | null
  is_required: boolean
}

/** The provider of an org. `is_tested`: somebody has signed in with this client of the provider. */
export type StoredSsoConnection = SsoSettings & { is_tested: boolean; version: number; updated_at: number }

/** Returns undefined if the org has no provider. */
export const findConnection = (tx: Tx, orgId: string): Promise<StoredSsoConnection | undefined> =>
  tx.first(sql<StoredSsoConnection>`
    select s.issuer, s.client_id, s.domains, s.newcomer_role, s.is_required, s.version,
      floor(extract(epoch from s.updated_at))::bigint as updated_at,
      exists (
        select from sso_identity i
        where i.org_id = s.org_id and i.issuer = s.issuer and i.used_at > coalesce(s.client_set_at, '-infinity')
      ) as is_tested
    from sso s where s.org_id = ${orgId}`)

/** The client secret of an org; null without one. */
export const openSecret = (tx: Tx, secrets: Secrets, orgId: string): Promise<string | null> =>
  secrets.open(ofSystem(tx, orgId), orgId, secretName)

/**
 * Requires an owner with all rights who acts on the org itself: an agency must not change how a client's people sign
 * in.
 * @throws DomainError forbidden
 */
export async function requireOwner(tx: Tx, { homeOrgId, orgId, memberId }: Caller): Promise<void> {
  const owners = await tx.run(sql`
    select from membership
    where org_id = ${orgId} and member_id = ${memberId} and role = 'owner' and permissions is null for share`)
  if (owners > 0 && homeOrgId === orgId) return
  throw forbidden('role_too_low', 'Only an owner of the organization manages single sign-on; ask an owner')
}

/**
 * Stores the provider of an org.
 * @param secret undefined keeps the stored secret
 * @throws DomainError conflict
 */
export async function putConnection(
  tx: Tx,
  secrets: Secrets,
  caller: Caller,
  settings: SsoSettings,
  secret: string | undefined,
  version: number | undefined,
): Promise<StoredSsoConnection> {
  const { orgId } = caller
  const { issuer, client_id: clientId, domains, newcomer_role: role, is_required: isRequired } = settings
  const org = new OrgTx(tx, caller)
  // Lock: two concurrent first changes must run one after another.
  await tx.run(sql`select from org where org_id = ${orgId} for no key update`)
  const before = await findConnection(tx, orgId)
  requireVersion('single sign-on', version, before?.version ?? 0)
  if (isRequired && !(before?.is_tested && before.issuer === issuer && before.client_id === clientId)) {
    throw conflict(
      'sso_untested',
      'Nobody has signed in with this provider yet; save it with is_required false, sign in with it once, then require it',
    )
  }
  if (secret !== undefined) await secrets.put(org, orgId, secretName, secret)
  await tx.run(sql`
    insert into sso (org_id, issuer, client_id, client_set_at, domains, newcomer_role, is_required, updated_at)
    values (${orgId}, ${issuer}, ${clientId}, now(), ${domains}, ${role}, ${isRequired}, now())
    on conflict (org_id) do update
    set issuer = excluded.issuer, client_id = excluded.client_id, client_set_at = case
        when (sso.issuer, sso.client_id) = (excluded.issuer, excluded.client_id) then sso.client_set_at else now() end,
      domains = excluded.domains, newcomer_role = excluded.newcomer_role, is_required = excluded.is_required, version = sso.version + 1,
      updated_at = now()`)
  const changed: string[] = (Object.keys(settings) as (keyof SsoSettings)[]).filter(
    (field) => JSON.stringify(settings[field]) !== JSON.stringify(before?.[field]),
  )
  if (secret !== undefined) changed.push('client_secret')
  await recordEvents(org, [{ type: 'sso.updated', objectId: orgId, changed }])
  const stored = await findConnection(tx, orgId)
  if (!stored) throw new Error('The provider of single sign-on was not stored')
  return stored
}

/**
 * Removes the provider of an org, and ends sessions that began with it.
 * @throws DomainError not_found
 */
export async function deleteConnection(tx: Tx, secrets: Secrets, caller: Caller): Promise<void> {
  const { orgId } = caller
  const dropped = await tx.run(sql`delete from sso where org_id = ${orgId}`)
  if (dropped === 0) throw notFound('object_not_found', 'This organization has no single sign-on')
  const org = new OrgTx(tx, caller)
  await secrets.forget(org, orgId, secretName)
  await tx.run(sql`delete from sso_identity where org_id = ${orgId}`)
  await tx.run(sql`delete from session where sso_org_id = ${orgId}`)
  await recordEvents(org, [{ type: 'sso.removed', objectId: orgId }])
}

const ofSystem = (tx: Tx, orgId: string) =>
  new OrgTx(tx, { orgId, mode: 'live', apiKeyId: null, memberId: null })
