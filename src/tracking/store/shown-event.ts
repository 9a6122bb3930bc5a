import { sql } from '../../platform/db/sql.ts'
import type { WebEventType } from '../wire/event.ts'

/** An event as the API shows it. Times are Unix seconds. */
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
  properties: Record<string, unknown>
  context: Record<string, unknown>
  occurred_at: number
  received_at: number
}

/** The columns of `web_event e`. */
export const shownColumns = sql`
  e.message_key as event_id, e.mode, e.type, e.name, e.visitor_id, e.user_key, e.session_id, e.url_path, e.referrer_host,
  e.is_bot as bot, e.properties, e.context, floor(extract(epoch from e.occurred_at))::bigint as occurred_at,
  floor(extract(epoch from e.received_at))::bigint as received_at`
