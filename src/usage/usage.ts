import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { firstIdAt } from '../platform/db/uuid-time.ts'
import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { type SeriesName, seriesNames, type Usage, type UsageQuery } from './schema.ts'

const daySeconds = 86_400
const steps = {
  hour: { seconds: 3_600, daysMax: 31, daysByDefault: 1 },
  day: { seconds: daySeconds, daysMax: 400, daysByDefault: 30 },
} as const

/** In Unix seconds. `last` is the end of the last step. Both are at the border of a step. */
type Range = { first: number; last: number; seconds: number }

/**
 * The usage of the organization in the caller's mode, with a number for each step.
 * @throws ValidationError at from
 */
export async function readUsage(tx: OrgTx, query: UsageQuery): Promise<Usage> {
  const range = rangeOf(query)
  const counts = new Map(seriesNames.map((name) => [name, new Map<number, number>()]))
  for (const { series, at, n } of await readCounts(tx, range)) {
    const ofSeries = counts.get(series)
    // A day can have hours that are already counted, and later ones.
    ofSeries?.set(at, (ofSeries.get(at) ?? 0) + n)
  }
  const series = seriesNames.map((name) => {
    const points: number[][] = []
    for (let at = range.first; at < range.last; at += range.seconds)
      points.push([at, counts.get(name)?.get(at) ?? 0])
    return { name, points }
  })
  return { series }
}

function rangeOf({ from, to, step }: UsageQuery): Range {
  const { seconds, daysMax, daysByDefault } = steps[step]
  // Include the current step.
  const end = to ?? Math.floor(Date.now() / 1000) + 1
  const start = from ?? Math.max(0, end - daysByDefault * daySeconds)
  if (start >= end) throw refusal('`from` must be before `to`')
  if (end - start > daysMax * daySeconds + 1)
    throw refusal(
      step === 'hour'
        ? `at most ${daysMax} days by hour: move \`from\` and \`to\` closer, or send step=day`
        : `at most ${daysMax} days by day: move \`from\` and \`to\` closer`,
    )
  return { first: start - (start % seconds), last: Math.ceil(end / seconds) * seconds, seconds }
}

const refusal = (text: string) => new ValidationError([detailAt(['query', 'from'], refuse(text))])

type Count = { series: SeriesName; at: number; n: number }

async function readCounts(tx: OrgTx, { first, last, seconds }: Range): Promise<Count[]> {
  const { orgId, actor } = tx
  // Read first: events that are rolled up meanwhile are then counted once.
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
  return [
    ...(await counted),
    ...(await events),
    ...(await calls).flatMap(({ at, calls: n, minutes }): Count[] => [
      { series: 'calls', at, n },
      { series: 'call_minutes', at, n: minutes },
    ]),
  ]
}
