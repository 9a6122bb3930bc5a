import type { Browser } from '../privacy/browser.ts'
import { readAddress } from '../privacy/client-address.ts'
import type { DropReason, WebEvent, WebEventType } from './event.ts'
import { readId, visitorIdOf } from './ids.ts'
import { isIllegalId } from './illegal-ids.ts'

type Members = Readonly<Record<string, unknown>>

/** The ids with which an event is stored. */
export type EventIds = Pick<WebEvent, 'visitorId' | 'userKey' | 'sessionId'>

/** A UUID that has the same value for a browser during one day, and that nobody can compute later. */
export type DailyVisitor = (address: string, userAgent: string) => string

const sessionMax = 64
/** Calls that only identify a person. */
const identifying: ReadonlySet<WebEventType> = new Set(['identify', 'group', 'alias'])

/** The ids that an event says, or why it has none. */
export function idsOf({
  raw,
  context,
  orgId,
  addresses,
}: {
  raw: Members
  context: Members
  orgId: string
  addresses: readonly string[]
}): EventIds | DropReason {
  const said = [readId(raw.anonymousId), readId(raw.userId)]
  const isUsable = (id: string | null) =>
    id !== null && !isIllegalId(id) && !addresses.some((address) => id.includes(address))
  const [anonymousId = null, userKey = null] = said.map((id) => (isUsable(id) ? id : null))
  if (anonymousId === null && userKey === null)
    return said.every((id) => id === null) ? 'no_id' : 'illegal_id'
  const session = readId(context.session_id ?? context.sessionId)
  return {
    visitorId: anonymousId === null ? null : visitorIdOf(orgId, anonymousId),
    userKey,
    sessionId: isUsable(session) ? (session as string).slice(0, sessionMax) : null,
  }
}

/**
 * The ids of an event that must not lead to a person: none, or those of a day's visitor. An event that only identifies a
 * person is dropped. Without `dailyVisitor`, every event is dropped.
 */
export function idsWithoutConsent({
  type,
  context,
  isBot,
  isTrusted,
  browser,
  dailyVisitor,
}: {
  type: WebEventType
  context: Members
  isBot: boolean
  isTrusted: boolean
  browser: Browser
  dailyVisitor: DailyVisitor | null
}): EventIds | DropReason {
  const noIds = { visitorId: null, userKey: null, sessionId: null }
  if (isBot) return noIds
  if (dailyVisitor === null || identifying.has(type)) return 'analytics_denied'
  // A server says the address and the browser of its user in the context.
  const address = isTrusted ? readAddress(context.ip) : browser.address
  const agent = isTrusted ? context.userAgent : browser.userAgent
  if (address === null || typeof agent !== 'string') return noIds
  return { ...noIds, visitorId: dailyVisitor(address, agent) }
}
