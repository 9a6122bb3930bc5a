import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { trust } from '../wire/event.ts'
import { type StoredVisitor, visitorColumns } from './visitors.ts'

/** A visitor of some people. */
export type FoundVisitor = StoredVisitor & {
  /** Whether the visitor is connected to one of the people by more than the statements of a browser. */
  is_proven: boolean
  /** Whether the visitor ever said who it is, even if somebody undid that. */
  has_facts: boolean
}

/** The ids of visitors: `linked` to the people, `own`: they made one of the contacts, `named`: they ever named one of the people. */
export type ConnectedVisitors = { linked: string[]; own: string[]; named: string[] }

/**
 * At most `limit` of the visitors with these ids, or whose last user is one of `userKeys`. Proven visitors come first, then
 * visitors whose statements made the contact, then visitors that only claim a user. Of each kind, the visitors that were seen
 * last come first.
 */
export function findVisitorsOf(
  tx: OrgTx,
  mode: 'live' | 'test',
  { userKeys, linked, own, named }: ConnectedVisitors & { userKeys: readonly string[] },
  limit: number,
): Promise<FoundVisitor[]> {
  // The subquery of one key reads an index in the right order, and stops at the limit: any number of visitors can claim
  // a key.
  const lastSeen = (more = sql``) => sql`
    select visitor_id from visitor
    where org_id = ${tx.orgId} and mode = ${mode} and user_key = k.user_key ${more}
    order by last_seen_minute desc, visitor_id desc limit ${limit}`
  const isProvenUser = sql`user_trust >= ${rawSql(String(trust.verified))}`
  return tx.rows(sql<FoundVisitor>`
    with found as (
      select unnest(${[...linked, ...own, ...named]}::uuid[]) as visitor_id
      union
      select v.visitor_id from unnest(${userKeys}::text[]) as k (user_key) cross join lateral (
        (${lastSeen(sql`and ${isProvenUser}`)}) union (${lastSeen()})
      ) as v
    )
    select ${visitorColumns}, exists (
        select from identity_fact f
        where f.org_id = ${tx.orgId} and f.visitor_id = v.visitor_id and f.mode = ${mode} and f.kind <> 'group'
      ) as has_facts,
      (visitor_id = any(${linked}::uuid[])
        or (user_key = any(${userKeys}::text[]) and coalesce(${isProvenUser}, false))) as is_proven
    from found join visitor v using (visitor_id)
    where v.org_id = ${tx.orgId} and v.mode = ${mode}
    order by is_proven desc, visitor_id = any(${own}::uuid[]) desc, v.last_seen_minute desc, visitor_id desc limit ${limit}`)
}
