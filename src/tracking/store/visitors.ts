import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { trust } from '../wire/event.ts'
import type { Source } from '../wire/source.ts'

const rowsPerDelete = 5_000

/** A visitor as it is stored. Times are Unix milliseconds. */
export type StoredVisitor = {
  visitor_id: string
  mode: 'live' | 'test'
  first_seen_at: number
  last_seen_at: number
  /** The order of the list. */
  last_seen_minute: number
  /** The UTC days under which events are stored, newest first. Some may be deleted already. */
  days: string[]
  events: number
  views: number
  user_key: string | null
  user_trust: number | null
  first_source: Source | null
  last_source: Source | null
  ads_denied_at: number | null
}

const ms = (time: Sql) => sql`floor(extract(epoch from ${time}) * 1000)::bigint`

export const visitorColumns = sql`
  visitor_id, mode, ${ms(sql`first_seen_at`)} as first_seen_at, ${ms(sql`last_seen_at`)} as last_seen_at,
  ${ms(sql`last_seen_minute`)} as last_seen_minute, events, views, user_key, user_trust, first_source, last_source,
  ${ms(sql`ads_denied_at`)} as ads_denied_at, array(select day::text from unnest(days) as day order by 1 desc) as days`

/**
 * The statement that updates visitors from new events. Its result is the same for any order of events and transactions.
 * @param stored the new events, as an item of FROM
 * @param cookielessIds the ids that are valid for one day: people who refused analytics get no profile
 */
export function upsertVisitors(stored: Sql, cookielessIds: readonly string[]): Sql {
  // Use the same order in all aggregates, so that PostgreSQL sorts once instead of for each aggregate and visitor.
  const inOrder = (value: Sql, condition: Sql) =>
    sql`array_agg(${value} order by occurred_at, message_key) filter (where ${condition})`
  const lastOf = (value: Sql, condition: Sql) => {
    const values = inOrder(value, condition)
    return sql`(${values})[array_length(${values}, 1)]`
  }
  const [hasUser, hasSource] = [sql`user_key is not null`, sql`source is not null`]
  const ofTrust = (given: number) => sql`${hasUser} and trust = ${rawSql(String(given))}`
  const ofBestUser = (value: Sql) => sql`
    coalesce(${lastOf(value, ofTrust(trust.apiKey))}, ${lastOf(value, ofTrust(trust.verified))}, ${lastOf(value, hasUser)})`
  const isMoreTrusted = sql`excluded.user_key is not null and (v.user_key is null
    or (excluded.user_trust, excluded.user_at) >= (v.user_trust, v.user_at))`
  const isLater = sql`excluded.last_source is not null and (v.last_source is null or excluded.last_source_at >= v.last_source_at)`
  const set = (column: Sql, condition: Sql) =>
    sql`${column} = case when ${condition} then excluded.${column} else v.${column} end`
  return sql`
    insert into visitor as v (org_id, visitor_id, mode, first_seen_at, last_seen_at, days, last_day, events, views,
      user_key, user_trust, user_at, first_source, last_source, last_source_at, ads_denied_at)
    select org_id, visitor_id, mode, min(occurred_at), max(occurred_at),
      case when min(day) = max(day) then array[min(day)]
        else array(select distinct day from unnest(${inOrder(sql`day`, sql`true`)}) as day order by 1) end,
      max(day), count(*), count(*) filter (where type in ('page', 'screen')),
      ${ofBestUser(sql`user_key`)}, max(trust) filter (where ${hasUser}), ${ofBestUser(sql`occurred_at`)},
      (${inOrder(sql`source`, sql`true`)})[1], ${lastOf(sql`source`, hasSource)},
      max(occurred_at) filter (where ${hasSource}), max(occurred_at) filter (where denies_ads)
    from ${stored} where visitor_id is not null and visitor_id <> all(${cookielessIds}::uuid[])
    group by org_id, mode, visitor_id
    -- In one order: two transactions that lock the rows in different orders would block each other.
    order by org_id, mode, visitor_id
    on conflict (org_id, visitor_id, mode) do update set
      ${set(sql`first_source`, sql`excluded.first_seen_at < v.first_seen_at`)},
      first_seen_at = least(v.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(v.last_seen_at, excluded.last_seen_at),
      days = case when v.days @> excluded.days then v.days
        else array(select distinct day from unnest(v.days || excluded.days) as day order by 1) end,
      last_day = greatest(v.last_day, excluded.last_day),
      ads_denied_at = greatest(v.ads_denied_at, excluded.ads_denied_at),
      events = v.events + excluded.events, views = v.views + excluded.views,
      ${set(sql`user_key`, isMoreTrusted)}, ${set(sql`user_trust`, isMoreTrusted)}, ${set(sql`user_at`, isMoreTrusted)},
      ${set(sql`last_source`, isLater)}, ${set(sql`last_source_at`, isLater)}`
}

