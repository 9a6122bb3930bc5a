import { isObject } from '../../platform/members.ts'
import { readUrl } from '../../platform/read-url.ts'
import { isAutomated } from '../privacy/bots.ts'
import type { Browser } from '../privacy/browser.ts'
import { jsonWithoutAddresses, readClientAddress, withoutAddresses } from '../privacy/client-address.ts'
import { readConsent } from '../privacy/consent.ts'
import { isReferrerSpam } from '../privacy/referrer-spam.ts'
import { correctClock, dayOf, readTime } from './clock.ts'
import { contentOf, contentWithoutPerson } from './content.ts'
import { type DropReason, eventTypes, trust, type WebEvent, type WebEventType } from './event.ts'
import { type DailyVisitor, idsOf, idsWithoutConsent } from './event-ids.ts'
import { messageKeyOf, readId, storableText } from './ids.ts'
import { jsonText, shapeFaultOf } from './json-text.ts'
import { tooLargeEvent } from './large-body.ts'
import { contextWithoutProof, type FindVerified, proofOf, type VerifiedUser } from './proof.ts'
import { sourceOf } from './source.ts'

const eventBytesMax = 32 * 1024
const propertiesMax = 255
const nameMax = 200
const pathMax = 1_024

/** The facts about an event besides its own members. */
export type EventFacts = {
  orgId: string
  /** The type that the path implies; null: the type is in the event. */
  type: WebEventType | null
  /** `sentAt` of the batch. */
  sentAt: unknown
  /** Unix milliseconds. */
  receivedAt: number
  /** True for an API key, whose values are trusted. */
  isTrusted: boolean
  /** The types that the key may send. */
  allowed: ReadonlySet<WebEventType>
  browser: Browser
  /** The users whom the proofs of this request confirm; null: there are no proofs. */
  findVerified: FindVerified | null
  /** Whether the organization respects Do Not Track. */
  respectsDnt: boolean
  /** The daily id that page views of people without consent get; null: their events are dropped. */
  dailyVisitor: DailyVisitor | null
}

type Members = Readonly<Record<string, unknown>>

/**
 * Reads one event in the format of Segment, RudderStack or Jitsu. Never throws: an invalid event is dropped, and the
 * others of its request are stored.
 */
export function readEvent(raw: unknown, receipt: EventFacts): WebEvent | DropReason {
  if (raw === tooLargeEvent) return 'too_large'
  if (!isObject(raw)) return 'not_an_object'
  const type = receipt.type ?? eventTypes.find((each) => each === raw.type)
  if (type === undefined) return 'unknown_type'
  if (!receipt.allowed.has(type)) return 'purpose_not_allowed'
  const user = type === 'identify' ? verifiedUser(raw, receipt) : null
  const context = contextWithoutProof(isObject(raw.context) ? raw.context : {}, user)
  const payload = user?.by === 'token' ? (user.traits ?? {}) : payloadOf(raw, type)
  if (countOf(raw.properties) > propertiesMax || countOf(raw.traits) > propertiesMax)
    return 'too_many_properties'
  const fault = shapeFaultOf(payload) ?? shapeFaultOf(context)
  if (fault !== null) return fault
  const { browser, receivedAt, isTrusted, orgId } = receipt
  const consent = readConsent(context, browser, receipt.respectsDnt)
  const isBot = isAutomated(context, browser.userAgent)
  const isPerson = consent.analytics && !isBot
  const addresses = [browser.address, readClientAddress(context.ip)].filter((address) => address !== null)
  const ids = isPerson
    ? idsOf({ raw: user ? { ...raw, userId: user.userKey } : raw, payload, context, orgId, addresses })
    : idsWithoutConsent({ ...receipt, type, context, isBot })
  if (typeof ids === 'string') return ids
  const page = isObject(context.page) ? context.page : {}
  const properties = isObject(raw.properties) ? raw.properties : {}
  const referrerHost = hostOf(page.referrer ?? properties.referrer)
  if (referrerHost !== null && isReferrerSpam(referrerHost)) return 'referrer_spam'
  const cut = (text: string | null) => text && (withoutAddresses(text, addresses) || null)
  const name = cut(nameOf(raw, type))
  if (name === null && type === 'track') return 'no_event_name'
  const isView = type === 'page' || type === 'screen'
  const content = isPerson
    ? contentOf(payload, context, { isView, ads: consent.ads })
    : contentWithoutPerson(context, isBot)
  if (Buffer.byteLength(content.properties) + Buffer.byteLength(content.context) > eventBytesMax)
    return 'too_large'
  const source = isBot ? null : sourceOf(context, properties, { referrerHost, ads: isPerson && consent.ads })
  const at = readTime(raw.originalTimestamp) ?? readTime(raw.timestamp)
  const sentAt = readTime(raw.sentAt) ?? readTime(receipt.sentAt)
  return {
    ...{ type, name, day: dayOf(at, receivedAt), messageKey: messageKeyOf(raw.messageId, receipt.isTrusted) },
    ...correctClock({ at, sentAt, receivedAt, isTrusted }),
    ...{ receivedAt, isBot, isCookieless: !isPerson && !isBot, ...ids },
    urlPath: cut(pathOf(page.path ?? properties.path) ?? pathOf(page.url ?? properties.url)),
    referrerHost: cut(referrerHost),
    source: source && jsonWithoutAddresses(jsonText(source), addresses),
    trust: trustOf(receipt, ids.userKey, user),
    deniesAds: isPerson && !consent.ads,
    properties: jsonWithoutAddresses(content.properties, addresses),
    context: jsonWithoutAddresses(content.context, addresses),
  }
}

function verifiedUser(raw: Members, { findVerified, isTrusted }: EventFacts): VerifiedUser | null {
  const proof = findVerified && !isTrusted ? proofOf(raw) : null
  return proof && findVerified ? findVerified(proof) : null
}

function trustOf({ isTrusted }: EventFacts, userKey: string | null, user: VerifiedUser | null): number {
  if (isTrusted) return trust.apiKey
  return userKey === null ? trust.none : user ? trust.verified : trust.claimed
}

/** Track events have their name in `event`, pages and screens in `name`. Jitsu has it in the properties. */
function nameOf(raw: Members, type: WebEventType): string | null {
  const ofPage = raw.name ?? (isObject(raw.properties) ? raw.properties.name : null)
  const name = type === 'track' ? raw.event : type === 'page' || type === 'screen' ? ofPage : null
  if (typeof name !== 'string') return null
  const shown = storableText(storableText(name).trim().slice(0, nameMax))
  return shown === '' ? null : shown
}

function payloadOf(raw: Members, type: WebEventType): Members {
  const traits = isObject(raw.traits) ? raw.traits : {}
  if (type === 'identify') return isObject(raw.traits) ? traits : traitsOfContext(raw)
  if (type === 'group') return { group_id: readId(raw.groupId), traits }
  if (type === 'alias') return { previous_id: readId(raw.previousId) }
  return isObject(raw.properties) ? raw.properties : {}
}

/** RudderStack's browser client sends the traits of the user only in the context. */
function traitsOfContext({ context }: Members): Members {
  return isObject(context) && isObject(context.traits) ? context.traits : {}
}

/** Returns the path of an address, without its query: the query may hold tokens. */
function pathOf(address: unknown): string | null {
  if (typeof address !== 'string' || address === '') return null
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  return storableText(storableText(path).slice(0, pathMax)) || '/'
}

function hostOf(address: unknown): string | null {
  return readUrl(address)?.hostname.slice(0, 255) || null
}

const countOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : 0)
