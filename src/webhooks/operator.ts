import { unreadIds } from '../events/unread-ids.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'

/** An endpoint as operators see it. */
export type ListedEndpoint = {
  org_id: string
  endpoint_id: string
  url: string
  mode: string
  status: string
  /** null if the endpoint is not disabled. */
  disabled_reason: string | null
  failures: number
  /** Unix seconds. */
  last_success_at: number | null
  next_probe_at: number | null
  waiting_retries: number
  /** The age of the oldest event that the endpoint has not read, in seconds; null: it has read all events. */
  lag_seconds: number | null
}

/** SQL of the age of the oldest event after an endpoint's position. Reads old months only for positions that are old. */
function lag(): Sql {
  const { oldest, after, before } = unreadIds(Math.floor(Date.now() / 1000))
  return sql`
  select max(extract(epoch from now() - v.created_at))::int from webhook_position p
  cross join lateral (
    select created_at from event v
    where v.org_id = p.source_org_id and v.xact >= pg_snapshot_xmax((p.position ->> 'after')::pg_snapshot)
      and v.event_id > case when (p.position ->> 'last')::uuid between ${oldest}::uuid and ${before}::uuid
        then ${after}::uuid else ${firstIdAt(0)}::uuid end
    order by v.xact, v.event_id limit 1
  ) as v
  where p.org_id = e.org_id and p.endpoint_id = e.endpoint_id`
}

/**
 * The endpoints of all organizations, newest first.
 * @param filter only endpoints of an organization, or with a status
 */
export function listAllEndpoints(
  tx: Tx,
  { orgId, status }: { orgId?: string | undefined; status?: string | undefined },
  limit: number,
): Promise<ListedEndpoint[]> {
  const ofOrg = orgId === undefined ? sql`` : sql`and e.org_id = ${orgId}`
  const withStatus = status === undefined ? sql`` : sql`and e.status = ${status}`
  return tx.rows(sql<ListedEndpoint>`
    select e.org_id, e.endpoint_id, e.url, e.mode, e.status, e.disabled_reason, e.failures,
      floor(extract(epoch from e.last_success_at))::bigint as last_success_at,
      floor(extract(epoch from e.next_probe_at))::bigint as next_probe_at,
      (select count(*)::int from webhook_retry r where r.org_id = e.org_id and r.endpoint_id = e.endpoint_id)
        as waiting_retries,
      (${lag()}) as lag_seconds
    from webhook_endpoint e where true ${ofOrg} ${withStatus}
    order by e.endpoint_id desc limit ${limit}`)
}

/** Returns the organization and mode of an endpoint; undefined if it does not exist. */
export function ownerOfEndpoint(
  tx: Tx,
  endpointId: string,
): Promise<{ orgId: string; mode: 'live' | 'test' } | undefined> {
  return tx.first(sql<{ orgId: string; mode: 'live' | 'test' }>`
    select org_id as "orgId", mode from webhook_endpoint where endpoint_id = ${endpointId}`)
}

/** Returns the number of endpoints by status. */
export async function countEndpoints(scope: SystemScope): Promise<Record<string, number>> {
  const rows = await scope.readRows(sql<{ status: string; count: number }>`
    select status, count(*)::int as count from webhook_endpoint group by status`)
  return {
    enabled: 0,
    failing: 0,
    disabled: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  }
}

/** Returns the longest lag of an enabled endpoint in seconds; 0: all have read everything. */
export async function readLag(scope: SystemScope): Promise<number> {
  const [row] = await scope.readRows(sql<{ lag: number | null }>`
    select max((${lag()})) as lag from webhook_endpoint e where e.status = 'enabled'`)
  return row?.lag ?? 0
}
