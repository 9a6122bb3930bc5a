import { correctClock, dayOf, readTime } from './clock.ts'
import { type DropReason, eventTypes, trust, type WebEvent, type WebEventType } from './event.ts'
import { messageKeyOf, readId, storable, visitorIdOf } from './ids.ts'
import { isTooDeep, jsonText } from './json-text.ts'

const eventBytesMax = 32 * 1024
const propertiesMax = 255
const nameMax = 200
const pathMax = 1_024

/** What is known of an event besides its own members. */
export type Receipt = {
  orgId: string
  /** The type that the path says; null: the event says it. */
  type: WebEventType | null
  /** `sentAt` of the batch. */
  sentAt: unknown
  /** Unix milliseconds. */
  receivedAt: number
  /** True for an API key, whose word is trusted. */
  isTrusted: boolean
  /** The types that the key may send. */
  allowed: ReadonlySet<WebEventType>
}

type Members = Readonly<Record<string, unknown>>

/** Reads one event of the dialects of Segment, RudderStack and Jitsu. Never throws: a bad event is dropped alone. */
export function readEvent(raw: unknown, receipt: Receipt): WebEvent | DropReason {
  if (!isObject(raw)) return 'not_an_object'
  const type = receipt.type ?? eventTypes.find((each) => each === raw.type)
  if (type === undefined) return 'unknown_type'
  if (!receipt.allowed.has(type)) return 'purpose_not_allowed'
  const [anonymousId, userKey] = [readId(raw.anonymousId), readId(raw.userId)]
  if (anonymousId === null && userKey === null) return 'no_id'
  const name = nameOf(raw, type)
  if (name === null && type === 'track') return 'no_event_name'
  const said = payloadOf(raw, type)
  const context = isObject(raw.context) ? raw.context : {}
  if (countOf(raw.properties) > propertiesMax || countOf(raw.traits) > propertiesMax)
    return 'too_many_properties'
  if (isTooDeep(said) || isTooDeep(context)) return 'too_deep'
  // No IP address is stored.
  const texts = { properties: jsonText(said), context: jsonText({ ...context, ip: undefined }) }
  const bytes = Buffer.byteLength(texts.properties) + Buffer.byteLength(texts.context)
  if (bytes > eventBytesMax) return 'too_large'
  const at = readTime(raw.originalTimestamp) ?? readTime(raw.timestamp)
  const sentAt = readTime(raw.sentAt) ?? readTime(receipt.sentAt)
  const { receivedAt, isTrusted, orgId } = receipt
  const page = isObject(context.page) ? context.page : {}
  const properties = isObject(raw.properties) ? raw.properties : {}
  return {
    ...{ type, name, day: dayOf(at, receivedAt), messageKey: messageKeyOf(raw.messageId, receipt.isTrusted) },
    ...correctClock({ at, sentAt, receivedAt, isTrusted }),
    receivedAt,
    visitorId: anonymousId === null ? null : visitorIdOf(orgId, anonymousId),
    userKey,
    sessionId: readId(context.session_id ?? context.sessionId)?.slice(0, 64) ?? null,
    urlPath: pathOf(page.path ?? properties.path) ?? pathOf(page.url ?? properties.url),
    referrerHost: hostOf(page.referrer ?? properties.referrer),
    trust: isTrusted ? trust.apiKey : userKey === null ? trust.none : trust.claimed,
    ...texts,
  }
}

/** Track events have their name in `event`, pages and screens in `name`. Jitsu has it in the properties. */
function nameOf(raw: Members, type: WebEventType): string | null {
  const ofPage = raw.name ?? (isObject(raw.properties) ? raw.properties.name : null)
  const name = type === 'track' ? raw.event : type === 'page' || type === 'screen' ? ofPage : null
  if (typeof name !== 'string') return null
  const shown = storable(storable(name).trim().slice(0, nameMax))
  return shown === '' ? null : shown
}

function payloadOf(raw: Members, type: WebEventType): Members {
  const traits = isObject(raw.traits) ? raw.traits : {}
  if (type === 'identify') return isObject(raw.traits) ? traits : traitsOfContext(raw)
  if (type === 'group') return { group_id: readId(raw.groupId), traits }
  if (type === 'alias') return { previous_id: readId(raw.previousId) }
  return isObject(raw.properties) ? raw.properties : {}
}

/** RudderStack's browser client has the traits of the user in the context alone. */
function traitsOfContext({ context }: Members): Members {
  return isObject(context) && isObject(context.traits) ? context.traits : {}
}

/** The path of an address, without its query: the query may hold tokens. */
function pathOf(address: unknown): string | null {
  if (typeof address !== 'string' || address === '') return null
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  return storable(storable(path).slice(0, pathMax)) || '/'
}

function hostOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  return new URL(address).hostname.slice(0, 255) || null
}

const countOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : 0)

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
