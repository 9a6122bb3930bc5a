import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { readVisitorsOf, type VisitorOfPeople } from '../tracking/identity/connected-visitors.ts'
import { isInside, type LinkPeriod } from '../tracking/identity/periods.ts'
import { type PersonEvents, readPersonTimeline } from '../tracking/store/person-events.ts'
import { readServerEvents } from '../tracking/store/server-events.ts'
import { trust } from '../tracking/wire/event.ts'
import { type PlacedItem, plain, seconds } from './place.ts'
import type { ReadItems } from './recorded.ts'
import type { Person } from './subject.ts'

/** The visitors whose events a timeline shows: the visitors who were seen last. */
const visitorsMax = 20

/** The visitors of some people. */
export const visitorsOf = (tx: OrgTx, people: readonly Person[]): Promise<VisitorOfPeople[]> =>
  readVisitorsOf(tx, people, visitorsMax)

/** The conditions under which events of the visitors belong to the people. */
export const eventsOf = (people: readonly Person[], visitors: readonly VisitorOfPeople[]): PersonEvents => ({
  parts: visitors.map(({ visitor, periods }) => ({
    visitor,
    anonymous: periods.flatMap(({ linked, claimed }) => [...linked, ...claimed]),
    users: usersOf(periods.flatMap(({ linked }) => linked)),
    claimed: periods.flatMap(({ own }) => own),
  })),
  userKeys: people.flatMap(({ userKeys }) => userKeys),
})

function usersOf(links: readonly LinkPeriod[]): Map<string, LinkPeriod[]> {
  const named = links.flatMap((link) => (link.userKey === null ? [] : [{ ...link, userKey: link.userKey }]))
  return Map.groupBy(named, ({ userKey }) => userKey)
}

type WebEventRow = {
  object_id: string
  type: string
  title: string | null
  /** null: a server sent the event for a user alone. */
  visitor_id: string | null
  user_key: string | null
  trust: number
  at: number
}

const columns = sql`
  e.message_key as object_id, e.type, coalesce(e.name, e.url_path) as title, e.visitor_id, e.user_key, e.trust,
  floor(extract(epoch from e.occurred_at) * 1000)::bigint as at`

/**
 * Reads the latest web events of people: at most `limit` events of their visitors, and at most `limit` events that
 * servers sent about them.
 */
export const readWebEvents: ReadItems = async (tx, { people }, { after, limit }) => {
  const visitors = await visitorsOf(tx, people)
  const events = eventsOf(people, visitors)
  const range = { after: after && { occurredAt: after.at, messageKey: after.id }, limit }
  const rows = await readServerEvents<WebEventRow>(tx, events.userKeys, range, columns)
  if (visitors.length > 0) rows.push(...(await readPersonTimeline<WebEventRow>(tx, events, range, columns)))
  const periodsOf = new Map<string | null, VisitorOfPeople['periods']>(
    visitors.map(({ visitor, periods }) => [visitor.visitor_id, periods]),
  )
  return rows.map((row): PlacedItem => {
    const { object_id, type, title, visitor_id, at } = row
    const { contactId, claimed } = personOf(row, people, periodsOf.get(visitor_id) ?? [])
    return {
      place: { at, id: object_id },
      item: {
        ...{ ...plain, kind: 'web_event' as const, object_id, type, title, at: seconds(at) },
        ...{ contact_id: contactId, visitor_id, claimed },
      },
    }
  })
}

/** To whom an event belongs, and whether only a browser says so. */
function personOf(
  { user_key: userKey, trust: given, at }: WebEventRow,
  people: readonly Person[],
  periods: VisitorOfPeople['periods'],
): { contactId: string | null; claimed: boolean } {
  const named = userKey === null ? -1 : people.findIndex(({ userKeys }) => userKeys.includes(userKey))
  const linked = periods.findIndex((person, index) =>
    person.linked.some(
      (link) => isInside([link], at) && (userKey === null || index === named || link.userKey === userKey),
    ),
  )
  if (linked >= 0) return { contactId: people[linked]?.contactId ?? null, claimed: false }
  const own = periods.findIndex((person) => isInside([...person.claimed, ...person.own], at))
  const index = named >= 0 ? named : own
  return {
    contactId: people[index]?.contactId ?? null,
    claimed: named < 0 || given < trust.verified,
  }
}
