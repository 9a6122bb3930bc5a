import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { trust } from '../wire/event.ts'
import type { Subjects } from './tombstones.ts'

const rowsPerDelete = 5_000

/**
 * The statement that stores what new events say about who their visitors are. Events that are already stored add no
 * facts.
 * @param stored the new events, as an item of FROM
 */
export const insertFacts = (stored: Sql): Sql => sql`
  insert into identity_fact (org_id, day, message_key, mode, kind, occurred_at, visitor_id, user_key, email, other_id, trust,
    traits, is_pending)
  select org_id, day, message_key, mode, type, occurred_at,
    case when type = 'alias' then coalesce(visitor_id, app.visitor_of(org_id, statement ->> 'previous_id')) else visitor_id end,
    user_key, email, coalesce(statement ->> 'group_id', statement ->> 'previous_id'), trust, statement, type <> 'alias'
  from ${stored}
  where type in ('identify', 'group', 'alias') and coalesce(user_key, email) is not null
  on conflict do nothing`

/** The visitors whom facts link to the subjects or to contacts: verified users, users of API keys, and accepted claims. */
export async function findLinked(
  tx: OrgTx,
  { userKeys, emails }: Pick<Subjects, 'userKeys' | 'emails'>,
  contactIds: readonly string[],
): Promise<string[]> {
  const persons = [...new Set([...userKeys, ...emails])]
  const links = sql`
    select visitor_id from identity_fact
    where org_id = ${tx.orgId} and visitor_id is not null and undone_at is null
      and trust >= ${rawSql(String(trust.verified))}`
  const rows = await tx.rows(sql<{ visitor_id: string }>`
    (${links} and person = any(${persons}::text[])) union (${links} and contact_id = any(${contactIds}::uuid[]))`)
  return rows.map(({ visitor_id: id }) => id)
}

/** The visitors of the latest statements that named each of some user keys, including undone statements. */
export async function findNaming(tx: OrgTx, userKeys: readonly string[], limit: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ visitor_id: string }>`
    select distinct f.visitor_id from unnest(${userKeys}::text[]) as k (user_key) cross join lateral (
      select visitor_id from identity_fact
      where org_id = ${tx.orgId} and person = k.user_key order by occurred_at desc limit ${limit}
    ) as f
    where f.visitor_id is not null`)
  return rows.map(({ visitor_id: id }) => id)
}

/** Deletes all facts about the subjects. */
export async function deleteFacts(
  tx: OrgTx,
  { visitorIds, userKeys, emails }: Subjects,
  contactIds: readonly string[],
): Promise<void> {
  const keys = [...new Set([...userKeys, ...emails])]
  await tx.run(sql`
    delete from identity_fact
    where org_id = ${tx.orgId} and (visitor_id = any(${visitorIds}::uuid[]) or person = any(${keys}::text[])
      or email = any(${emails}::text[]) or contact_id = any(${contactIds}::uuid[]))`)
}

/**
 * Deletes facts of days before `firstKept` whose visitor has no events any more, in small transactions.
 * @param orgId only facts of this organization; null: of all
 */
export async function deleteOldFacts(
  scope: SystemScope,
  firstKept: string,
  orgId: string | null = null,
): Promise<void> {
  const isOld = sql`
    day < ${firstKept}::date ${orgId === null ? sql`` : sql`and org_id = ${orgId}`} and not exists (
      select from visitor v where v.org_id = f.org_id and v.visitor_id = f.visitor_id)`
  let deleted: number
  do
    deleted = await scope.transact((tx) =>
      tx.run(sql`
        delete from identity_fact f
        where ctid = any(array(select ctid from identity_fact f where ${isOld} limit ${rowsPerDelete}))`),
    )
  while (deleted === rowsPerDelete)
}
