import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DomainError } from '../../platform/domain-error.ts'
import { runUnsliced } from '../../platform/slices.ts'
import { allowsOrigin } from './cors.ts'
import { keyInBody, keyInRequest } from './find-key.ts'
import { batchMax, tooLargeEvent } from './large-body.ts'
import { wirePaths } from './paths.ts'
import { eventOf, inflatedBytesMax, readBatch, readingBody, textOf } from './read-body.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('the key in the headers and the query', () => {
  test.each<[string, Record<string, string>, string | null, string | null]>([
    ['the Basic header of analytics-next', { authorization: basic('wk_live_a:') }, null, 'wk_live_a'],
    ['an API key as bearer', { authorization: 'Bearer svc_live_a' }, null, 'svc_live_a'],
    ['the X-Write-Key header of Jitsu', { 'x-write-key': 'kid:secret' }, null, 'kid'],
    ['a beacon of RudderStack', {}, 'wk_live_q', 'wk_live_q'],
    ['X-Write-Key before Basic', { 'x-write-key': 'one', authorization: basic('two:') }, 'three', 'one'],
    ['Basic before the query', { authorization: basic('two:') }, 'three', 'two'],
    ['the query after an empty X-Write-Key', { 'x-write-key': ' ' }, 'three', 'three'],
    ['an unknown scheme', { authorization: 'Digest x' }, null, null],
    ['nothing', {}, null, null],
    ['no key before the secret', { authorization: basic(':secret') }, null, null],
  ])('the key of a request is found: %s', (_what, headers, query, key) => {
    expect(keyInRequest({ headers, query })).toBe(key)
  })

  test.each<[unknown, string | null]>([
    [{ writeKey: 'wk_live_b' }, 'wk_live_b'],
    [{ writeKey: 'kid:***' }, 'kid'],
    [{ writeKey: 7 }, null],
    [{}, null],
    [null, null],
    ['writeKey', null],
  ])('the body %j has the key %j', (body, key) => {
    expect(keyInBody(body)).toBe(key)
  })
})

describe('origins', () => {
  const one = ['https://www.example.com']
  const many = ['https://*.example.com']
  test.each<[readonly string[], string | undefined, boolean]>([
    [[], undefined, true],
    [[], 'https://any.example', true],
    [one, 'https://www.example.com', true],
    [one, 'HTTPS://www.example.com', true],
    [one, 'http://www.example.com', false],
    [one, 'https://www.example.com:8443', false],
    [one, 'https://www.example.com.evil.example', false],
    [one, undefined, false],
    [one, 'null', false],
    [many, 'https://shop.example.com', true],
    [many, 'https://a.b.example.com', true],
    [many, 'https://example.com', false],
    [many, 'https://.example.com', false],
    [many, 'https://evilexample.com', false],
    [many, 'http://shop.example.com', false],
    [['https://*.example.com:8443'], 'https://a.example.com:8443', true],
  ])('the allowed origins %j and the origin %s', (origins, origin, allowed) => {
    expect(allowsOrigin(origins, origin)).toBe(allowed)
  })
})

test('each tracking path is listed once, and only the path for history needs an API key', () => {
  const paths = wirePaths.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths).toEqual(expect.arrayContaining(['/v1/t', '/v1/track', '/v1/b', '/v1/batch', '/api/s/page']))
  expect(wirePaths.filter(({ needsApiKey }) => needsApiKey).map(({ path }) => path)).toEqual(['/v1/import'])
})

const refusal = async (act: () => unknown) => {
  const error = await Promise.resolve()
    .then(act)
    .catch((cause) => cause)
  expect(error).toBeInstanceOf(DomainError)
  return (error as DomainError).code
}

const parsed = (text: string) => runUnsliced(readingBody(text))

