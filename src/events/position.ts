import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { firstIdAt, idBefore, timeOf } from '../platform/db/uuid-time.ts'
import { actorJson, type EventActor } from './actor.ts'
import type { EventType } from './catalog.ts'
import { afterCommitted, beforeUnread } from './unread-ids.ts'

const actor = rawSql(actorJson('e'))

/**
 * A position in the event log of one organization. The log is read in windows. A window has the events that are
 * visible to the snapshot `within` and not to the snapshot `after`. So each event is in exactly one window, even if
 * transactions commit in another order. (PgQ reads its queues in the same way, between two ticks.)
 */
export type LogPosition = {
  /** A `pg_snapshot`. All events that are visible to it have been read. */
  readonly after: string
  /** A `pg_snapshot`: the end of the current window; null between two windows. */
  readonly within: string | null
  /** The last event id of the window; null between two windows. */
  readonly until: string | null
  /** The last event id that was read. */
  readonly last: string
}

export type LogEvent = {
  readonly eventId: string
  readonly type: EventType
  readonly objectId: string | null
  readonly apiKeyId: string | null
  readonly actor: EventActor
  readonly mode: 'live' | 'test'
  readonly changed: readonly string[] | null
  readonly data: Readonly<Record<string, unknown>> | null
  /** The recorded span that made the change (W3C Trace Context). */
  readonly traceparent: string | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** The types that a reader wants, separately for events of live and of test API keys. null: every type. */
export type WantedTypes = {
  readonly live: readonly EventType[] | null
  readonly test: readonly EventType[] | null
}

/** SQL of the condition that the reader wants an event, by its columns `mode` and `type`. */
export const isWanted = ({ live, test }: WantedTypes): Sql => sql`(
  (mode = 'live' and (${live}::text[] is null or type = any (${live}::text[])))
  or (mode = 'test' and (${test}::text[] is null or type = any (${test}::text[]))))`

export type EventPage = {
  /** In id order. Events of one object are thus in the order of its changes. */
  readonly events: readonly LogEvent[]
  /** The position after these events. */
  readonly position: LogPosition
  /** The position before these events. With the id of one of them as `last`, it is the position after that event. */
  readonly window: LogPosition
  /** Whether the window has more events. */
  readonly more: boolean
  /** Whether events after the position may have been dropped before they were read (EVENT_RETENTION_DAYS). */
  readonly missed: boolean
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// A snapshot that sees no event.
const beforeAll = '1:1:'
/** How many events a statement reads if only some types are wanted: most may be of other types. */
const scanSize = 5_000
/** If the database was set back in time, reading continues this many seconds before the last event. */
const overlapSeconds = 600

/** `snapshot` has the transaction ids of the current era, like `event.xact`. Events before `keptFrom` were dropped. */
type Now = { snapshot: string; at: number; keptFrom: string }

async function readNow(tx: OrgTx): Promise<Now> {
  const now = await tx.first(sql<Now>`
    select app.event_snapshot() as snapshot, floor(extract(epoch from clock_timestamp()))::int as at,
      kept_from as "keptFrom" from app.event_log`)
  if (!now) throw new Error('app.event_log has no row')
  return now
}

/** Returns the position after all events that are committed now. */
export async function positionOfNow(tx: OrgTx): Promise<LogPosition> {
  const { snapshot, at } = await readNow(tx)
  return { after: snapshot, within: null, until: null, last: firstIdAt(at) }
}

/** Returns the position before the events that were created at `unixSeconds` or later. */
export async function positionSince(tx: OrgTx, unixSeconds: number): Promise<LogPosition> {
  return positionAt(await readNow(tx), unixSeconds)
}

const positionAt = ({ snapshot, keptFrom }: Now, unixSeconds: number): LogPosition => ({
  ...{ after: beforeAll, within: snapshot, until: lastId },
  last: [firstIdAt(Math.max(0, unixSeconds)), keptFrom].sort()[1]!,
})

/**
 * Reads the next events of the organization of `tx`, at most `limit`. Each event is in exactly one page. If the
 * database was set back in time, reading continues 10 minutes before the position's last event.
 */
export async function readAfter(
  tx: OrgTx,
  position: LogPosition,
  { limit, wanted }: { limit: number; wanted: WantedTypes },
): Promise<EventPage> {
  const now = await readNow(tx)
  const current = isOfThePast(position, now)
    ? position
    : positionAt(now, Math.floor(timeOf(position.last) / 1000) - overlapSeconds)
  const window = isOpen(current) ? current : await openWindow(tx, current, now)
  const missed = position.last < now.keptFrom
  if (!isOpen(window)) return { events: [], position: window, window, more: false, missed }
  const scanned = wanted.live === null ? limit : Math.max(limit, scanSize)
  const rows = await tx.rows(pageOf(tx.orgId, window, { limit, scanned, wanted }))
  const events = rows.filter(({ eventId }) => eventId !== null).map(toEvent)
  const lastEvent = events.at(-1)?.eventId
  const next = (last: string) => ({ events, position: { ...window, last }, window, more: true, missed })
  if (lastEvent !== undefined && events.length === limit) return next(lastEvent)
  if (rows[0]?.scanned === scanned) return next(rows[0].scannedUntil)
  // Never store a future id, such as the id of a position that begins in the future: it would hide events until then.
  const last = [lastEvent ?? current.last, firstIdAt(now.at)].sort()[0]!
  const after = { after: window.within, within: null, until: null, last }
  return { events, position: after, window, more: false, missed }
}

type OpenPosition = LogPosition & { within: string; until: string }

const isOpen = (position: LogPosition): position is OpenPosition => position.within !== null

const isOfThePast = ({ after, within }: LogPosition, { snapshot }: Now) =>
  xmaxOf(within ?? after) <= xmaxOf(snapshot)

const xmaxOf = (snapshot: string) => BigInt(snapshot.split(':')[1] ?? 0)

/** Opens the window that ends now. If there are no new events, moves the position to now, and opens no window. */
async function openWindow(tx: OrgTx, position: LogPosition, { snapshot, at }: Now): Promise<LogPosition> {
  const { after, last } = position
  if (after === snapshot) return position
  const isSeen = sql`event_id > ${beforeUnread(last, at)}::uuid and event_id < ${afterCommitted(at)}::uuid
    and pg_visible_in_snapshot(xact, ${snapshot}::pg_snapshot)`
  // Two ranges of the index: transactions that began after `after`, and transactions that were running at `after`.
  const bounds = await tx.first(sql<{ first: string | null; until: string | null }>`
    select min(event_id::text collate "C") as first, max(event_id::text collate "C") as until
    from (
      select event_id from event
      where org_id = ${tx.orgId} and xact >= pg_snapshot_xmax(${after}::pg_snapshot)
        and xact < pg_snapshot_xmax(${snapshot}::pg_snapshot) and ${isSeen}
      union all
      select event_id from event
      where org_id = ${tx.orgId}
        and xact = any (array(select pg_snapshot_xip(${after}::pg_snapshot))) and ${isSeen}
    ) as unread`)
  const { first = null, until = null } = bounds ?? {}
  // `last` moves too, so that the next read of the log needs only recent months.
  if (first === null) return { ...position, after: snapshot, last: firstIdAt(at) }
  return { ...position, within: snapshot, until, last: idBefore(first) }
}

type PageRow = Omit<LogEvent, 'eventId' | 'createdAt'> & {
  /** null in the only row of a page without wanted events. */
  eventId: string | null
  scanned: number
  scannedUntil: string
}

function pageOf(
  orgId: string,
  { after, within, until, last }: OpenPosition,
  { limit, scanned, wanted }: { limit: number; scanned: number; wanted: WantedTypes },
): Sql<PageRow> {
  return sql<PageRow>`
    with scanned as materialized (
      select org_id, event_id, type, object_id, api_key_id, member_id, connected_app_id, by_operator, mode, changed, data, traceparent
      from event
      where org_id = ${orgId} and event_id > ${last}::uuid and event_id <= ${until}::uuid
        and pg_visible_in_snapshot(xact, ${within}::pg_snapshot)
        and not pg_visible_in_snapshot(xact, ${after}::pg_snapshot)
      order by event_id limit ${scanned}
    ), ended as (
      select event_id, (select count(*)::int from scanned) as scanned
      from scanned order by event_id desc limit 1
    )
    select e.event_id as "eventId", e.type, e.object_id as "objectId", e.api_key_id as "apiKeyId",
      ${actor} as actor, e.mode, e.changed, e.data, e.traceparent, ended.scanned, ended.event_id as "scannedUntil"
    from ended left join lateral (
      select * from scanned where ${isWanted(wanted)} order by event_id limit ${limit}
    ) as e on true
    order by e.event_id`
}

function toEvent({ scanned: _, scannedUntil: __, eventId, ...event }: PageRow): LogEvent {
  if (eventId === null) throw new Error('a row without an event')
  return { ...event, eventId, createdAt: timeOf(eventId) }
}
