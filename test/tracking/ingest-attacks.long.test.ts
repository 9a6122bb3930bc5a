import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { type Options, sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { headOf } from '../support/half-sent.ts'
import { fromNewAddress, newAddress } from '../support/new-address.ts'
import { RawConnection } from '../support/raw-http.ts'
import { longestTurn } from '../support/turns.ts'
import { countsOf } from '../support/web-event-counts.ts'

// Each request has its own client address, so that they do not share a rate limit.
const app = await sharedTestApp()
afterAll(() => app.close())

const post = (path: string, body: unknown, { headers = {}, ...options }: Options = {}) =>
  app.stranger.post(path, body, {
    ...{ prefix: '', ...options },
    headers: { ...fromNewAddress(), ...headers },
  })

async function newKey(body: object = {}): Promise<{ org: TestOrg; key: string }> {
  const org = await app.newOrg()
  const { data } = (await org.post('/write-keys', { name: 'Site', ...body })).body
  return { org, key: data.key }
}

const track = (messageId: string, more: object = {}) => ({
  ...{ type: 'track', event: 'Seen', anonymousId: 'a1', messageId },
  ...more,
})

const usage = ({ orgId }: TestOrg, mode: 'live' | 'test' = 'live') =>
  app.app.context.database.org(orgId).read((tx) => countsOf(tx, mode))

const rowsOf = ({ orgId }: TestOrg) =>
  runAsOwner<{ type: string; mode: string; trust: number }>(
    app.databaseUrl,
    'select type, mode, trust::int from web_event where org_id = $1 order by received_at',
    [orgId],
  )

describe('costs', () => {
  const from = (address: string, key?: string) => ({
    headers: { 'x-forwarded-for': address, ...(key && { 'x-write-key': key }) },
  })
  const zipped = (text: string) => ({ raw: gzipSync(text), headers: { 'content-encoding': 'gzip' } })

  test('unreadable requests count against the budget too', async () => {
    const { key } = await newKey()
    for (const sender of [from('10.9.1.1', key), from('10.9.1.2')]) {
      const send = () => post('/v1/t', undefined, { ...sender, raw: '{' })
      const answers: Awaited<ReturnType<typeof send>>[] = []
      // On a busy machine, 130 requests may take so long that none is refused.
      while (!answers.some(({ status }) => status === 429))
        answers.push(...(await Promise.all(Array.from({ length: 130 }, send))))
      const last = answers.filter(({ status }) => status === 429)
      expect(answers.map(({ status }) => status)).toContain(400)
      expect(last.length).toBeGreaterThan(0)
      expect(last.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
    }
  })

  test('compressed bodies of another address overtake the bodies of one address without a key', async () => {
    const { org, key } = await newKey()
    const large = zipped(`{"anonymousId":"a","event":"e","a":"${'x'.repeat(4_000_000)}"}`)
    let answered = 0
    const headers = { ...large.headers, 'x-forwarded-for': '10.9.3.1' }
    const flood = Array.from({ length: 30 }, () =>
      post('/v1/t', undefined, { raw: large.raw, headers }).then(() => answered++),
    )
    const small = zipped(JSON.stringify({ ...track('small'), writeKey: key }))
    const { status } = await post('/v1/t', undefined, { raw: small.raw, headers: small.headers })
    expect(status).toBe(200)
    expect(answered).toBeLessThan(25)
    await Promise.all(flood)
    expect(await usage(org)).toEqual({ accepted: 1 })
  })

  test('a large body counts by its size before it is parsed, with a write key and without one', async () => {
    const { key } = await newKey()
    const { raw, headers } = zipped(
      `{"anonymousId":"a","event":"e","properties":{"a":"${'x'.repeat(3 << 20)}"}}`,
    )
    for (const [sender, status] of [
      [from('10.9.2.1', key), 200],
      [from('10.9.2.2'), 401],
    ] as const) {
      const send = () => post('/v1/t', undefined, { raw, headers: { ...headers, ...sender.headers } })
      expect((await send()).status).toBe(status)
      expect((await send()).status).toBe(429)
    }
  })

  test.each([
    ['an address', 5_000, 1_000, 400],
    ['a write key', 1, 40, 429],
  ])(
    'while %s is over its budget, its compressed bodies are refused unread',
    async (_what, rate, count, fromOther) => {
      const [{ key }, other] = [await newKey({ limits: { events_per_second: rate } }), await newKey()]
      const batch = Array.from({ length: count }, (_, n) => track(`m${n}`))
      const send = (address: string, raw: Uint8Array | string, sender = key) =>
        post('/v1/batch', undefined, {
          raw,
          headers: { ...from(address, sender).headers, 'content-encoding': 'gzip' },
        })
      const readable = gzipSync(JSON.stringify({ batch }))
      const [address, neighbor] = [newAddress(), newAddress()]
      const sent = [await send(address, readable), await send(address, readable)]
      expect(sent.map(({ status }) => status)).toEqual([200, 429])
      const refused = await send(address, 'not gzip')
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
      expect((await send(neighbor, 'not gzip')).status).toBe(fromOther)
      expect((await send(neighbor, 'not gzip', other.key)).status).toBe(400)
    },
  )

  test.each([
    ['values', `{"a":[${'[],'.repeat(300_000)}0]}`],
    ['members', `{"a":[${'{"a":0},'.repeat(200_000)}0]}`],
    ['levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('a body with too many %s is refused before it is parsed', async (_what, text) => {
    const { key } = await newKey()
    const { raw, headers } = zipped(text)
    const answer = await post('/v1/t', undefined, { raw, headers: { ...headers, 'x-write-key': key } })
    expect([answer.status, answer.body.code]).toEqual([400, 'events_too_large'])
  })

  test.each([
    ['quotes', '/v1/batch', 120, `"${'\\"'.repeat(16_000)}"`],
    ['values', '/v1/batch', 120, `[${'1,'.repeat(2_000)}1]`],
    ['one list', '/v1/batch', 1, `[${'1,'.repeat(249_000)}1]`],
    ['one object', '/v1/t', 1, `{${Array.from({ length: 249_000 }, (_, n) => `"k${n}":1`)}}`],
    ['one text', '/v1/t', 1, `"${'a\\u0000'.repeat(500_000)}"`],
  ])('a large body of %s blocks the thread only for short turns', async (_what, path, n, value) => {
    const { org, key } = await newKey()
    const event = `{"type":"track","event":"e","userId":"u","properties":{"a":${value}}}`
    const { raw, headers } = zipped(
      n === 1 && path === '/v1/t' ? event : `{"batch":[${new Array(n).fill(event)}]}`,
    )
    const send = async () => {
      const sent = await post(path, undefined, { raw, headers: { ...headers, 'x-write-key': key } })
      expect(sent.status).toBe(200)
    }
    expect(await longestTurn(send)).toBeLessThan(60)
    expect(await usage(org)).toEqual(n === 1 ? { too_large: 1 } : { accepted: n })
  })

  test('slow bodies with a write key use no memory that belongs to the organization’s API requests', async () => {
    const { org, key } = await newKey()
    const head = headOf('/v1/batch', 1 << 20, [`X-Write-Key: ${key}`])
    const halves = Array.from({ length: 80 }, () =>
      new RawConnection(app.address).send(head).send(Buffer.alloc(32 * 1024, ' ')),
    )
    try {
      const items = Array.from({ length: 100 }, (_, n) => ({
        first_name: 'x'.repeat(200),
        last_name: `${n}`,
      }))
      for (let n = 0; n < 20; n++) {
        const began = performance.now()
        expect((await org.post('/contacts/batch', { items })).status).toBe(200)
        expect(performance.now() - began).toBeLessThan(5_000)
      }
    } finally {
      for (const { socket } of halves) socket.destroy()
    }
  })
})

describe('trust', () => {
  const headersOf = ({ token }: TestOrg) => ({ authorization: `Bearer ${token}` })

  test('an event of a write key does not count as a duplicate of an event of an API key', async () => {
    const { org, key } = await newKey()
    const headers = headersOf(await app.newKey(org.orgId, { permissions: ['tracking:write'] }))
    for (let n = 0; n < 2; n++) {
      expect((await post('/v1/t', track('order-1', { writeKey: key }))).status).toBe(200)
      expect((await post('/v1/t', track('order-1'), { headers })).status).toBe(200)
    }
    expect((await rowsOf(org)).map(({ trust }) => trust)).toEqual([0, 3])
    expect(await usage(org)).toEqual({ accepted: 2, duplicate: 2 })
  })

  test.each(['0000-01-01T00:00:00Z', -99_999_999_999_999, 'years apart'])(
    'an impossible time (%s) in an event of an API key becomes the time of receipt without an effect on other events',
    async (said) => {
      const { org } = await newKey()
      const headers = headersOf(await app.newKey(org.orgId, { permissions: ['tracking:write'] }))
      const times =
        said === 'years apart'
          ? { timestamp: '0001-01-01T00:00:00Z', sentAt: '9999-12-31T00:00:00Z' }
          : { timestamp: said }
      const answer = await post('/v1/batch', { batch: [track('m1', times), track('m2')] }, { headers })
      expect([answer.status, await usage(org)]).toEqual([200, { accepted: 2 }])
    },
  )
})
