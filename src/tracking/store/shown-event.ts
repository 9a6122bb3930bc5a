import { sql } from '../../platform/db/sql.ts'
import { Json } from '../../platform/json.ts'
import { mapInSlices } from '../../platform/slices.ts'
import type { WebEventType } from '../wire/event.ts'

/** An event as the API shows it. `properties` and `context` are JSON. Times are Unix seconds. */
export type ShownEvent = {
  event_id: string
  mode: 'live' | 'test'
  type: WebEventType
  name: string | null
  visitor_id: string | null
  user_key: string | null
  session_id: string | null
  url_path: string | null
  referrer_host: string | null
  bot: boolean
  properties: string
  context: string
  occurred_at: number
  received_at: number
}

/** The columns of `web_event e`. */
export const shownColumns = sql`
  e.message_key as event_id, e.mode, e.type, e.name, e.visitor_id, e.user_key, e.session_id, e.url_path, e.referrer_host,
  e.is_bot as bot, e.properties::text as properties, e.context::text as context, floor(extract(epoch from e.occurred_at))::bigint as occurred_at,
  floor(extract(epoch from e.received_at))::bigint as received_at`

/**
 * The JSON of a page of events, made in slices. An event has up to 32 KiB, so PostgreSQL's JSON is not parsed.
 * @param owner the owner of the slices
 */
export async function pageOfEvents(
  owner: string,
  events: readonly ShownEvent[],
  nextCursor: string | null,
): Promise<Json> {
  const texts = await mapInSlices(owner, events, ({ properties, context, ...event }) =>
    new Json(JSON.stringify(event))
      .with('properties', new Json(properties))
      .with('context', new Json(context)),
  )
  const list = Json.list(texts.map(({ text }) => text))
  return list.between('{"events":', `,"next_cursor":${JSON.stringify(nextCursor)}}`)
}
