import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import { PlaceIn } from '../../platform/http/place-in.ts'
import type { Json } from '../../platform/json.ts'
import { connectedVisitors } from '../identity/connected-visitors.ts'
import { readIdentity } from '../identity/read-identity.ts'
import { keysOfContact } from '../identity/user-keys-of-contact.ts'
import { pageOfEvents, type ShownEvent, shownColumns } from '../store/shown-event.ts'
import { type EventPlace, readTimeline } from '../store/timeline.ts'
import {
  findVisitor,
  listVisitors as readVisitors,
  type StoredVisitor,
  type VisitorPlace,
} from '../store/visitors.ts'
import { trust } from '../wire/event.ts'
import type { Source } from '../wire/source.ts'
import type {
  IdentifiedVisitor,
  SessionPage,
  SessionQuery,
  Visitor,
  VisitorEventQuery,
  VisitorPage,
  VisitorQuery,
  VisitorSession,
  VisitSource,
} from './schema.ts'
import { type Session, type SessionEvent, sessionsOf } from './sessions.ts'

type Mode = 'live' | 'test'

/** The maximum number of events from which a page of sessions is made. */
const examinedMax = 2_000

/**
 * A page of visitors, the last seen first.
 * @throws ValidationError if the cursor is not of this list with these filters
 */
export async function listVisitors(org: Org, cursors: Cursors, query: VisitorQuery): Promise<VisitorPage> {
  const { user_key: userKey, contact_id: contactId, since, limit } = query
  return org.read(async (tx) => {
    const mode = query.mode ?? tx.actor.mode
    const place = new PlaceIn<VisitorPlace>(
      cursors,
      tx,
      ['visitors', mode, userKey, contactId, since],
      query.cursor,
    )
    const contact = contactId === undefined ? undefined : await visitorsWith(tx, contactId)
    const filter = { mode, userKey, contact, since: since === undefined ? undefined : since * 1000 }
    const rows = await readVisitors(tx, filter, { limit: limit + 1, after: place.after })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      visitors: page.map(shown),
      next_cursor: place.seal(last ? { minute: last.last_seen_minute, visitorId: last.visitor_id } : null),
    }
  })
}

/** The user keys that name a contact, and the visitors that are connected to it. */
async function visitorsWith(
  tx: OrgTx,
  contactId: string,
): Promise<{ userKeys: string[]; visitorIds: string[] }> {
  const keys = await keysOfContact(tx, contactId)
  const { linked, own, named } = await connectedVisitors(tx, [keys])
  return { userKeys: keys.userKeys, visitorIds: [...linked, ...own, ...named] }
}

/** A visitor with its links and claims. @throws DomainError not_found */
export async function readVisitor(
  tx: OrgTx,
  visitorId: string,
  mode: Mode | undefined,
): Promise<IdentifiedVisitor> {
  const visitor = await requireVisitor(tx, visitorId, mode)
  return { ...shown(visitor), ...(await readIdentity(tx, visitorId, visitor.mode)) }
}

/**
 * A page of the events of a visitor, newest first by the time when they happened.
 * @throws DomainError not_found; ValidationError at cursor
 */
export async function listVisitorEvents(
  org: Org,
  cursors: Cursors,
  visitorId: string,
  query: VisitorEventQuery,
): Promise<Json> {
  const { events, cursor } = await org.read(async (tx) => {
    const visitor = await requireVisitor(tx, visitorId, query.mode)
    const place = placeIn(cursors, tx, 'visitor events', visitor, query)
    const range = { ...rangeOf(query), after: place.after, limit: query.limit }
    const { events, next } = await readTimeline<ShownEvent>(tx, visitor, range, shownColumns)
    return { events, cursor: place.seal(next) }
  })
  return pageOfEvents(org.payerId, events, cursor)
}

const sessionColumns = sql`
  floor(extract(epoch from e.occurred_at) * 1000)::bigint as at, e.message_key, e.session_id, e.type, e.url_path, e.source`

