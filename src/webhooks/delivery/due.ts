import { unreadIds } from '../../events/unread-ids.ts'
import type { NextDue } from '../../platform/db/repeat-after-commits.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Delivery, Replay } from '../job-identities.ts'

/** An endpoint with events to send. */
export type DueEndpoint = Delivery & {
  /** Whether the endpoint is in trouble, and a probe tries it. */
  probes: boolean
}

/** A turn reads the logs of this many organizations at most. */
const sourcesMax = 50
/** If the probe of an endpoint is late by this time, there is no event to try it with. */
const lateProbe = '10 seconds'

/**
 * The logs that are searched for new events: those of the endpoints' own organizations; those of the clients of one
 * agency; or all logs of the organizations in `committed`.
 */
export type Logs = 'own' | { readonly clientsOf: string } | { readonly committed: readonly string[] }

/**
 * The endpoints with events to send now, and the organizations of these events. An endpoint in trouble is due when
 * its next probe is. With `own`, also the endpoints with retries that are due, and those in trouble that have no event
 * left for a probe: their replays would wait otherwise. A position that did not move for days counts as one with events:
 * reading its log moves it.
 * @param tx a transaction of the system role
 */
export function readDueEndpoints(tx: Tx, logs: Logs): Promise<DueEndpoint[]> {
  const hasRetries = sql`exists (select from webhook_retry r
    where r.org_id = e.org_id and r.endpoint_id = e.endpoint_id and r.next_at <= now())`
  const { oldest, after, before } = unreadIds(Math.floor(Date.now() / 1000))
  const inRecentMonths = sql`v.event_id > ${after}::uuid and v.event_id < ${before}::uuid`
  return tx.rows(sql<DueEndpoint>`
    select e.org_id, e.endpoint_id, e.next_probe_at is not null as probes,
      coalesce(news.source_org_ids, '{}') as source_org_ids
    from webhook_endpoint e
    left join lateral (
      select array_agg(source_org_id) as source_org_ids from (
        select p.source_org_id from webhook_position p
        cross join lateral (select (p.position ->> 'after')::pg_snapshot as seen offset 0) as s
        where p.org_id = e.org_id and p.endpoint_id = e.endpoint_id and ${isSearched(logs)}
          and (p.position ->> 'within' is not null
            or (p.position ->> 'last')::uuid not between ${oldest}::uuid and ${before}::uuid
            -- Not exists: PostgreSQL would then read all events of an organization that has most of them.
            or (select v.xact from event v
              where v.org_id = p.source_org_id and v.xact >= pg_snapshot_xmax(s.seen) and ${inRecentMonths}
              order by v.xact limit 1) is not null
            or (select v.xact from event v
              where v.org_id = p.source_org_id and v.xact = any (array(select pg_snapshot_xip(s.seen))) and ${inRecentMonths}
              order by v.xact limit 1) is not null)
        limit ${sourcesMax}) as unread
    ) as news on true
    where e.status <> 'disabled' and (e.next_probe_at is null or e.next_probe_at <= now())
      and (news.source_org_ids is not null
        ${logs === 'own' ? sql`or ${hasRetries} or e.next_probe_at <= now() - ${lateProbe}::interval` : sql``})`)
}

/** Whether there is any endpoint that gets events. This question costs little, and most installations have no endpoint. */
export async function hasEndpoints(scope: SystemScope): Promise<boolean> {
  const rows = await scope.readRows(sql`select from webhook_endpoint where status <> 'disabled' limit 1`)
  return rows.length > 0
}

/** When the next probe of an endpoint in trouble, or the next retry of another endpoint, is due. */
export const nextDueEndpoint: NextDue = () => sql`
  select extract(epoch from min(coalesce(e.next_probe_at, (
    select min(r.next_at) from webhook_retry r where r.org_id = e.org_id and r.endpoint_id = e.endpoint_id
  ))) - now())::float as seconds
  from webhook_endpoint e where e.status <> 'disabled'`

/** SQL of the condition that the log of position `p` is one of `logs`. */
function isSearched(logs: Logs): Sql {
  if (logs === 'own') return sql`p.source_org_id = e.org_id`
  if ('committed' in logs) return sql`p.source_org_id = any (${logs.committed}::uuid[])`
  return sql`e.org_id = ${logs.clientsOf} and p.source_org_id <> e.org_id`
}

/** Returns the agencies with endpoints that also get the events of clients. */
export async function readAgencies(tx: Tx): Promise<string[]> {
  const rows = await tx.rows(sql<Columns<'webhook_endpoint', 'org_id'>>`
    select distinct org_id from webhook_endpoint where include_clients and status <> 'disabled' order by org_id`)
  return rows.map((row) => row.org_id)
}

/** Returns the running replays of endpoints that are neither disabled nor in trouble. */
export function readDueReplays(tx: Tx): Promise<Replay[]> {
  return tx.rows(sql<Replay>`
    select r.org_id, r.endpoint_id, r.replay_id from webhook_replay r
    join webhook_endpoint e on e.org_id = r.org_id and e.endpoint_id = r.endpoint_id
    where r.status = 'running' and e.status <> 'disabled' and e.next_probe_at is null`)
}

/**
 * Deletes old attempts in slices, old replays, and the sums of old hours.
 * @returns whether there may be more to delete
 */
export async function deleteOld(tx: Tx): Promise<boolean> {
  const slice = 5_000
  const [attempts] = await Promise.all([
    tx.run(sql`
      delete from webhook_attempt where (org_id, attempt_id) in (
        select org_id, attempt_id from webhook_attempt where created_at < now() - interval '7 days' limit ${slice})`),
    tx.run(sql`delete from webhook_hour where hour < now() - interval '90 days'`),
    tx.run(sql`delete from webhook_replay where finished_at < now() - interval '7 days'`),
  ])
  return attempts === slice
}
