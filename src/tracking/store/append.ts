import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { DropReason, WebEvent } from '../wire/event.ts'
import { eventColumns, makingRows } from './columns.ts'
import { isNotErased } from './tombstones.ts'
import { upsertVisitors } from './visitors.ts'

const hourMs = 3_600_000

/** The Unix milliseconds at which the UTC hour of a time began. */
export const hourOf = (ms: number): number => Math.floor(ms / hourMs) * hourMs

/** The events of one key in one hour in a transaction, and how many others were dropped. */
export type Slice = {
  orgId: string
  mode: 'live' | 'test'
  /** The write key, or `noWriteKey`. */
  keyId: string
  /** Unix milliseconds of the receipt of one of its events. All are of the same UTC hour. */
  receivedAt: number
  events: readonly WebEvent[]
  dropped: ReadonlyMap<DropReason, number>
}

/**
 * Stores the new events, and counts all, with one statement for a slice. An event that is stored already is only counted.
 * An event that was erased counts as a duplicate. Counts are stored as differences, because a row of totals would wait for
 * other transactions.
 * @param rows of `makingRows`
 */
export function appendSlice({ orgId, mode, keyId, receivedAt, events, dropped }: Slice, rows: Sql): Sql {
  const cookielessIds = new Set(events.flatMap((each) => (each.isCookieless ? (each.visitorId ?? []) : [])))
  return sql`
    with stored as (
      insert into web_event (org_id, mode, ${eventColumns})
      select ${orgId}::uuid, ${mode}, e.* from (select ${rows}) as e (${eventColumns})
      where ${isNotErased(orgId)}
      on conflict do nothing
      returning message_key, day, occurred_at, visitor_id, user_key, trust, type, source, denies_ads, is_bot
    ), visited as (
      ${upsertVisitors({ orgId, mode, stored: sql`stored`, cookielessIds: [...cookielessIds] })}
    ), new as (select count(*) filter (where not is_bot) as accepted, count(*) filter (where is_bot) as bots from stored)
    insert into web_event_delta (org_id, mode, hour, key_id, outcome, n)
    select ${orgId}::uuid, ${mode}, ${new Date(hourOf(receivedAt))}::timestamptz, ${keyId}::uuid, c.outcome, c.n
    from (
      select 'accepted' as outcome, accepted as n from new
      union all select 'bot', bots from new
      union all select 'duplicate', ${events.length}::bigint - accepted - bots from new
      union all select * from unnest(${[...dropped.keys()]}::text[], ${[...dropped.values()]}::bigint[])
    ) as c (outcome, n)
    where c.n > 0`
}

/** Stores a few events in a transaction that does more. */
export async function storeSlice(tx: Tx, slice: Slice): Promise<void> {
  const making = makingRows(slice.events)
  let step = making.next()
  while (!step.done) step = making.next()
  await tx.run(appendSlice(slice, step.value))
}
