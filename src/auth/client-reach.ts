import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { mapInSlices } from '../platform/slices.ts'
import type { ClientLinks, KnownLink } from './known-links.ts'
import type { AccessibleOrg, Reach } from './known-sessions.ts'

/** What a member may do on a client of the agency. */
const clientOf = (agency: AccessibleOrg, { clientOrgId, clientName }: Omit<KnownLink, 'agencyOrgId'>) =>
  ({ ...agency, orgId: clientOrgId, orgName: clientName, via: 'agency' }) as const

/** What a member may do on an organization, if the caches know that the member reaches it. */
export function peekReach(
  links: ClientLinks,
  { reached, agencies }: Reach,
  orgId: string,
): AccessibleOrg | undefined {
  const own = reached.get(orgId)
  if (own) return own
  for (const agency of agencies) {
    const link = links.peek(agency.orgId, orgId)
    if (link) return clientOf(agency, link)
  }
  return undefined
}

/** What a member may do on an organization; undefined if the member does not reach it. */
export async function findReach(
  links: ClientLinks,
  reach: Reach,
  orgId: string,
): Promise<AccessibleOrg | undefined> {
  const known = peekReach(links, reach, orgId)
  if (known) return known
  for (const agency of reach.agencies) {
    const link = await links.find(agency.orgId, orgId)
    if (link) return clientOf(agency, link)
  }
  return undefined
}

/**
 * All organizations that a member reaches. There may be 10,000, so they are read in slices.
 * @param owner the owner of the slices
 */
export async function listReach(
  scope: Pick<SystemScope, 'readRows'>,
  { reached, agencies }: Reach,
  owner: string,
): Promise<AccessibleOrg[]> {
  const all = new Map(reached)
  if (agencies.length === 0) return [...all.values()]
  const ids = agencies.map(({ orgId }) => orgId)
  const agencyOf = new Map(agencies.map((agency) => [agency.orgId, agency]))
  const links = await scope.readRows(sql<KnownLink>`
    select l.agency_org_id as "agencyOrgId", c.org_id as "clientOrgId", c.name as "clientName"
    from agency_client l join org c on c.org_id = l.client_org_id where l.agency_org_id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], l.agency_org_id)`)
  await mapInSlices(owner, links, (link) => {
    const agency = agencyOf.get(link.agencyOrgId)
    if (agency && !all.has(link.clientOrgId)) all.set(link.clientOrgId, clientOf(agency, link))
  })
  return [...all.values()]
}
