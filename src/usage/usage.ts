import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'
import { pointsOf, type StepRange, stepRangeOf } from '../platform/http/time-steps.ts'
import { type SeriesName, seriesNames, type Usage, type UsageQuery } from './schema.ts'

/**
 * The usage of the organization in the caller's mode, with a number for each step. An agency reads the same numbers of
 * its clients through agencies/usage/usage.ts, which counts by the same rules.
 * @throws ValidationError at from
 */
export async function readUsage(tx: OrgTx, query: UsageQuery): Promise<Usage> {
  const range = stepRangeOf(query)
  const counts = new Map(seriesNames.map((name) => [name, new Map<number, number>()]))
  for (const { series, at, n } of await readCounts(tx, range)) {
    const ofSeries = counts.get(series)
    // A day can have hours that are already counted, and later ones.
    ofSeries?.set(at, (ofSeries.get(at) ?? 0) + n)
  }
  return { series: seriesNames.map((name) => ({ name, points: pointsOf(range, counts.get(name)) })) }
}

type Count = { series: SeriesName; at: number; n: number }

async function readCounts(tx: OrgTx, { first, last, seconds }: StepRange): Promise<Count[]> {
  const { orgId, actor } = tx
  // Read this first, so that events that are rolled up at the same time are counted once.
  const progress = await tx.first(sql<{ until: number }>`
    select floor(extract(epoch from events_until))::bigint as until from app.usage_progress`)
  const until = progress?.until ?? 0
  const counted = tx.rows(sql<Count>`
    select series, floor(extract(epoch from hour) / ${seconds}::int)::bigint * ${seconds}::int as at, sum(n)::bigint as n
    from usage_hour
    where org_id = ${orgId} and mode = ${actor.mode} and hour >= to_timestamp(${first}) and hour < to_timestamp(${last})
      and (series <> 'events' or hour < to_timestamp(${until}))
    group by 1, 2`)
  const events = tx.rows(sql<Count>`
    select 'events' as series, floor(extract(epoch from created_at) / ${seconds}::int)::bigint * ${seconds}::int as at,
      count(*)::bigint as n
    from event
    where org_id = ${orgId} and mode = ${actor.mode} and event_id >= ${firstIdAt(Math.max(first, until))}::uuid
      and event_id < ${firstIdAt(Math.max(last, until))}::uuid
    group by 1, 2`)
  // A call's id is made a moment before its row, so read one more hour of ids.
  const calls = tx.rows(sql<{ at: number; calls: number; minutes: number }>`
    select floor(extract(epoch from created_at) / ${seconds}::int)::bigint * ${seconds}::int as at,
      count(*)::bigint as calls, coalesce(sum(ceil(duration_seconds / 60.0)), 0)::bigint as minutes
    from call
    where org_id = ${orgId} and mode = ${actor.mode}
      and call_id >= ${firstIdAt(Math.max(0, first - 3_600))}::uuid and call_id < ${firstIdAt(last + 3_600)}::uuid
      and created_at >= to_timestamp(${first}) and created_at < to_timestamp(${last})
    group by 1`)
  const webhooks = tx.rows(sql<{ at: number; delivered: number; failed: number }>`
    select floor(extract(epoch from h.hour) / ${seconds}::int)::bigint * ${seconds}::int as at,
      sum(h.delivered)::bigint as delivered, sum(h.failed)::bigint as failed
    from webhook_hour h join webhook_endpoint e on e.org_id = h.org_id and e.endpoint_id = h.endpoint_id
    where h.org_id = ${orgId} and e.mode = ${actor.mode}
      and h.hour >= to_timestamp(${first}) and h.hour < to_timestamp(${last})
    group by 1`)
  return [
    ...(await counted),
    ...(await events),
    ...(await calls).flatMap(({ at, calls: n, minutes }): Count[] => [
      { series: 'calls', at, n },
      { series: 'call_minutes', at, n: minutes },
    ]),
    ...(await webhooks).flatMap(({ at, delivered, failed }): Count[] => [
      { series: 'webhooks_delivered', at, n: delivered },
      { series: 'webhooks_failed', at, n: failed },
    ]),
  ]
}
