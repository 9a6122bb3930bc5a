import { validate as isUuid } from 'uuid'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { CredentialCache, Lookup } from './credential-cache.ts'

/** An agency, and an organization that is its client. */
export type KnownLink = { agencyOrgId: string; clientOrgId: string }

/** The lookup of links by the ids of both organizations, for their cache. */
export const linkLookup = (scope: SystemScope): Lookup<KnownLink> => ({
  async find(name) {
    const [agencyOrgId, clientOrgId] = name.toString('latin1').split(' ')
    const [row] = await scope.readRows(sql<KnownLink>`
      select agency_org_id as "agencyOrgId", client_org_id as "clientOrgId" from agency_client
      where agency_org_id = ${agencyOrgId} and client_org_id = ${clientOrgId}`)
    return row ?? null
  },
  // The rate limit of a key counts each request that asks for a link.
  findExisting: async (names) => names,
  topicsOf: ({ agencyOrgId, clientOrgId }) => [agencyOrgId, clientOrgId],
  isCacheable: () => true,
})

/**
 * Finds the clients of agencies one at a time: an agency may have 10,000 clients and 10,000 keys, so the cache of keys would
 * need gigabytes if each key had the clients of its agency.
 */
export class ClientLinks {
  readonly #cache: CredentialCache<KnownLink>

  constructor(cache: CredentialCache<KnownLink>) {
    this.#cache = cache
  }

  /** @param orgId as the request named it, in lower case */
  isClient(agencyOrgId: string, orgId: string): boolean | Promise<boolean> {
    if (!isUuid(orgId)) return false
    const name = `${agencyOrgId} ${orgId}`
    return this.#cache.peek(name) !== undefined || this.#cache.load(name).then((link) => link !== null)
  }
}
