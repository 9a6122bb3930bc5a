import type { Source } from '../wire/source.ts'

const idleMs = 30 * 60_000

/** The parts of an event that decide its session. `at` is in Unix milliseconds. */
export type SessionEvent = {
  at: number
  message_key: string
  session_id: string | null
  type: string
  url_path: string | null
  source: Source | null
}

/** The events of one session, oldest first. */
export type Session = { sessionId: string | null; campaign: string | null; events: SessionEvent[] }

/**
 * Splits the events of a visitor into sessions. Clients send a session id. An event without a session id belongs to the
 * session of the event before it, unless 30 minutes passed in between, or the event comes from another campaign.
 * @param events oldest first
 */
export function sessionsOf(events: readonly SessionEvent[]): Session[] {
  const sessions: Session[] = []
  for (const event of events) {
    const last = sessions.at(-1)
    const campaign = campaignOf(event)
    if (last && continues(last, event, campaign)) {
      last.events.push(event)
      last.sessionId ??= event.session_id
      last.campaign = campaign ?? last.campaign
    } else sessions.push({ sessionId: event.session_id, campaign, events: [event] })
  }
  return sessions
}

function continues(
  { sessionId, campaign, events }: Session,
  event: SessionEvent,
  next: string | null,
): boolean {
  if (sessionId !== null && event.session_id !== null) return sessionId === event.session_id
  const idle = event.at - (events.at(-1)?.at ?? event.at)
  return idle <= idleMs && (next === null || next === campaign)
}

/** Returns the campaign and the click id of an event; null: it has none. */
function campaignOf({ source }: SessionEvent): string | null {
  const { source: name, medium, campaign, term, content, ad_click: clickId } = source ?? {}
  const parts = [name, medium, campaign, term, content, clickId]
  return parts.some((part) => part !== undefined) ? JSON.stringify(parts) : null
}
