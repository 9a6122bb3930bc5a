import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { trust } from '../wire/event.ts'
import { addTombstones, deleteWithTombstones, type Subjects } from './tombstones.ts'
import { rebuildVisitors } from './visitors.ts'

/**
 * Erases all events of the subjects. Also erases events of visitors whom an API key linked to a user key or an e-mail
 * address of the subjects. If such a visitor was also another user, the events of that user stay. For 30 days, erased
 * events that are sent again are refused, as are events of the subjects that happened before the erasure.
 *
 * Events that are being stored at the same time are deleted by `finishErasures`.
 */
export async function eraseEvents(tx: OrgTx, subjects: Subjects): Promise<void> {
  const { userKeys, emails } = subjects
  const ofUsers = sql`(user_key = any(${userKeys}::text[]) or email = any(${emails}::text[]))`
  const named = await visitorsOf(tx, ofUsers)
  const linked = named.filter(({ is_linked }) => is_linked).map(({ visitor_id: id }) => id)
  await addTombstones(tx, { ...subjects, visitorIds: [...subjects.visitorIds, ...linked] })
  await deleteEvents(
    tx,
    sql`(visitor_id = any(${subjects.visitorIds}::uuid[]) or ${ofUsers}
      or (visitor_id = any(${linked}::uuid[]) and user_key is null))`,
  )
  await rebuildVisitors(tx, [...subjects.visitorIds, ...named.map(({ visitor_id: id }) => id)])
  await tx.run(sql`
    insert into web_event_erasure (org_id, erasure_id, erased_at) values (${tx.orgId}, ${newId()}, clock_timestamp())`)
}

/** Returns the visitors in events of the users. `is_linked`: an API key sent the visitor and the user in one event. */
function visitorsOf(tx: OrgTx, ofUsers: Sql): Promise<{ visitor_id: string; is_linked: boolean }[]> {
  return tx.rows(sql<{ visitor_id: string; is_linked: boolean }>`
    select visitor_id, bool_or(trust = ${trust.apiKey}) as is_linked from web_event
    where org_id = ${tx.orgId} and ${ofUsers} and visitor_id is not null group by visitor_id`)
}

export async function hasEvents(tx: OrgTx, visitorId: string): Promise<boolean> {
  const found = await tx.rows(sql`
    select from web_event where org_id = ${tx.orgId} and visitor_id = ${visitorId} limit 1`)
  return found.length > 0
}

/** Use one statement for each day: one statement for many events could exceed the time limit. */
async function deleteEvents(tx: OrgTx, condition: Sql): Promise<void> {
  const days = await tx.rows(sql<{ day: string }>`
    select distinct day from web_event where org_id = ${tx.orgId} and ${condition} order by day`)
  for (const { day } of days) await deleteWithTombstones(tx, day, condition)
}
