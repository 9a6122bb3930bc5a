import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Ceilings } from '../platform/rate-limit/rate-limit.ts'
import { bytesOf, type Lookup } from './credential-cache.ts'

/** The data about a key and its org that authentication caches. An organization may have 10,000 keys. */
export type KnownKey = {
  orgId: string
  apiKeyId: string
  name: string
  mode: 'live' | 'test'
  isAgency: boolean
  permissions: readonly string[] | null
  /** When the key expires, in Unix milliseconds; null: never. */
  expiresAtMs: number | null
  /** Unix milliseconds of the last stored use; 0: none. */
  lastUsedAtMs: number
  /** False if the org is deleted. */
  hasOrg: boolean
  /**
   * The owner of the limits that the key uses: its own org, its sandbox's owner, or the agency that created it. Keys
   * that an agency created in former clients share separate limits, as high as those of the agency.
   */
  payer: { id: string; ceilings: Ceilings; ceilingsOrgId: string }
}

type Row = {
  token_hash: Buffer
  org_id: string
  api_key_id: string
  name: string
  mode: 'live' | 'test'
  is_agency: boolean
  permissions: string[] | null
  expires_at: Date | null
  last_used_at: Date | null
  org_exists: boolean
  payer_org_id: string | null
  left_agency: boolean
  requests_per_second: number | null
  requests_per_minute: number | null
}

// An agency's limits cover the keys that it created, and an organization's limits cover its sandboxes. Each new client
// or sandbox would have a separate rate limit otherwise. The limits stay shared after the link is cut: an agency could
// otherwise get one more limit with each client that it creates and cuts off. But former clients cannot use up the
// agency's own limit.
const byHash = (tokenHashes: readonly Buffer[]) => sql<Row>`
  select k.token_hash, k.org_id, k.api_key_id, k.name, k.mode, k.is_agency, k.permissions, k.expires_at, k.last_used_at,
    o.org_id is not null as org_exists, p.org_id as payer_org_id,
    made.agency_org_id is null and agency.id is not null as left_agency,
    p.requests_per_second, p.requests_per_minute
  from api_key k left join org o on o.org_id = k.org_id
    cross join lateral (select coalesce(o.sandbox_of, k.org_id) as id) main
    cross join lateral (select case when k.created_by_org_id not in (k.org_id, main.id) then k.created_by_org_id end as id) agency
    left join agency_client made on made.agency_org_id = agency.id and made.client_org_id = main.id
    left join org p on p.org_id = coalesce(agency.id, main.id)
  where k.token_hash = any(${tokenHashes}::bytea[])`

/** A key, with the rate limits of its org. */
function keyOf(row: Row): KnownKey {
  const ceilingsOrgId = row.payer_org_id ?? row.org_id
  const ceilings = { perSecond: row.requests_per_second, perMinute: row.requests_per_minute }
  return {
    orgId: row.org_id,
    apiKeyId: row.api_key_id,
    name: row.name,
    mode: row.mode,
    isAgency: row.is_agency,
    permissions: row.permissions,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? 0,
    hasOrg: row.org_exists,
    payer: { id: row.left_agency ? `${ceilingsOrgId}:former` : ceilingsOrgId, ceilings, ceilingsOrgId },
  }
}

/** How the cache looks up API keys. */
export const keyLookup = (scope: SystemScope): Lookup<KnownKey> => ({
  async find(tokenHashes) {
    const rows = await scope.readRows(byHash(bytesOf(tokenHashes)))
    return new Map(rows.map((row) => [row.token_hash.toString('latin1'), keyOf(row)]))
  },
  // The org of the key, and the org whose rate ceilings it uses.
  topicsOf: ({ orgId, payer: { ceilingsOrgId } }) =>
    ceilingsOrgId === orgId ? [orgId] : [orgId, ceilingsOrgId],
  // Restoring an org is not announced.
  isCacheable: (key) => key.hasOrg,
})
