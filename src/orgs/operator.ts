import { type Change, recordEvents } from '../events/record.ts'
import { operatorOf } from '../platform/actor.ts'
import { newId } from '../platform/db/new-id.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { joinSql, rawSql, sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'
import type { Tx } from '../platform/db/tx.ts'
import { highestCeiling } from '../platform/rate-limit/rate-limit.ts'
import { refuseInSandbox } from './orgs.ts'

// Operator commands use a transaction of the system role, which sees every org.

export type OrgRow = {
  org_id: string
  name: string
  is_agency: boolean
  default_country: string | null
  requests_per_second: number | null
  requests_per_minute: number | null
  contacts: number
  companies: number
  created_at: number
}

/** Creates an org, and returns its id. */
export async function createOrg(
  tx: Tx,
  input: { name: string; isAgency: boolean; country: string | null },
): Promise<string> {
  const orgId = newId()
  await tx.run(sql`
    insert into org (org_id, name, is_agency, default_country)
    values (${orgId}, ${input.name}, ${input.isAgency}, ${input.country})`)
  await recordEvents(new OrgTx(tx, operatorOf(orgId)), [{ type: 'org.created', objectId: orgId }])
  return orgId
}

/** Every org, oldest first, with the numbers of its records. */
export function listOrgs(tx: Tx): Promise<OrgRow[]> {
  const count = (entity: string) => sql`
    ((select coalesce(sum(total), 0) from record_total t where t.org_id = o.org_id and t.entity = ${entity})
    + (select coalesce(sum(delta), 0) from record_delta d where d.org_id = o.org_id and d.entity = ${entity}))::bigint`
  return tx.rows(sql<OrgRow>`
    select o.org_id, o.name, o.is_agency, o.default_country, o.requests_per_second, o.requests_per_minute,
      ${count('contact')} as contacts, ${count('company')} as companies,
      floor(extract(epoch from o.created_at))::bigint as created_at
    from org o order by o.created_at, o.org_id`)
}

/** The rate limits of an organization that exists; null: no limit. */
export async function ceilingsOf(
  tx: Tx,
  orgId: string,
): Promise<{ perSecond: number | null; perMinute: number | null }> {
  const row = await tx.first(sql<{ perSecond: number | null; perMinute: number | null }>`
    select requests_per_second as "perSecond", requests_per_minute as "perMinute" from org where org_id = ${orgId}`)
  return row ?? { perSecond: null, perMinute: null }
}

/** Returns whether there is any org. If not, no org can be created until this transaction ends. */
export async function hasOrgs(tx: Tx): Promise<boolean> {
  const isThere = async () => (await tx.first(sql`select from org limit 1`)) !== undefined
  if (await isThere()) return true
  await tx.run(sql`lock table org in share row exclusive mode`)
  return isThere()
}

/** Returns whether there is an organization with this id. */
export async function orgExists(tx: Tx, orgId: string): Promise<boolean> {
  return (await nameOf(tx, orgId)) !== undefined
}

/** The name of an organization; undefined: none has this id. */
export async function nameOf(tx: Tx, orgId: string): Promise<string | undefined> {
  return (await tx.first(sql<{ name: string }>`select name from org where org_id = ${orgId}`))?.name
}

/**
 * Links a client org to an agency. Returns false if they were already linked.
 * @throws DomainError forbidden if one of them is a sandbox
 */
export async function linkOrgs(tx: Tx, agencyOrgId: string, clientOrgId: string): Promise<boolean> {
  for (const orgId of [agencyOrgId, clientOrgId]) {
    await refuseInSandbox(
      new OrgTx(tx, operatorOf(orgId)),
      'A sandbox cannot be an agency or a client. Link the organization that made the sandbox',
    )
  }
  const linked = await tx.run(sql`
    insert into agency_client (agency_org_id, client_org_id) values (${agencyOrgId}, ${clientOrgId})
    on conflict do nothing`)
  if (linked > 0) await recordOnBoth(tx, agencyOrgId, clientOrgId, 'linked')
  return linked > 0
}

