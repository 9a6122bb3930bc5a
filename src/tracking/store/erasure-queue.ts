import { systemOf } from '../../platform/actor.ts'
import { lockExclusive, sharedLock } from '../../platform/db/advisory-lock.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { eraseEvents } from './erase.ts'
import { deleteWithTombstones, refusesEvent, subjects } from './tombstones.ts'
import { utcDay } from './utc-day.ts'
import { rebuildVisitors } from './visitors.ts'
import { rebuildVisits, type VisitorDay } from './visits.ts'

const storing = 'storing web events'
const erasuresAtOnce = 100
/** Events are stored within seconds of their receipt, even while the database is slow. */
const storedWithinMs = 120_000
const dayMs = 86_400_000
/** The day of an event is at most this much before its receipt: see wire/clock.ts. */
const daysBefore = 8

type Erasure = { org_id: string; erasure_id: string; erased_at: Date }

/** A transaction that stores events runs this statement, so that `finishErasures` waits for it. */
export const lockForStoring: Sql = sharedLock(storing)

/**
 * Deletes events that were being stored while other events of the same people were erased: the erasure did not see them, and
 * their transaction did not see its tombstones.
 */
export async function finishErasures(scope: SystemScope, stopping = () => false): Promise<void> {
  const erasures = await scope.read((tx) =>
    tx.rows(sql<Erasure>`
      select org_id, erasure_id, erased_at from web_event_erasure order by erased_at limit ${erasuresAtOnce}`),
  )
  if (erasures.length === 0) return
  // When this statement returns, every transaction that did not see the tombstones has ended.
  await scope.transact((tx) => lockExclusive(tx, storing))
  for (const [orgId, ofOrg] of Map.groupBy(erasures, ({ org_id }) => org_id)) {
    if (stopping()) return
    await scope.transact((tx) => finish(new OrgTx(tx, systemOf(orgId)), ofOrg))
  }
}

async function finish(tx: OrgTx, erasures: readonly Erasure[]): Promise<void> {
  const since = Math.min(...erasures.map(({ erased_at }) => erased_at.getTime())) - storedWithinMs
  const missed = await findMissed(tx, since)
  if (missed.length > 0) {
    const of = (name: 'visitor_id' | 'buried_visitor' | 'buried_user' | 'buried_email') => [
      ...new Set(missed.map((event) => event[name]).filter((value) => value !== null)),
    ]
    await eraseEvents(tx, {
      visitorIds: of('buried_visitor'),
      userKeys: of('buried_user'),
      emails: of('buried_email'),
    })
    const visitorDays: VisitorDay[] = []
    // Some events have no visitor and no user, only the key of their message.
    for (const [day, events] of Map.groupBy(missed, (event) => event.day)) {
      const keys = events.map(({ message_key }) => message_key)
      visitorDays.push(...(await deleteWithTombstones(tx, day, sql`message_key = any(${keys}::uuid[])`)))
    }
    await rebuildVisitors(tx, of('visitor_id'))
    await rebuildVisits(tx, visitorDays)
  }
  const ids = erasures.map(({ erasure_id }) => erasure_id)
  await tx.run(sql`
    delete from web_event_erasure where org_id = ${tx.orgId} and erasure_id = any(${ids}::uuid[])`)
}

/** An event that a tombstone refuses, and its identities that have a tombstone. */
type Missed = {
  day: string
  message_key: string
  visitor_id: string | null
  buried_visitor: string | null
  buried_user: string | null
  buried_email: string | null
}

/** @param since Unix milliseconds of the receipt */
function findMissed(tx: OrgTx, since: number): Promise<Missed[]> {
  const ifBuried = (value: Sql, subject: Sql) => sql`
    case when exists (
      select from web_event_tombstone b where b.org_id = ${tx.orgId} and b.subject = ${subject}) then ${value} end`
  const firstDay = utcDay(since - daysBefore * dayMs)
  return tx.rows(sql<Missed>`
    select e.day, e.message_key, e.visitor_id, ${ifBuried(sql`e.visitor_id`, subjects.visitor)} as buried_visitor,
      ${ifBuried(sql`e.user_key`, subjects.user)} as buried_user,
      ${ifBuried(sql`e.email`, subjects.email)} as buried_email
    from web_event e
    where e.org_id = ${tx.orgId} and e.received_at >= ${new Date(since)} and e.day >= ${firstDay}::date
      and exists (select from web_event_tombstone t where ${refusesEvent})`)
}
