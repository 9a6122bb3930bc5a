import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { trust } from '../wire/event.ts'
import { eventColumns, makingRows } from './columns.ts'
import { insertFacts } from './identity-facts.ts'
import { countEvents } from './report-deltas.ts'
import { hourOf, type Slice } from './slice.ts'
import { isNotErased } from './tombstones.ts'
import { upsertVisitors } from './visitors.ts'
import { addVisits } from './visits.ts'

/**
 * Stores the new events of slices, and counts all, with one statement. No two slices have the same organization and
 * mode. An event that is stored already is only counted. An event that was erased counts as a duplicate. Counts are
 * stored as differences: updating a row of totals would wait for other transactions.
 * @param rows of `makingRows`
 */
export function appendSlices(slices: readonly Slice[], rows: Sql): Sql {
  const of = <Value>(read: (slice: Slice) => Value) => slices.map(read)
  const dropped = slices.flatMap((slice) => [...slice.dropped].map(([reason, n]) => ({ slice, reason, n })))
  const ofDropped = <Value>(read: (each: (typeof dropped)[number]) => Value) => dropped.map(read)
  const [orgIds, hour] = [of(({ orgId }) => orgId), (slice: Slice) => new Date(hourOf(slice.receivedAt))]
  return sql`
    with slice as (
      select * from unnest(${orgIds}::uuid[], ${of(({ mode }) => mode)}::text[], ${of(hour)}::timestamptz[],
        ${of(({ keyId }) => keyId)}::uuid[], ${of(({ events }) => events.length)}::bigint[])
      as s (org_id, mode, hour, key_id, sent)
    ), stored as (
      insert into web_event (${eventColumns})
      select e.* from (select ${rows}) as e (${eventColumns})
      where ${isNotErased(orgIds)}
      on conflict do nothing
      returning org_id, mode, message_key, day, occurred_at, visitor_id, user_key, session_id, trust, type, name, url_path,
        source, denies_ads, is_bot, email,
        case when type in ('identify', 'group', 'alias') and not (trust = ${rawSql(String(trust.verified))} and context ->> 'verified_by' = 'user_hash')
          then properties end as statement
    ), identified as (
      ${insertFacts(sql`stored`)}
    ), visited as (
      ${upsertVisitors(sql`stored`, cookielessIdsOf(slices))}
    ), visits as (
      ${addVisits(sql`stored`)}
    ), reported as (
      ${countEvents(sql`stored`, 1)}
    ), new as (
      select org_id, mode, count(*) filter (where not is_bot) as accepted, count(*) filter (where is_bot) as bots
      from stored group by org_id, mode
    )
    insert into web_event_delta (org_id, mode, hour, key_id, outcome, n)
    select org_id, mode, hour, key_id, outcome, n
    from slice left join new using (org_id, mode), lateral (
      values ('accepted', accepted), ('bot', bots), ('duplicate', sent - coalesce(accepted + bots, 0))
    ) as c (outcome, n)
    where n > 0
    union all select * from unnest(
      ${ofDropped(({ slice }) => slice.orgId)}::uuid[], ${ofDropped(({ slice }) => slice.mode)}::text[],
      ${ofDropped(({ slice }) => hour(slice))}::timestamptz[], ${ofDropped(({ slice }) => slice.keyId)}::uuid[],
      ${ofDropped(({ reason }) => reason)}::text[], ${ofDropped(({ n }) => n)}::bigint[])`
}

const cookielessIdsOf = (slices: readonly Slice[]) => [
  ...new Set(
    slices.flatMap(({ events }) =>
      events.flatMap((each) => (each.isCookieless ? (each.visitorId ?? []) : [])),
    ),
  ),
]

/** Stores a few events in a transaction that also does other work. */
export async function storeSlice(tx: Tx, slice: Slice): Promise<void> {
  const making = makingRows([slice])
  let step = making.next()
  while (!step.done) step = making.next()
  await tx.run(appendSlices([slice], step.value))
}
