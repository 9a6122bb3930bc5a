import type { Org } from '../../platform/db/org.ts'
import { takeTurn } from '../../platform/db/turns.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import { PlaceIn } from '../../platform/http/place-in.ts'
import type { Json } from '../../platform/json.ts'
import { latestEvents, type ReceiptPosition } from '../store/latest.ts'
import { pageOfEvents } from '../store/shown-event.ts'
import type { WebEventQuery } from './schema.ts'

/**
 * A page of the latest events, newest first by the time of their receipt.
 * @throws ValidationError if the cursor is not of this list with these filters
 */
export async function listWebEvents(org: Org, cursors: Cursors, query: WebEventQuery): Promise<Json> {
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
  const filters = ['web events', type, name, visitorId, sessionId, isBot, mode, since]
  const place = new PlaceIn<ReceiptPosition>(cursors, org, filters, cursor)
  const filter = {
    type,
    name,
    visitorId,
    sessionId,
    isBot,
    mode,
    since: since === undefined ? undefined : since * 1000,
  }
  const read = () => org.read((tx) => latestEvents(tx, filter, { limit, after: place.after }))
  const isFiltered = Object.values(filter).some((each) => each !== undefined)
  const { events, next } = await (isFiltered ? takeTurn(org.payerId, read) : read())
  return pageOfEvents(org.payerId, events, place.seal(next))
}
