import { validate as isUuid } from 'uuid'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { CredentialCache, Lookup } from './credential-cache.ts'

/** An agency, and an organization that is its client. */
export type KnownLink = { agencyOrgId: string; clientOrgId: string; clientName: string }

/** The lookup of links by the ids of both organizations, for their cache. */
export const linkLookup = (scope: SystemScope): Lookup<KnownLink> => ({
  async find(names) {
    const pairs = names.map((name) => name.split(' '))
    const agencies = pairs.map(([agency]) => agency)
    const clients = pairs.map(([, client]) => client)
    const links = await scope.readRows(sql<KnownLink>`
      select l.agency_org_id as "agencyOrgId", l.client_org_id as "clientOrgId", c.name as "clientName"
      from unnest(${agencies}::uuid[], ${clients}::uuid[]) as asked (agency_org_id, client_org_id)
        join agency_client l using (agency_org_id, client_org_id)
        join org c on c.org_id = l.client_org_id`)
    return new Map(links.map((link) => [nameOf(link.agencyOrgId, link.clientOrgId), link]))
  },
  topicsOf: ({ agencyOrgId, clientOrgId }) => [agencyOrgId, clientOrgId],
  isCacheable: () => true,
})

/**
 * Finds the clients of agencies one at a time: an agency may have 10,000 clients and 10,000 keys, so the caches of keys and
 * sessions would need gigabytes if each entry had the clients of its agency.
 */
export class ClientLinks {
  readonly #cache: CredentialCache<KnownLink>

  constructor(cache: CredentialCache<KnownLink>) {
    this.#cache = cache
  }

  /** The link of an agency to a client, if the cache has it. */
  peek(agencyOrgId: string, orgId: string): KnownLink | undefined {
    return this.#cache.peek(nameOf(agencyOrgId, orgId))
  }

  /**
   * The link of an agency to a client; null if there is none.
   * @param orgId as the request named it, in lower case
   */
  find(agencyOrgId: string, orgId: string): KnownLink | null | Promise<KnownLink | null> {
    if (!isUuid(orgId)) return null
    return this.peek(agencyOrgId, orgId) ?? this.#cache.load(nameOf(agencyOrgId, orgId))
  }
}

const nameOf = (agencyOrgId: string, orgId: string) => `${agencyOrgId} ${orgId}`