/**
 * A page of the sessions of a visitor, newest first. It is made from at most 2,000 events, so it may have fewer sessions than
 * `limit`, and a session of more events is shown in parts.
 * @throws DomainError not_found; ValidationError at cursor
 */
export function listSessions(
  org: Org,
  cursors: Cursors,
  visitorId: string,
  query: SessionQuery,
): Promise<SessionPage> {
  return org.read(async (tx) => {
    const visitor = await requireVisitor(tx, visitorId, query.mode)
    const place = placeIn(cursors, tx, 'sessions', visitor, query)
    const range = { ...rangeOf(query), after: place.after, limit: examinedMax }
    const { events, next } = await readTimeline<SessionEvent>(tx, visitor, range, sessionColumns)
    const found = sessionsOf(events.toReversed()).reverse()
    // Older events of the oldest session may be on the next page.
    const whole = next === null || found.length === 1 ? found : found.slice(0, -1)
    const page = whole.slice(0, query.limit)
    const oldest = page.at(-1)?.events[0]
    const hasMore = whole.length > page.length || next !== null
    return {
      sessions: page.map(shownSession),
      next_cursor: place.seal(
        hasMore && oldest ? { occurredAt: oldest.at, messageKey: oldest.message_key } : null,
      ),
    }
  })
}

async function requireVisitor(tx: OrgTx, visitorId: string, mode: Mode | undefined): Promise<StoredVisitor> {
  const visitor = await findVisitor(tx, visitorId, mode ?? tx.actor.mode)
  if (!visitor) throw notFound('object_not_found', 'No visitor of this organization and mode has this id')
  return visitor
}

const rangeOf = ({ since, until }: { since?: number | undefined; until?: number | undefined }) => ({
  since: since === undefined ? undefined : since * 1000,
  until: until === undefined ? undefined : until * 1000,
})

const placeIn = (
  cursors: Cursors,
  tx: OrgTx,
  list: string,
  { visitor_id: visitorId, mode }: StoredVisitor,
  { since, until, cursor }: VisitorEventQuery,
) => new PlaceIn<EventPlace>(cursors, tx, [list, visitorId, mode, since, until], cursor)

const seconds = (ms: number) => Math.floor(ms / 1000)

const trustWord = (given: number) =>
  given === trust.apiKey ? 'trusted' : given === trust.verified ? 'verified' : 'claimed'

const shown = (visitor: StoredVisitor): Visitor => ({
  visitor_id: visitor.visitor_id,
  mode: visitor.mode,
  user_key: visitor.user_key,
  user_trust: visitor.user_trust === null ? null : trustWord(visitor.user_trust),
  events: visitor.events,
  views: visitor.views,
  first_source: shownSource(visitor.first_source),
  last_source: shownSource(visitor.last_source),
  ads_denied_at: visitor.ads_denied_at === null ? null : seconds(visitor.ads_denied_at),
  first_seen_at: seconds(visitor.first_seen_at),
  last_seen_at: seconds(visitor.last_seen_at),
})

function shownSession({ sessionId, events }: Session): VisitorSession {
  const paths = events.flatMap(({ url_path: path }) => path ?? [])
  return {
    session_id: sessionId,
    started_at: seconds(events[0]?.at ?? 0),
    ended_at: seconds(events.at(-1)?.at ?? 0),
    events: events.length,
    views: events.filter(({ type }) => type === 'page' || type === 'screen').length,
    entry_path: paths[0] ?? null,
    exit_path: paths.at(-1) ?? null,
    source: shownSource(events.find(({ source }) => source !== null)?.source ?? null),
  }
}

const noSource: VisitSource = {
  ...{ source: null, medium: null, campaign: null, term: null, content: null },
  ...{ ad_click: null, referrer_host: null },
}

const shownSource = (source: Source | null): VisitSource | null => source && { ...noSource, ...source }
