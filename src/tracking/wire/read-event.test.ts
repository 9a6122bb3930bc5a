import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noBrowser } from '../privacy/browser.ts'
import { dropReasons, eventTypes, type WebEvent } from './event.ts'
import { type EventFacts, readEvent } from './read-event.ts'

const orgId = '019b76da-a800-7000-9000-000000000001'
const receivedAt = Date.UTC(2026, 10, 24, 12)
const receipt: EventFacts = {
  ...{ orgId, type: null, sentAt: '2026-11-24T12:00:00Z', receivedAt, isTrusted: false },
  allowed: new Set(eventTypes),
  ...{ browser: noBrowser, respectsDnt: false, dailyVisitor: null, findVerified: null },
}
const base = { type: 'track', event: 'Signed Up', anonymousId: 'a1', messageId: 'm1' }
const read = (raw: unknown, more: Partial<EventFacts> = {}) => readEvent(raw, { ...receipt, ...more })
const stored = (raw: unknown, more: Partial<EventFacts> = {}): WebEvent => {
  const event = read(raw, more)
  if (typeof event === 'string') throw new Error(`dropped: ${event}`)
  return event
}
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

// Events that unmodified clients sent.
const dialects: [string, unknown, Partial<EventFacts>, Partial<WebEvent>][] = [
  [
    'analytics-next',
    {
      ...{
        timestamp: '2026-11-24T11:59:00Z',
        event: 'Signed Up',
        type: 'track',
        properties: { plan: 'pro' },
      },
      context: {
        page: { path: '/a', referrer: 'https://Search.example/q?x', url: 'https://x.example/a?token=1' },
        ip: '192.0.2.1',
      },
      ...{
        messageId: 'ajs-1',
        anonymousId: 'a1',
        userId: 'u1',
        writeKey: 'wk',
        sentAt: '2026-11-24T12:00:00Z',
      },
    },
    { type: 'track' },
    {
      ...{ type: 'track', name: 'Signed Up', userKey: 'u1', trust: 1, urlPath: '/a' },
      ...{ referrerHost: 'search.example', occurredAt: receivedAt - 60_000, properties: '{"plan":"pro"}' },
    },
  ],
  [
    'analytics-node with an API key',
    { type: 'identify', userId: 'u1', traits: { email: 'a@x.example' }, timestamp: '2026-11-24T11:00:00Z' },
    { isTrusted: true },
    {
      ...{
        type: 'identify',
        visitorId: null,
        userKey: 'u1',
        trust: 3,
        properties: '{"email":"a@x.example"}',
      },
      ...{ occurredAt: receivedAt - 3_600_000, name: null },
    },
  ],
  [
    "RudderStack's identify in a browser",
    { type: 'identify', userId: 'u1', context: { traits: { plan: 'pro' } } },
    {},
    { type: 'identify', properties: '{"plan":"pro"}' },
  ],
  [
    "Jitsu's page",
    { type: 'page', anonymousId: 'a1', properties: { name: 'Pricing', color: 'red' } },
    {},
    { type: 'page', name: 'Pricing', properties: '{"name":"Pricing","color":"red"}' },
  ],
  [
    "Crosswalk's own script",
    {
      ...{ type: 'page', anonymousId: 'a1' },
      context: {
        page: {
          url: 'https://x.example/b',
          path: '/b',
          title: 'Prices',
          referrer: 'https://search.example',
        },
        session_id: 's1',
      },
    },
    {},
    { type: 'page', sessionId: 's1', urlPath: '/b', referrerHost: 'search.example' },
  ],
  [
    'RudderStack before identify',
    {
      ...{
        type: 'page',
        name: 'Home',
        userId: '',
        anonymousId: 'a1',
        originalTimestamp: '2026-11-24T11:59:59Z',
      },
      ...{ properties: { path: '/b?x=1' }, context: { sessionId: 1795341849603 } },
    },
    {},
    { type: 'page', name: 'Home', userKey: null, trust: 0, sessionId: '1795341849603', urlPath: '/b' },
  ],
  [
    'Jitsu',
    { type: 'group', groupId: 'g1', userId: null, anonymousId: 'a1', traits: { size: 3 } },
    { type: 'group' },
    { type: 'group', properties: '{"group_id":"g1","traits":{"size":3}}' },
  ],
  [
    'alias',
    { type: 'alias', previousId: 'a1', userId: 'u1' },
    {},
    { type: 'alias', properties: '{"previous_id":"a1"}' },
  ],
]

test.each(dialects)('an event of %s is read', (_client, raw, more, expected) => {
  expect(stored(raw, more)).toMatchObject(expected)
})