/**
 * Removes the link between an agency and a client, and revokes the open links of the agency's members. `unlinked` is
 * false if they were not linked. Returns the API keys that the agency created in the client or in its sandboxes, and the
 * members that its members invited. Both remain.
 */
export async function unlinkOrgs(
  tx: Tx,
  agencyOrgId: string,
  clientOrgId: string,
): Promise<{
  unlinked: boolean
  keys: { org_id: string; api_key_id: string; name: string }[]
  members: { member_id: string; name: string; role: string }[]
}> {
  const removed = await tx.run(sql`
    delete from agency_client where agency_org_id = ${agencyOrgId} and client_org_id = ${clientOrgId}`)
  if (removed > 0) await recordOnBoth(tx, agencyOrgId, clientOrgId, 'unlinked')
  const keys = await tx.rows(sql<Columns<'api_key', 'org_id' | 'api_key_id' | 'name'>>`
    select org_id, api_key_id, name from api_key
    where created_by_org_id = ${agencyOrgId} and org_id in (
      select ${clientOrgId}::uuid union all
      select sandbox_org_id from sandbox where org_id = ${clientOrgId} and status <> 'deleted')
    order by api_key_id`)
  await tx.run(sql`delete from link where org_id = ${clientOrgId} and invited_by_org_id = ${agencyOrgId}`)
  const members = await tx.rows(sql<{ member_id: string; name: string; role: string }>`
    select m.member_id, m.name, h.role from membership h join member m on m.member_id = h.member_id
    where h.org_id = ${clientOrgId} and h.invited_by_org_id = ${agencyOrgId} order by m.name, m.member_id`)
  return { unlinked: removed > 0, keys, members }
}

async function recordOnBoth(
  tx: Tx,
  agencyOrgId: string,
  clientOrgId: string,
  change: 'linked' | 'unlinked',
): Promise<void> {
  await recordEvents(new OrgTx(tx, operatorOf(agencyOrgId)), [
    { type: `agency.client_${change}`, objectId: clientOrgId, data: { name: await nameOf(tx, clientOrgId) } },
  ])
  await recordEvents(new OrgTx(tx, operatorOf(clientOrgId)), [
    { type: `org.agency_${change}`, objectId: agencyOrgId, data: { name: await nameOf(tx, agencyOrgId) } },
  ])
}

/**
 * Sets ceilings: null removes one, and undefined leaves it unchanged. Returns false if no org has this id.
 * @throws RangeError for a number that the rate limit cannot count exactly
 */
export async function setCeilings(
  tx: Tx,
  orgId: string,
  ceilings: { perSecond?: number | null; perMinute?: number | null },
): Promise<boolean> {
  for (const ceiling of [ceilings.perSecond, ceilings.perMinute]) {
    if (ceiling == null || (Number.isInteger(ceiling) && ceiling >= 1 && ceiling <= highestCeiling)) continue
    throw new RangeError(
      `A rate ceiling must be a whole number from 1 to ${highestCeiling}, or null for none`,
    )
  }
  const changed = {
    ...(ceilings.perSecond === undefined ? {} : { requests_per_second: ceilings.perSecond }),
    ...(ceilings.perMinute === undefined ? {} : { requests_per_minute: ceilings.perMinute }),
  }
  if (Object.keys(changed).length === 0) return orgExists(tx, orgId)
  const assignments = Object.entries(changed).map(([column, value]) => sql`${rawSql(column)} = ${value}`)
  if ((await tx.run(sql`update org set ${joinSql(assignments)} where org_id = ${orgId}`)) === 0) return false
  const event: Change = { type: 'org.updated', objectId: orgId, changed: Object.keys(changed) }
  await recordEvents(new OrgTx(tx, operatorOf(orgId)), [event])
  return true
}
