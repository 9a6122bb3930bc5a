import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { trust } from '../wire/event.ts'
import { deleteFacts, findLinked } from './identity-facts.ts'
import { addTombstones, deleteWithTombstones, type Subjects } from './tombstones.ts'
import { rebuildVisitors } from './visitors.ts'
import { rebuildVisits, type VisitorDay } from './visits.ts'

/**
 * Erases all events of the subjects, and what they said about who somebody is. Also erases events of visitors whom an API key,
 * a proof or a person linked to a user key or an e-mail address of the subjects. If such a visitor was also another user, the
 * events of that user stay. For 30 days, erased events that are sent again are refused, as are events of the subjects that
 * happened before the erasure.
 *
 * Events that are being stored at the same time are deleted by `finishErasures`.
 */
export async function eraseEvents(
  tx: OrgTx,
  subjects: Subjects,
  contactIds: readonly string[] = [],
): Promise<void> {
  const { userKeys, emails } = subjects
  const ofUsers = sql`(user_key = any(${userKeys}::text[]) or email = any(${emails}::text[]))`
  const named = await visitorDaysOfUsers(tx, ofUsers)
  const visitorsIn = (rows: readonly NamedDay[]) => rows.flatMap(({ visitor_id: id }) => id ?? [])
  const linked = [
    ...visitorsIn(named.filter(({ is_linked }) => is_linked)),
    ...(await findLinked(tx, subjects, contactIds)),
  ]
  await deleteFacts(tx, subjects, contactIds)
  await addTombstones(tx, { ...subjects, visitorIds: [...subjects.visitorIds, ...linked] })
  const condition = sql`(visitor_id = any(${subjects.visitorIds}::uuid[]) or ${ofUsers}
    or (visitor_id = any(${linked}::uuid[]) and user_key is null))`
  // Without visitors, the search for the users has found all events. Do not search every day again.
  const isByUser = subjects.visitorIds.length === 0 && linked.length === 0
  const days = isByUser ? [...new Set(named.map(({ day }) => day))].sort() : await daysOf(tx, condition)
  const visitorDays: VisitorDay[] = []
  // Use one statement for each day: one statement for many events could exceed the time limit.
  for (const day of days) visitorDays.push(...(await deleteWithTombstones(tx, day, condition)))
  await rebuildVisitors(tx, [...new Set([...subjects.visitorIds, ...linked, ...visitorsIn(named)])])
  await rebuildVisits(tx, visitorDays)
  await tx.run(sql`
    insert into web_event_erasure (org_id, erasure_id, erased_at) values (${tx.orgId}, ${newId()}, clock_timestamp())`)
}

type NamedDay = { visitor_id: string | null; day: string; is_linked: boolean }

/** Returns the visitors in events of the users, and the days of the events. `is_linked`: a trusted or verified event has both. */
function visitorDaysOfUsers(tx: OrgTx, ofUsers: Sql): Promise<NamedDay[]> {
  return tx.rows(sql<NamedDay>`
    select visitor_id, day::text as day, bool_or(trust >= ${trust.verified}) as is_linked from web_event
    where org_id = ${tx.orgId} and ${ofUsers} group by visitor_id, day`)
}

/** Returns whether the organization has an event of the visitor. */
export async function hasEvents(tx: OrgTx, visitorId: string): Promise<boolean> {
  const found = await tx.rows(sql`
    select from web_event where org_id = ${tx.orgId} and visitor_id = ${visitorId} limit 1`)
  return found.length > 0
}

/** Returns the days of the events, in order. */
async function daysOf(tx: OrgTx, condition: Sql): Promise<string[]> {
  const days = await tx.rows(sql<{ day: string }>`
    select distinct day from web_event where org_id = ${tx.orgId} and ${condition} order by day`)
  return days.map(({ day }) => day)
}
