import type { Org } from '../../platform/db/org.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import { latestEvents, type ReceiptPosition } from '../store/latest.ts'
import type { WebEventPage, WebEventQuery } from './schema.ts'

/**
 * A page of the latest events, newest first by the time of their receipt.
 * @throws ValidationError if the cursor is not of this list with these filters
 */
export async function listWebEvents(org: Org, cursors: Cursors, query: WebEventQuery): Promise<WebEventPage> {
  const {
    type,
    name,
    visitor_id: visitorId,
    session_id: sessionId,
    bot: isBot,
    mode,
    since,
    limit,
    cursor,
  } = query
  const list = JSON.stringify(['web events', type, name, visitorId, sessionId, isBot, mode, since])
  const position = cursor === undefined ? null : cursors.open(org.orgId, list, cursor)
  const after = position && (JSON.parse(position.after) as ReceiptPosition)
  const filter = {
    type,
    name,
    visitorId,
    sessionId,
    isBot,
    mode,
    since: since === undefined ? undefined : since * 1000,
  }
  const { events, next } = await org.read((tx) => latestEvents(tx, filter, { limit, after }))
  const page = (position?.page ?? 1) + 1
  return {
    events,
    next_cursor: next && cursors.seal(org.orgId, list, { after: JSON.stringify(next), page }),
  }
}
