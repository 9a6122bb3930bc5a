import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { findLinked, findNaming } from '../store/identity-facts.ts'
import type { StoredVisitor } from '../store/visitors.ts'
import { type ConnectedVisitors, findVisitorsOf } from '../store/visitors-of-people.ts'
import { trust } from '../wire/event.ts'
import { readFacts, type StoredFact } from './facts.ts'
import { isClaim } from './links.ts'
import { always, noPeriods, outside, type PersonPeriods } from './periods.ts'
import { type Interval, resolve } from './resolve.ts'
import type { ContactKeys } from './user-keys-of-contact.ts'

/** A visitor, with the times in which its anonymous events belong to each of some people, in the order of these people. */
export type VisitorOfPeople = {
  visitor: StoredVisitor
  /** Whether more than the statements of a browser connect the visitor to one of the people. */
  isProven: boolean
  periods: PersonPeriods[]
}

/** Somebody can claim a person any number of times: of each `userId`, only the visitors of the latest statements count. */
const statementsMax = 100

/**
 * The visitors that are linked to some people, that made one of the contacts (`own`), or that ever named one of the people
 * (`named`). After somebody undid an accepted claim, the visitor is not `own`.
 */
export async function connectedVisitors(
  tx: OrgTx,
  people: readonly ContactKeys[],
): Promise<ConnectedVisitors> {
  const contactIds = people.flatMap((person) => person.contactIds)
  const own = people.flatMap((person) => person.visitorIds)
  const userKeys = people.flatMap((person) => person.userKeys)
  const [linked, named, takenBack] = await Promise.all([
    findLinked(tx, { userKeys, emails: [] }, contactIds),
    findNaming(tx, userKeys, statementsMax),
    tx.rows(sql<{ visitor_id: string }>`
      select distinct visitor_id from identity_fact
      where org_id = ${tx.orgId} and contact_id = any(${contactIds}::uuid[]) and visitor_id = any(${own}::uuid[])
        and undone_at is not null`),
  ])
  const refused = new Set(takenBack.map(({ visitor_id: id }) => id))
  return { linked, own: own.filter((id) => !refused.has(id)), named }
}

/**
 * The `limit` visitors of some people that were seen last. Everybody can claim to be a person, so visitors that
 * only claim it come last.
 *
 * An event with a `userId` belongs to the person whom it names. `periods` says to whom other events belong: to the person
 * to whom the visitor is linked at that time. If the visitor never made a statement, they belong to the last `userId`.
 */
export async function readVisitorsOf(
  tx: OrgTx,
  people: readonly ContactKeys[],
  limit: number,
): Promise<VisitorOfPeople[]> {
  const found = await connectedVisitors(tx, people)
  const { linked, own } = found
  const userKeys = people.flatMap((person) => person.userKeys)
  const { mode } = tx.actor
  const visitors = await findVisitorsOf(tx, mode, { userKeys, ...found }, limit)
  const connected = new Set([...linked, ...own])
  const ids = visitors.map(({ visitor_id: id }) => id).filter((id) => connected.has(id))
  // Everybody can send many claims, and each costs time. Without a link they make no difference.
  const factsOf = Map.groupBy(await readFacts(tx, ids, mode), ({ visitorId }) => visitorId)
  return visitors.map((visitor) => {
    const { visitor_id: id, has_facts: hasFacts, is_proven: isProven } = visitor
    const facts = factsOf.get(id) ?? []
    const intervals = resolve(facts)
    const periods = people.map((person) => ({
      ...(hasFacts ? linkPeriods(person, facts, intervals) : periodsWithoutFacts(person, visitor)),
      own: own.includes(id) && person.visitorIds.includes(id) ? outside(linksIn(intervals)) : [],
    }))
    return { visitor, isProven, periods }
  })
}

const linksIn = (intervals: readonly Interval[]) => intervals.filter((interval) => !isClaim(interval))

function linkPeriods(
  { userKeys, contactIds }: ContactKeys,
  facts: readonly StoredFact[],
  intervals: readonly Interval[],
): PersonPeriods {
  const accepted = new Map(facts.map(({ messageKey, contactId }) => [messageKey, contactId]))
  const isOfPerson = ({ messageKeys, userKey, email }: Interval) => {
    // Somebody may accept a claim for another contact than the claimed one.
    const named = messageKeys.map((key) => accepted.get(key) ?? null).findLast((id) => id !== null)
    return named ? contactIds.includes(named) : userKeys.includes(userKey ?? email ?? '')
  }
  return { ...noPeriods, linked: linksIn(intervals).filter(isOfPerson) }
}

function periodsWithoutFacts(
  { userKeys }: ContactKeys,
  { user_key: userKey, user_trust: given }: StoredVisitor,
): PersonPeriods {
  if (userKey === null || !userKeys.includes(userKey)) return noPeriods
  return (given ?? trust.none) >= trust.verified
    ? { ...noPeriods, linked: [always] }
    : { ...noPeriods, claimed: [always] }
}
