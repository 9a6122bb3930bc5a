import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { utcDay } from '../store/utc-day.ts'
import { trust } from '../wire/event.ts'
import type { IdentityFact } from './resolve.ts'

/** If more visitors than this claimed an id within 24 hours, the id links nobody. */
const claimantsMax = 30
/** To count the visitors who claimed an id, at most this many of their statements are read. */
const statementsMax = 1_000
/**
 * Nobody signs in this often with one browser. If there are more statements, only the most trusted of them count, and
 * of equally trusted statements the latest.
 */
const factsMax = 500

type Mode = 'live' | 'test'

export type StoredFact = IdentityFact & {
  visitorId: string
  /** The contact that a person named when accepting the claim. */
  contactId: string | null
}

/** SQL of a condition on a fact `f`: too many visitors claimed its person in the 24 hours before. */
const isSuspended: Sql = sql`
  (f.trust = ${rawSql(String(trust.claimed))} and f.person is not null and (
    select count(distinct visitor_id) from (
      select o.visitor_id from identity_fact o
      where o.org_id = f.org_id and o.person = f.person and o.trust = f.trust and o.mode = f.mode
        and (o.occurred_at, o.message_key) <= (f.occurred_at, f.message_key)
        and o.occurred_at > f.occurred_at - interval '24 hours'
      order by o.occurred_at desc limit ${rawSql(String(statementsMax))}) as claimants
  ) > ${rawSql(String(claimantsMax))})`

const columns = sql`
  f.visitor_id as "visitorId", f.day::text as day, f.message_key as "messageKey", f.kind,
  floor(extract(epoch from f.occurred_at) * 1000)::bigint as "occurredAt", f.user_key as "userKey", f.email, f.trust,
  f.contact_id as "contactId", f.undone_at is not null as "isUndone", ${isSuspended} as "isSuspended"`

/**
 * The facts about who some visitors are: at most 500 of each visitor. Everybody can send more, and each fact costs time.
 */
export async function readFacts(tx: OrgTx, visitorIds: readonly string[], mode: Mode): Promise<StoredFact[]> {
  if (visitorIds.length === 0) return []
  return tx.rows(sql<StoredFact>`
    select ${columns}
    from unnest(${visitorIds}::uuid[]) as v (visitor_id), lateral (
      select * from identity_fact i
      where i.org_id = ${tx.orgId} and i.visitor_id = v.visitor_id and i.mode = ${mode} and i.kind <> 'group'
      order by i.trust desc, i.occurred_at desc, i.message_key, i.day limit ${rawSql(String(factsMax))}
    ) as f`)
}

/** Whether too many visitors claimed the person of a fact. */
export async function isSuspendedFact(
  tx: OrgTx,
  { day, message_key: key }: { day: string; message_key: string },
): Promise<boolean> {
  const row = await tx.first(sql<{ suspended: boolean }>`
    select ${isSuspended} as suspended from identity_fact f
    where f.org_id = ${tx.orgId} and f.day = ${day}::date and f.message_key = ${key}`)
  return row?.suspended ?? false
}

/** Marks the facts of a visitor with these messages as undone. Returns how many were not undone before. */
export function undoFacts(tx: OrgTx, visitorId: string, messageKeys: readonly string[]): Promise<number> {
  return tx.run(sql`
    update identity_fact set undone_at = clock_timestamp()
    where org_id = ${tx.orgId} and visitor_id = ${visitorId} and message_key = any(${messageKeys}::uuid[])
      and undone_at is null`)
}

export type Acceptance = {
  visitorId: string
  mode: Mode
  userKey: string | null
  email: string | null
  /** Unix milliseconds: the time of the accepted claim. */
  occurredAt: number
  contactId: string | null
}

/** Stores that a person accepted a claim. */
export async function addAcceptance(tx: OrgTx, accepted: Acceptance): Promise<void> {
  const { visitorId, mode, userKey, email, contactId } = accepted
  const at = new Date(accepted.occurredAt)
  await tx.run(sql`
    insert into identity_fact
      (org_id, day, message_key, mode, kind, occurred_at, visitor_id, user_key, email, trust, contact_id)
    values (${tx.orgId}, ${utcDay(accepted.occurredAt)}::date, ${newId()}, ${mode}, 'accept', ${at}, ${visitorId}, ${userKey},
      ${email}, ${trust.verified}, ${contactId})`)
}