describe('a bad event is dropped alone', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'not_an_object'],
    ['a list', [base], 'not_an_object'],
    ['a text', 'track', 'not_an_object'],
    ['an unknown type', { ...base, type: 'delete' }, 'unknown_type'],
    ['the type __proto__', { ...base, type: '__proto__' }, 'unknown_type'],
    ['no ids', { ...base, anonymousId: undefined }, 'no_id'],
    ['empty ids', { ...base, anonymousId: '', userId: ' ' }, 'no_id'],
    ['an object as id', { ...base, anonymousId: {} }, 'no_id'],
    ['no name', { ...base, event: undefined }, 'no_event_name'],
    ['101 levels', { ...base, properties: nested(101) }, 'too_deep'],
    ['10,000 levels', { ...base, context: nested(5_000) }, 'too_deep'],
    [
      '256 properties',
      { ...base, properties: Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`p${at}`, 1])) },
      'too_many_properties',
    ],
    ['2,001 lists', { ...base, properties: { a: Array(2_000).fill([]) } }, 'too_many_properties'],
    ['32 KiB', { ...base, properties: { a: 'x'.repeat(32 * 1024) } }, 'too_large'],
  ])('a bad event is dropped alone: %s', (_what, raw, reason) => {
    expect(read(raw)).toBe(reason)
    expect(dropReasons).toContain(reason)
  })

  test('an event of a type that the write key may not send is dropped alone', () => {
    expect(read(base, { allowed: new Set(['identify']) })).toBe('purpose_not_allowed')
  })
})

test('an event with 100 levels, 255 properties or almost 32 KiB is stored', () => {
  const properties = Object.fromEntries(Array.from({ length: 254 }, (_, at) => [`p${at}`, at]))
  const deep = nested(99)
  expect(stored({ ...base, properties: { ...properties, deep } }).properties).toContain('"deep"')
  expect(stored({ ...base, properties: { a: 'x'.repeat(32_000) } }).type).toBe('track')
})

test('no column stores an IP address or the query of a URL', () => {
  const context = { ip: '192.0.2.1', page: { url: 'https://x.example/reset?token=secret#a' } }
  const event = stored({ ...base, context })
  expect(event.context).not.toContain('192.0.2.1')
  expect(event.urlPath).toBe('/reset')
  expect(JSON.parse(event.context).page.url).toBe('https://x.example/reset')
  const properties = { url: 'https://x.example/a?token=secret&utm_source=mail', search: '?token=secret' }
  expect(JSON.parse(stored({ ...base, type: 'page', properties }).properties)).toEqual({
    ...{ url: 'https://x.example/a?utm_source=mail', search: '' },
  })
  expect(JSON.parse(stored({ ...base, properties }).properties)).toEqual(properties)
})

test('text that PostgreSQL cannot store is cleaned, and nothing else changes', () => {
  const properties = { 'a\0': '\ud800x\0', b: '\\u0000', c: '😀' }
  expect(JSON.parse(stored({ ...base, properties }).properties)).toEqual({
    a: '\ufffdx',
    b: '\\u0000',
    c: '😀',
  })
  expect(stored({ ...base, event: 'a\0b\udc00' }).name).toBe('ab\ufffd')
})

test('equal messageIds get equal message keys, and different messageIds get different ones', () => {
  const { messageKey } = stored(base)
  // Strict validators, such as generated zod schemas, refuse a UUID without a version and a variant.
  for (const messageId of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', undefined]) {
    const id = stored({ ...base, messageId }).messageKey
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(stored({ ...base, sentAt: '2026-11-24T13:00:00Z' }).messageKey).toBe(messageKey)
  expect(stored({ ...base, messageId: 'm2' }).messageKey).not.toBe(messageKey)
  const keys = [stored({ ...base, messageId: undefined }), stored({ ...base, messageId: undefined })]
  expect(keys[0]?.messageKey).not.toBe(keys[1]?.messageKey)
})

test('an anonymousId is one visitor in an organization, and a different visitor in another organization', () => {
  const { visitorId } = stored(base)
  expect(visitorId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(stored({ ...base, messageId: 'm2' }).visitorId).toBe(visitorId)
  const other = '019b76da-a800-7000-9000-000000000002'
  expect(stored(base, { orgId: other }).visitorId).not.toBe(visitorId)
})

const value = fc.anything({ withNullPrototype: true, maxDepth: 3 })
const member = fc.constantFrom(
  ...['type', 'event', 'name', 'anonymousId', 'userId', 'groupId', 'messageId', 'timestamp', 'sentAt'],
  ...['originalTimestamp', 'properties', 'traits', 'context'],
)

test('any JSON is either stored as a valid event or dropped, without an error', () => {
  fc.assert(
    fc.property(fc.dictionary(member, value), fc.boolean(), (members, isTrusted) => {
      const raw = JSON.parse(
        JSON.stringify({ ...base, ...members }, (_key, item) => (typeof item === 'bigint' ? 1 : item)),
      )
      const event = read(raw, { isTrusted })
      if (typeof event === 'string') {
        expect(dropReasons).toContain(event)
        return
      }
      expect(event.occurredAt).toBeLessThanOrEqual(receivedAt)
      expect(event.day).toMatch(/^2026-11-(1[7-9]|2[0-5])$/)
      expect(event.visitorId ?? event.userKey).not.toBeNull()
      for (const text of [event.name, event.userKey, event.urlPath, event.properties, event.context])
        expect(text === null || (text.isWellFormed() && !text.includes('\0'))).toBe(true)
      expect(JSON.parse(event.properties)).toBeTypeOf('object')
      expect(Buffer.byteLength(event.properties + event.context)).toBeLessThanOrEqual(32 * 1024)
    }),
    { numRuns: 2_000 },
  )
})
