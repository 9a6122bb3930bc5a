import { lockCallerRights } from '../auth/caller-rights.ts'
import type { Caller } from '../platform/caller.ts'
import { limitLongReads } from '../platform/db/long-reads.ts'
import type { Org } from '../platform/db/org.ts'
import { answerBytesMax } from '../platform/db/row-bound.ts'
import { invalid } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import { Json } from '../platform/json.ts'
import type { ReadObjects } from '../platform/objects.ts'
import { type EventPage, type LogPosition, positionOfNow, positionSince, readAfter } from './position.ts'
import { renderEvents } from './render.ts'
import type { FeedQuery } from './schema.ts'
import { typesOf } from './type-patterns.ts'
import { reserveWait } from './waiting.ts'
import { Watch } from './watch.ts'

/** How often a waiting request polls for events of other processes. */
const pollMs = 500
/** How many pages without a wanted event one request reads. A page reads 5,000 events. */
const emptyPagesMax = 5

type FeedRequest = {
  org: Org
  caller: Caller
  cursors: Cursors
  readObjects: ReadObjects
  query: FeedQuery
  ended: () => AbortSignal
}

/**
 * The events after a cursor, oldest first. If there are none, waits up to `wait_seconds` for the first one, without a
 * database connection. An answer ends after 4 MiB, or after 25,000 events of other types.
 * @throws ValidationError at cursor; DomainError cursor_too_old, too_many; OrgBusy; unauthenticated or forbidden if the
 * caller lost the right during the wait
 */
export async function readFeed(request: FeedRequest): Promise<Json> {
  const { org, caller, cursors, query } = request
  const limited = <Result>(work: () => Promise<Result>) => limitLongReads(caller.payerId, work)
  const from = await start(org, cursors, query)
  const types = query.types ? typesOf(query.types) : null
  const wanted = { live: types, test: types }
  const read = async (position: LogPosition) => {
    const page = await limited(() =>
      org.read((tx) => readAfter(tx, position, { limit: query.limit, wanted })),
    )
    if (page.missed && position === from) throw cursorTooOld()
    return page
  }
  const { page, hasWaited } = await firstPage(request, from, read)
  const { permissions } =
    hasWaited && page.events.length > 0
      ? await org.transact((tx) => lockCallerRights(tx, caller, eventsPermission))
      : caller
  const payload = query.include === 'object' ? 'full' : 'thin'
  const options = { payload, permissions, bytesMax: answerBytesMax } as const
  const events = await limited(() => renderEvents(org, request.readObjects, page.events, options))
  const isCut = events.length < page.events.length
  const last = page.events[events.length - 1]
  const position = isCut && last ? { ...page.window, last: last.eventId } : page.position
  const cursor = cursors.seal(org.orgId, feed, { page: 1, after: JSON.stringify(position) })
  return Json.list(events).between('{"events":', `,"cursor":"${cursor}","has_more":${page.more || isCut}}`)
}

const feed = 'event feed'
/** The permission to read events. */
export const eventsPermission = 'events:read'

const cursorTooOld = () =>
  invalid(
    'cursor_too_old',
    'Events after this cursor were deleted, because this server keeps them for a limited time. Read the records again, and then continue with `since`, or without a cursor',
  )

function start(org: Org, cursors: Cursors, { cursor, since }: FeedQuery): LogPosition | Promise<LogPosition> {
  if (cursor !== undefined) return JSON.parse(cursors.open(org.orgId, feed, cursor).after)
  return org.read((tx) => (since === undefined ? positionOfNow(tx) : positionSince(tx, since)))
}

type ReadPage = (position: LogPosition) => Promise<EventPage>

/** Returns the next page with events. Empty after the wait, or after `emptyPagesMax` pages. */
async function firstPage(
  { org, caller: { payerId }, query, ended }: FeedRequest,
  from: LogPosition,
  read: ReadPage,
): Promise<{ page: EventPage; hasWaited: boolean }> {
  const deadline = performance.now() + query.wait_seconds * 1000
  const watch = new Watch(org.orgId)
  let leave: (() => void) | undefined
  let end: AbortSignal | undefined
  try {
    let page = await read(from)
    for (let empty = 1; page.events.length === 0; empty++) {
      if (page.more && empty >= emptyPagesMax) break
      if (!page.more) {
        if (end?.aborted || performance.now() >= deadline) break
        empty = 0
        leave ??= reserveWait(payerId)
        end ??= ended()
        await watch.next(Math.min(pollMs, deadline - performance.now()), end)
      }
      page = await read(page.position)
    }
    return { page, hasWaited: leave !== undefined }
  } finally {
    watch.stop()
    leave?.()
  }
}
