import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { sweepOnce } from '../../src/tracking/sweep.ts'
import { type Options, startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { newWriteKey, usageOf } from '../support/tracking-clients.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'
const address = '198.51.100.73'
const denied = { consent: { analytics_storage: 'denied' } }

/** Sends events as a browser does. */
function send(key: string | null, batch: object[], { headers = {}, ...options }: Options = {}) {
  const browser = { 'x-forwarded-for': address, 'user-agent': chrome, ...headers }
  const events = batch.map((event) => ({ type: 'page', anonymousId: 'a1', ...event }))
  return app.stranger.post(
    '/v1/batch',
    { writeKey: key, batch: events },
    { prefix: '', ...options, headers: browser as Record<string, string> },
  )
}

type Row = { visitor_id: string | null; user_key: string | null; is_bot: boolean } & Record<string, unknown>

const rowsOf = ({ orgId }: { orgId: string }) =>
  runAsOwner<Row>(
    app.databaseUrl,
    `select type, visitor_id, user_key, session_id, is_bot, name, url_path, properties, context
     from web_event where org_id = $1 order by received_at, name`,
    [orgId],
  )

const usage = (orgId: string) => usageOf(app, orgId)

describe('consent', () => {
  test('without consent to analytics, only the count of an event is stored', async () => {
    const { orgId, key } = await newWriteKey(app)
    const words = [denied, { consent: { categoryPreferences: { Analytics: false } } }, { cookieless: true }]
    for (const context of words) expect((await send(key, [{ context }])).status).toBe(200)
    expect(await rowsOf({ orgId })).toEqual([])
    expect(await usage(orgId)).toEqual({ analytics_denied: 3 })
  })

  test('consent is checked for each event of a request', async () => {
    const { orgId, key } = await newWriteKey(app)
    await send(key, [{ name: 'no', context: denied }, { name: 'yes' }])
    expect(await rowsOf({ orgId })).toMatchObject([{ name: 'yes' }])
    expect(await usage(orgId)).toEqual({ accepted: 1, analytics_denied: 1 })
  })

  test('even an API key cannot store events of people who denied consent', async () => {
    const { orgId } = await newWriteKey(app)
    const { token } = await app.newKey(orgId, { permissions: ['tracking:write'] })
    await send(token, [{ type: 'identify', userId: 'u1', traits: { email: 'a@x.example' }, context: denied }])
    expect(await rowsOf({ orgId })).toEqual([])
  })

  test.each<[string, object, Record<string, string>]>([
    ['without consent to ads', { consent: { ad_storage: 'denied' } }, {}],
    ['with Global Privacy Control in the header', {}, { 'sec-gpc': '1' }],
    ['with Global Privacy Control in the context', { gpc: true }, {}],
  ])('%s, click ids are removed, and all other members are stored', async (_what, context, headers) => {
    const { orgId, key } = await newWriteKey(app)
    const page = {
      url: 'https://x.example/a?gclid=click-1&utm_id=1',
      path: '/a',
      search: '?gclid=click-1&utm_id=1',
    }
    const event = {
      properties: { fbclid: 'click-2', plan: 'pro' },
      context: { ...context, page, click_ids: { msclkid: 'click-3' }, locale: 'en' },
    }
    await send(key, [event], { headers })
    const [row] = await rowsOf({ orgId })
    expect(row).toMatchObject({
      properties: { plan: 'pro' },
      context: { page: { url: 'https://x.example/a?utm_id=1', search: '?utm_id=1' }, locale: 'en' },
    })
    expect(JSON.stringify(row)).not.toContain('click-')
    expect(row?.visitor_id).not.toBeNull()
  })

  test('with consent, click ids are stored', async () => {
    const { orgId, key } = await newWriteKey(app)
    await send(key, [{ context: { click_ids: { gclid: 'click-1' } } }], { headers: { 'sec-gpc': '0' } })
    expect(await rowsOf({ orgId })).toMatchObject([{ context: { click_ids: { gclid: 'click-1' } } }])
  })

  test('no event without consent leaves an id or a trait in any table', async () => {
    const { orgId, key } = await newWriteKey(app)
    const { token } = await app.newKey(orgId, { permissions: ['tracking:write'] })
    const secret = 'secret-5b1e'
    const value = fc.oneof(
      fc.constant(secret),
      fc.constant({ deep: [{ id: secret }] }),
      fc.constant({ source: 'mail', id: { of: secret } }),
    )
    const members = ['anonymousId', 'userId', 'previousId', 'groupId', 'messageId', 'sessionId', 'user']
    const inside = [
      'traits',
      'userId',
      'session_id',
      'sessionId',
      'device',
      'click_ids',
      'campaign',
      'library',
    ]
    const event = fc.record({
      type: fc.constantFrom('page', 'track', 'screen', 'identify', 'group', 'alias'),
      event: fc.constant('Seen'),
      ...Object.fromEntries(members.map((name) => [name, fc.oneof(fc.constant(secret), fc.constant('a1'))])),
      traits: fc.dictionary(fc.constantFrom('email', 'name'), value),
      properties: fc.dictionary(fc.string(), value, { maxKeys: 3 }),
      context: fc
        .tuple(
          fc.dictionary(fc.constantFrom(...inside), value),
          fc.constantFrom(
            denied,
            { consent: { analytics_storage: 'no', ad_storage: 'granted' } },
            { consent: { categoryPreferences: { analytics: false } } },
            { consentManagement: { deniedConsentIds: ['Analytics'] } },
            { cookieless: true },
          ),
          fc.constantFrom({}, { webdriver: true }),
        )
        .map((parts) => Object.assign({}, ...parts)),
    })
    const events = fc.sample(event, 400)
    for (const sender of [key, token])
      for (let at = 0; at < events.length; at += 100)
        expect((await send(sender, events.slice(at, at + 100))).status).toBe(200)
    const left = (await dumpTables(app)).split('\n').filter((line) => line.includes(secret))
    expect(left).toEqual([])
    expect(
      (await rowsOf({ orgId })).filter((row) => row.visitor_id ?? row.user_key ?? row.session_id),
    ).toEqual([])
  })
})

describe('client addresses', () => {
  test('no table stores a client address, even if the event repeats it', async () => {
    const { orgId, key } = await newWriteKey(app)
    const { token } = await app.newKey(orgId, { permissions: ['tracking:write'] })
    const v6 = '2001:db8:7:7::73'
    const batch = (ip: string) => [
      { type: 'identify', userId: 'u1', traits: { ip, nested: { seen: [`from ${ip}`] } }, context: { ip } },
      {
        type: 'track',
        event: `Seen by ${ip}`,
        properties: { [ip]: 1 },
        context: { ip, sessionId: `${ip}-1` },
      },
      { name: ip, context: { ip, page: { path: `/of/${ip}`, referrer: `http://${ip}/a` } } },
      { anonymousId: ip, userId: `user ${ip}`, context: { ip } },
      { context: { consent: { analytics_storage: 'denied' }, ip } },
      { context: { webdriver: true, ip, campaign: { source: ip } } },
    ]
    for (const ip of [address, v6])
      for (const sender of [key, token]) await send(sender, batch(ip), { headers: { 'x-forwarded-for': ip } })
    expect((await rowsOf({ orgId })).length).toBeGreaterThan(10)
    const left = (await dumpTables(app))
      .split('\n')
      .filter((line) => line.includes(address) || line.includes(v6))
    expect(left).toEqual([])
  })
})

describe('bots', () => {
  const bot = { headers: { 'user-agent': chrome.replace('Chrome', 'HeadlessChrome') } }

  test('an event of a bot is stored with a mark and without ids and content, and is counted separately', async () => {
    const { orgId, key } = await newWriteKey(app)
    const event = {
      name: 'Home',
      userId: 'u1',
      properties: { a: 1 },
      context: { page: { path: '/a' }, locale: 'en' },
    }
    await send(key, [event, { type: 'identify', userId: 'u1', traits: { a: 1 } }], bot)
    await send(key, [{ name: 'Home', context: { webdriver: true, userAgent: chrome } }])
    const nobody = { visitor_id: null, user_key: null, session_id: null, is_bot: true, properties: {} }
    expect(await rowsOf({ orgId })).toMatchObject([
      { ...nobody, name: 'Home', url_path: '/a', context: {} },
      { ...nobody, type: 'identify', context: {} },
      { ...nobody, name: 'Home', context: { userAgent: chrome } },
    ])
    expect(await usage(orgId)).toEqual({ bot: 3 })
  })

  test('the latest events mark events of bots, and can be filtered by that mark', async () => {
    const org = await app.newOrg()
    const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
    await send(key, [{ name: 'person' }])
    await send(key, [{ name: 'bot' }], bot)
    const names = async (query: string) =>
      (await org.get(`/tracking/events?${query}`)).body.data.events.map(
        (event: { name: string; bot: boolean }) => [event.name, event.bot],
      )
    expect(await names('')).toEqual([
      ['bot', true],
      ['person', false],
    ])
    expect(await names('bot=true')).toEqual([['bot', true]])
    expect(await names('bot=false')).toEqual([['person', false]])
  })
})

test('events of bots are deleted after 7 days, and other events are kept', async () => {
  const { orgId, key } = await newWriteKey(app)
  const dayMs = 86_400_000
  const now = Date.now()
  const timestamp = new Date(now - 2 * dayMs)
  await send(key, [
    { name: 'old bot', timestamp, context: { webdriver: true } },
    { name: 'new bot', context: { webdriver: true } },
    { name: 'old', timestamp },
  ])
  await sweepOnce(system(app.app.context.database), () => false, now + 6 * dayMs)
  expect((await rowsOf({ orgId })).map(({ name }) => name)).toEqual(['new bot', 'old'])
})

test('an event with a known spam referrer is dropped and counted', async () => {
  const { orgId, key } = await newWriteKey(app)
  await send(key, [
    { context: { page: { referrer: 'http://Site7.semalt.com/x' } } },
    { context: { page: { referrer: 'https://www.example.org/' } } },
  ])
  expect(await usage(orgId)).toEqual({ accepted: 1, referrer_spam: 1 })
})

test('an id that programs send for everybody creates no visitor and no user', async () => {
  const { orgId, key } = await newWriteKey(app)
  const { token } = await app.newKey(orgId, { permissions: ['tracking:write'] })
  for (const sender of [key, token])
    await send(sender, [
      { anonymousId: 'null', userId: '[object Object]' },
      { anonymousId: 'a1', userId: 'undefined' },
      { anonymousId: '00000000-0000-0000-0000-000000000000', userId: 'u1' },
      { anonymousId: undefined },
    ])
  expect(await usage(orgId)).toEqual({ accepted: 4, illegal_id: 2, no_id: 2 })
  const rows = await rowsOf({ orgId })
  expect(rows.filter((row) => row.visitor_id === null).map((row) => row.user_key)).toEqual(['u1', 'u1'])
  expect(rows.filter((row) => row.visitor_id !== null).map((row) => row.user_key)).toEqual([null, null])
})