/** A place in the list. `minute` is in Unix milliseconds. */
export type VisitorPlace = { minute: number; visitorId: string }

export type VisitorFilter = {
  mode: 'live' | 'test'
  userKey: string | undefined
  /** Only visitors with one of these user keys or ids. */
  contact: { userKeys: readonly string[]; visitorIds: readonly string[] } | undefined
  /** Unix milliseconds: only visitors who were seen at or after this time. */
  since: number | undefined
}

/** At most `limit` visitors after a place, by the minute in which they were last seen, the latest first. */
export function listVisitors(
  tx: OrgTx,
  { mode, userKey, contact, since }: VisitorFilter,
  { limit, after }: { limit: number; after: VisitorPlace | null },
): Promise<StoredVisitor[]> {
  return tx.rows(sql<StoredVisitor>`
    select ${visitorColumns} from visitor
    where org_id = ${tx.orgId} and mode = ${mode}
      ${userKey === undefined ? sql`` : sql`and user_key = ${userKey}`}
      ${
        contact === undefined
          ? sql``
          : sql`and (user_key = any(${contact.userKeys}::text[]) or visitor_id = any(${contact.visitorIds}::uuid[]))`
      }
      ${
        since === undefined
          ? sql``
          : sql`and last_seen_minute >= date_bin('1 minute', ${new Date(since)}, timestamptz '2000-01-01Z')
        and last_seen_at >= ${new Date(since)}`
      }
      ${
        after === null
          ? sql``
          : sql`and (last_seen_minute, visitor_id) < (${new Date(after.minute)}::timestamptz, ${after.visitorId}::uuid)`
      }
    order by visitor.last_seen_minute desc, visitor_id desc limit ${limit}`)
}

/** A visitor of one mode; undefined: there is none. */
export function findVisitor(
  tx: OrgTx,
  visitorId: string,
  mode: 'live' | 'test',
): Promise<StoredVisitor | undefined> {
  return tx.first(sql<StoredVisitor>`
    select ${visitorColumns} from visitor where org_id = ${tx.orgId} and visitor_id = ${visitorId} and mode = ${mode}`)
}

/** Returns how many events a visitor has, in both modes, and their days. */
export function findDays(
  tx: OrgTx,
  visitorId: string,
): Promise<{ events: number; days: string[] } | undefined> {
  return tx.first(sql<{ events: number; days: string[] }>`
    select sum(events)::bigint as events, array(
      select distinct day::text from visitor v, unnest(v.days) as day
      where v.org_id = ${tx.orgId} and v.visitor_id = ${visitorId}) as days
    from visitor where org_id = ${tx.orgId} and visitor_id = ${visitorId} having count(*) > 0`)
}

/** Computes visitors again from their remaining events. A visitor without events is deleted. */
export async function rebuildVisitors(tx: OrgTx, visitorIds: readonly string[]): Promise<void> {
  if (visitorIds.length === 0) return
  // Deleting the visitors locks them, so a request that stores one of their events waits until this transaction ends.
  // The next statement therefore sees all of their events.
  const known = await tx.rows(sql<{ visitor_id: string; mode: string }>`
    delete from visitor where org_id = ${tx.orgId} and visitor_id = any(${visitorIds}::uuid[]) returning visitor_id, mode`)
  for (const [mode, ofMode] of Map.groupBy(known, (visitor) => visitor.mode)) {
    const ids = ofMode.map(({ visitor_id: id }) => id)
    const leftOver = sql`(
      select * from web_event
      where org_id = ${tx.orgId} and visitor_id = any(${ids}::uuid[]) and mode = ${mode}) as left_over`
    await tx.run(upsertVisitors(leftOver, []))
  }
}

/**
 * Deletes visitors without an event on `firstKept` or later, in small transactions.
 * @param orgId only visitors of this organization; null: of all
 */
export async function deleteOldVisitors(
  scope: SystemScope,
  firstKept: string,
  orgId: string | null = null,
): Promise<void> {
  const isOld = sql`last_day < ${firstKept}::date ${orgId === null ? sql`` : sql`and org_id = ${orgId}`}`
  let deleted: number
  do {
    // Skip visitors who came back in the meantime.
    deleted = await scope.transact((tx) =>
      tx.run(sql`
        delete from visitor
        where ${isOld} and ctid = any(array(select ctid from visitor where ${isOld} limit ${rowsPerDelete}))`),
    )
  } while (deleted === rowsPerDelete)
}
