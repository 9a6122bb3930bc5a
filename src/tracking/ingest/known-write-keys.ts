import type { Lookup } from '../../auth/credential-cache.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { joinPayer, payerId } from '../../platform/jobs/payer.ts'

/** The data of a write key that ingest caches. */
export type KnownWriteKey = {
  orgId: string
  /** The organization whose budget of events the key shares: the key's own, or the owner of its sandbox. */
  mainOrgId: string
  /** The organization with which the key shares turns: as `mainOrgId`, or its agency, which may have many clients. */
  payerId: string
  writeKeyId: string
  mode: 'live' | 'test'
  origins: readonly string[]
  purposes: readonly string[]
  eventsPerSecond: number
  eventsPerDay: number
  /** When a rotated key expires, in Unix milliseconds; null: the key is current. */
  expiresAtMs: number | null
  /** Unix milliseconds of the last stored use; 0: none. */
  lastSeenAtMs: number
}

/**
 * The lookup of write keys, for their cache. A write key is public, so the cache finds it by its text and not by a hash.
 */
export const writeKeyLookup = (scope: SystemScope): Lookup<KnownWriteKey> => ({
  async find(keys) {
    const rows = await scope.readRows(sql<KnownWriteKey & { asked: string }>`
      select asked.key as asked, k.org_id as "orgId", coalesce(payer_org.sandbox_of, k.org_id) as "mainOrgId",
        coalesce(${payerId}, k.org_id) as "payerId", write_key_id as "writeKeyId", mode, origins, purposes,
        events_per_second as "eventsPerSecond", events_per_day as "eventsPerDay",
        case when k.key <> asked.key then floor(extract(epoch from old_key_expires_at) * 1000)::bigint end as "expiresAtMs",
        coalesce(floor(extract(epoch from last_seen_at) * 1000)::bigint, 0) as "lastSeenAtMs"
      from unnest(${keys}::text[]) as asked (key) join write_key k on k.key = asked.key or k.old_key = asked.key ${joinPayer(sql`k.org_id`)}`)
    return new Map(rows.map(({ asked, ...known }) => [asked, known]))
  },
  topicsOf: ({ orgId }) => [orgId],
  isCacheable: () => true,
})

/** Stores when write keys were last used. An earlier time never replaces a later one. */
export async function writeLastSeen(
  tx: Tx,
  seen: readonly { orgId: string; writeKeyId: string; atMs: number }[],
): Promise<void> {
  // Update in id order: processes that write the same keys at once would deadlock otherwise.
  const inOrder = seen.toSorted((one, other) => (one.writeKeyId < other.writeKeyId ? -1 : 1))
  const orgIds = inOrder.map(({ orgId }) => orgId)
  const ids = inOrder.map(({ writeKeyId }) => writeKeyId)
  const times = inOrder.map(({ atMs }) => new Date(atMs))
  await tx.run(sql`
    update write_key k set last_seen_at = s.seen_at
    from unnest(${orgIds}::uuid[], ${ids}::uuid[], ${times}::timestamptz[]) as s (org_id, write_key_id, seen_at)
    where k.org_id = s.org_id and k.write_key_id = s.write_key_id
      and (k.last_seen_at is null or k.last_seen_at < s.seen_at)`)
}