describe('bodies', () => {
  test('a body is inflated, whatever its content type', async () => {
    expect(await textOf(gzipSync('{"a":1}'), 'gzip')).toBe('{"a":1}')
    expect(await textOf(Buffer.from('{}'), undefined)).toBe('{}')
    expect(await textOf(Buffer.from('{}'), 'identity')).toBe('{}')
  })

  test('a gzip body that inflates to more than 4 MiB is refused, and exactly 4 MiB are accepted', async () => {
    const zeros = Buffer.alloc(inflatedBytesMax, 48)
    expect(await textOf(gzipSync(zeros), 'gzip')).toHaveLength(inflatedBytesMax)
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024, 48), { level: 1 })
    const before = process.memoryUsage.rss()
    expect(await refusal(() => textOf(bomb, 'gzip'))).toBe('events_too_large')
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  })

  test.each([
    ['br', Buffer.from('{}')],
    ['gzip', Buffer.from('{}')],
    ['gzip', gzipSync('{"a":1}').subarray(0, 12)],
    ['gzip, gzip', gzipSync('{}')],
  ])('the encoding %s of these bytes is refused', async (encoding, body) => {
    expect(await refusal(() => textOf(body, encoding))).toBe('events_unreadable')
  })

  test.each(['', '{', 'null', '[]', '7', '"x"', '{"batch":{}}', '{"batch":"x"}', '{}'])(
    'the batch %s is refused',
    async (text) => {
      expect(await refusal(() => readBatch(parsed(text), true))).toBe('events_unreadable')
    },
  )

  test('a batch may have 2,500 events', async () => {
    const batch = new Array(batchMax).fill({})
    expect(readBatch({ batch, sentAt: 'x' }, true)).toEqual({ events: batch, sentAt: 'x' })
    expect(await refusal(() => readBatch({ batch: [...batch, {}] }, true))).toBe('events_too_large')
    expect(readBatch({ event: 'x' }, false).events).toEqual([{ event: 'x' }])
  })

  /** With these blanks, a body is too large to be parsed at once. */
  const blank = ' '.repeat(70_000)

  test.each<[string, string]>([
    [
      'texts with brackets and quotes',
      '{"batch":[{"a":"]}\\"[{,:"},{"b":[{"batch":[1]}]}],"sentAt":"x","writeKey":"k"}',
    ],
    ['no events', '{"writeKey":"k","batch":[ ],"sentAt":7}'],
    ['escaped member names', '{"\\u0062atch":[1,null,"x",[2]],"sentAt":null}'],
    ['repeated member names', '{"batch":[{"a":1}],"batch":[{"b":2}],"sentAt":1,"sentAt":2}'],
    ['other lists and objects', '{"context":{"batch":[9],"sentAt":8},"other":[1,2],"batch":[{}]}'],
  ])('a large batch is read like a small batch: %s', (_what, text) => {
    const whole = JSON.parse(text)
    const { events, sentAt } = readBatch(parsed(text + blank), true)
    expect([events.map(eventOf), sentAt]).toEqual([whole.batch, whole.sentAt])
    expect(keyInBody(parsed(text + blank))).toBe(keyInBody(whole))
  })

  test.each([
    '{"batch":[1,]}',
    '{"batch":[1',
    '{"batch":[1]}}',
    '[{"batch":[1]}]',
    '{"batch":[{"a":}]}',
    '{"sentAt":x,"batch":[]}',
  ])('the large batch %s is refused', async (text) => {
    const read = () => readBatch(parsed(text + blank), true).events.map(eventOf)
    expect(await refusal(read)).toBe('events_unreadable')
  })

  test('an event above 64 KiB is too large, alone or in a batch', () => {
    const event = `{"event":"${blank}","writeKey":"k"}`
    expect(readBatch(parsed(event), false).events).toEqual([tooLargeEvent])
    expect(keyInBody(parsed(event))).toBe('k')
    expect(readBatch(parsed(`{"batch":[${event},{}]}`), true).events.map(eventOf)).toEqual([
      tooLargeEvent,
      {},
    ])
  })
})
