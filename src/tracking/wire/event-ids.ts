import { readEmail } from '../../normalize/email.ts'
import type { Browser } from '../privacy/browser.ts'
import { readClientAddress } from '../privacy/client-address.ts'
import type { DropReason, WebEvent, WebEventType } from './event.ts'
import { readId, storableText, visitorIdOf } from './ids.ts'
import { isIllegalId } from './illegal-ids.ts'

type Members = Readonly<Record<string, unknown>>

/** The ids with which an event is stored. */
export type EventIds = Pick<WebEvent, 'visitorId' | 'userKey' | 'email' | 'sessionId'>

/** A UUID that has the same value for a browser during one day, and that nobody can compute later. */
export type DailyVisitor = (address: string, userAgent: string) => string

const sessionMax = 64
const emailMax = 320
/** Calls that only identify a person. */
const identifying: ReadonlySet<WebEventType> = new Set(['identify', 'group', 'alias'])

/** Returns the ids of an event, or the reason why it has none. */
export function idsOf({
  raw,
  payload,
  context,
  orgId,
  addresses,
}: {
  raw: Members
  /** The properties, or the traits of identify. */
  payload: Members
  context: Members
  orgId: string
  addresses: readonly string[]
}): EventIds | DropReason {
  const ids = [readId(raw.anonymousId), readId(raw.userId)]
  const isUsable = (id: string | null) =>
    id !== null && !isIllegalId(id) && !addresses.some((address) => id.includes(address))
  const [anonymousId = null, userKey = null] = ids.map((id) => (isUsable(id) ? id : null))
  if (anonymousId === null && userKey === null) return ids.every((id) => id === null) ? 'no_id' : 'illegal_id'
  const session = readId(context.session_id ?? context.sessionId)
  return {
    visitorId: anonymousId === null ? null : visitorIdOf(orgId, anonymousId),
    userKey,
    email: emailOf(payload, context, userKey),
    sessionId: isUsable(session) ? (session as string).slice(0, sessionMax) : null,
  }
}

/** Clients send the e-mail address in the traits of identify, in the properties, in the context, or as the `userId`. */
function emailOf({ email }: Members, { traits }: Members, userKey: string | null): string | null {
  const ofContext = typeof traits === 'object' && traits !== null ? (traits as Members).email : null
  for (const value of [email, ofContext, userKey]) {
    if (typeof value !== 'string' || !value.includes('@')) continue
    const read = readEmail(storableText(value.slice(0, emailMax)))
    if ('key' in read) return read.key
  }
  return null
}

/**
 * The ids of an event that must not identify a person: none, or those of a visitor for one day. An event that only
 * identifies a person is dropped. Without `dailyVisitor`, every event is dropped.
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
  const noIds = { visitorId: null, userKey: null, email: null, sessionId: null }
  if (isBot) return noIds
  if (dailyVisitor === null || identifying.has(type)) return 'analytics_denied'
  // A server sends the client address and the browser of its user in the context.
  const address = isTrusted ? readClientAddress(context.ip) : browser.address
  const agent = isTrusted ? context.userAgent : browser.userAgent
  if (address === null || typeof agent !== 'string') return noIds
  return { ...noIds, visitorId: dailyVisitor(address, agent) }
}
