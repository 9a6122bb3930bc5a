import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { countEvents, countedColumns } from './report-deltas.ts'
import { type VisitorDay, visitorDaysOf } from './visits.ts'

/** How long a tombstone is kept: a client repeats a request for some days, and a browser may be offline for weeks. */
const keptDays = 30
/** The clocks of two servers may differ by this much. */
const skewSeconds = 2

/** The identities whose events are erased. */
export type Subjects = {
  visitorIds: readonly string[]
  userKeys: readonly string[]
  /** Normalized addresses. */
  emails: readonly string[]
}

/**
 * For 30 days, refuses all events of the subjects that happened before now. A tombstone stores a user key or an e-mail
 * address only as a hash.
 */
export async function addTombstones(tx: OrgTx, { visitorIds, userKeys, emails }: Subjects): Promise<void> {
  const hashed = (kind: 'user' | 'email', values: readonly string[]) => sql`
    select ${subjectOf(sql`${tx.orgId}::uuid`, kind, sql`value`)} from unnest(${values}::text[]) as value`
  await tx.run(sql`
    insert into web_event_tombstone (org_id, subject, refused_until, erased_at)
    select ${tx.orgId}, s.subject, clock_timestamp() + make_interval(secs => ${skewSeconds}), clock_timestamp()
    from (
      select unnest(${visitorIds}::uuid[]) union ${hashed('user', userKeys)} union ${hashed('email', emails)}
    ) as s (subject)
    order by s.subject
    on conflict (org_id, subject) do update
    set refused_until = greatest(web_event_tombstone.refused_until, excluded.refused_until), erased_at = excluded.erased_at`)
}

/**
 * Deletes events of an organization and day by a condition on their columns, subtracts them from the reports, and
 * refuses repetitions of these events. Returns the visitors of the events, and the days of their visits.
 */
export function deleteWithTombstones(tx: OrgTx, day: string, condition: Sql): Promise<VisitorDay[]> {
  return tx.rows(sql<VisitorDay>`
    with gone as (
      delete from web_event where org_id = ${tx.orgId} and day = ${day}::date and ${condition}
      returning message_key, visitor_id, ${countedColumns}
    ), taken_back as (
      ${countEvents(sql`gone`, -1)}
    ), buried as (
      insert into web_event_tombstone (org_id, subject, refused_until, erased_at)
      select ${tx.orgId}, message_key, 'infinity', clock_timestamp() from gone order by message_key
      on conflict (org_id, subject) do update set refused_until = excluded.refused_until, erased_at = excluded.erased_at
    )
    ${visitorDaysOf(sql`gone`)}`)
}

/** SQL of the hash under which erasures store a user key or an e-mail address. */
const subjectOf = (orgId: Sql, kind: 'user' | 'email', value: Sql): Sql => sql`
  app.web_event_subject(${orgId}, ${kind}, ${value})`

/** The subjects of the event `e`. */
export const subjects = {
  visitor: sql`e.visitor_id`,
  user: subjectOf(sql`e.org_id`, 'user', sql`e.user_key`),
  email: subjectOf(sql`e.org_id`, 'email', sql`e.email`),
}

/** SQL of a condition: the tombstone `t` refuses the event `e`. */
export const refusesEvent: Sql = sql`
  t.org_id = e.org_id and t.subject in (e.message_key, ${subjects.visitor}, ${subjects.user}, ${subjects.email})
  and (t.refused_until >= e.occurred_at or e.is_late)`

/**
 * SQL of a condition on an event `e` of some organizations: the event was not erased. Most organizations have no
 * tombstones.
 */
export const isNotErased = (orgIds: readonly string[]): Sql => sql`
  (e.org_id <> all(array(
      select o.org_id from unnest(${orgIds}::uuid[]) as o (org_id)
      where exists (select from web_event_tombstone t where t.org_id = o.org_id)))
    or not exists (select from web_event_tombstone t where ${refusesEvent}))`

/** Deletes at most `limit` tombstones that are older than 30 days, of all organizations. Returns how many there were. */
export function deleteOldTombstones(tx: Tx, limit: number, now: number = Date.now()): Promise<number> {
  const before = new Date(now - keptDays * 86_400_000)
  return tx.run(sql`
    delete from web_event_tombstone where ctid = any(array(
      select ctid from web_event_tombstone where erased_at < ${before} limit ${limit}))`)
}
