import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { deleteOldVisitors } from '../../src/tracking/store/visitors.ts'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { makeOldDays } from '../support/old-days.ts'
import {
  type Body,
  newSite,
  readAllPages,
  readData,
  sendEvents,
  visitorPath,
} from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const dayMs = 86_400_000
const minuteMs = 60_000
const ago = (ms: number) => new Date(Date.now() - ms)
const names = (events: Body[]) => events.map(({ name }) => name)

describe('a visitor', () => {
  test('a visitor has its first and last source, its user, and the numbers of its events', async () => {
    const { org, key, server } = await newSite(app)
    const from = (campaign: object) => ({ context: { campaign } })
    await sendEvents(app, key, { ...from({ source: 'mail', name: 'May' }), timestamp: ago(3 * minuteMs) })
    await sendEvents(app, key, { ...from({ source: 'ads', medium: 'cpc' }), timestamp: ago(2 * minuteMs) })
    await sendEvents(app, key, {
      type: 'track',
      event: 'Seen',
      userId: 'u-browser',
      timestamp: ago(minuteMs),
    })
    const visitor = await readData(org, visitorPath(org))
    expect(visitor).toMatchObject({
      ...{ visitor_id: visitorIdOf(org.orgId, 'a1'), mode: 'live', events: 3, views: 2 },
      ...{ user_key: 'u-browser', user_trust: 'claimed' },
      first_source: { source: 'mail', campaign: 'May', medium: null },
      last_source: { source: 'ads', medium: 'cpc', campaign: null },
    })
    expect((visitor.last_seen_at as number) - (visitor.first_seen_at as number)).toBeCloseTo(120, -1)
    await sendEvents(app, server, { type: 'identify', userId: 'u-server' })
    await sendEvents(app, key, { userId: 'u-other' })
    expect(await readData(org, visitorPath(org))).toMatchObject({
      user_key: 'u-server',
      user_trust: 'trusted',
    })
  })

  test('a visitor has the source of its first event, even if that event arrives last', async () => {
    const { org, key } = await newSite(app)
    await sendEvents(app, key, { context: { campaign: { source: 'second' } }, timestamp: ago(minuteMs) })
    await sendEvents(app, key, { timestamp: ago(2 * minuteMs) })
    expect(await readData(org, visitorPath(org))).toMatchObject({
      first_source: null,
      last_source: { source: 'second' },
    })
  })

  test('a visitor of another organization, of the other mode or without events is a 404', async () => {
    const [{ org, key }, other] = [await newSite(app), await newSite(app)]
    await sendEvents(app, key, { name: 'mine' })
    for (const end of ['', '/events', '/sessions']) {
      expect((await other.org.get(`${visitorPath(org)}${end}`)).status).toBe(404)
      expect((await org.get(`${visitorPath(org)}${end}?mode=test`)).status).toBe(404)
      expect((await org.get(`/visitors/${randomUUID()}${end}`)).status).toBe(404)
      expect((await org.get(`${visitorPath(org)}${end}`)).status).toBe(200)
    }
    expect((await readData(other.org, '/visitors')).visitors).toEqual([])
    const key403 = await app.newKey(org.orgId, { permissions: ['tracking:manage'] })
    for (const path of ['/visitors', visitorPath(org)]) expect((await key403.get(path)).status).toBe(403)
  })

  test('a visitor belongs to a contact by its id, its address or its external ids, and shows whether the contact refused advertising', async () => {
    const { org, server } = await newSite(app)
    const add = async (body: object) => (await org.post('/contacts', body)).body.data.contact_id as string
    const [ada, other] = [
      await add({ emails: ['ada@x.example'], external_ids: { shop: 'shop-1', crm: '7', user_id: '8' } }),
      await add({ emails: ['bob@x.example'] }),
    ]
    const users = [ada, 'ada@x.example', 'shop-1', '8', '7', 'bob@x.example', 'unknown']
    await sendEvents(
      app,
      server,
      ...users.map((userId, at) => ({
        anonymousId: `a${at}`,
        userId,
        context: { gpc: userId === 'shop-1' },
      })),
    )
    const found = async (contactId: string, more = '') =>
      (await readAllPages(org, `/visitors?contact_id=${contactId}${more}`, 'visitors')).map(
        ({ user_key, ads_denied_at }) => [user_key, ads_denied_at !== null],
      )
    const ofAda = [ada, 'ada@x.example', 'shop-1', '8'].map((key) => [key, key === 'shop-1'])
    expect((await found(ada, '&limit=1')).sort()).toEqual(ofAda.toSorted())
    expect(await found(ada, '&user_key=8')).toEqual([['8', false]])
    expect(await found(other)).toEqual([['bob@x.example', false]])
    expect(await found(randomUUID())).toEqual([])
    await org.post('/duplicates/merge', { entity_type: 'contact', survivor_id: other, loser_ids: [ada] })
    expect(await found(other)).toHaveLength(5)
    expect(await found(ada)).toHaveLength(5)
  })

  test('a visitor belongs to the contact whose address it has, however the contact writes the address', async () => {
    const { org, server } = await newSite(app)
    const { contact_id: contactId } = (await org.post('/contacts', { email: 'Ada@BÜCHER.example' })).body.data
    await sendEvents(
      app,
      server,
      { type: 'identify', anonymousId: 'a1', traits: { email: 'ada@bücher.example' } },
      { type: 'identify', anonymousId: 'a2', userId: 'ada@xn--bcher-kva.example' },
    )
    const { visitors } = await readData(org, `/visitors?contact_id=${contactId}`)
    const ids = (visitors as Body[]).map(({ visitor_id: id }) => id)
    expect(ids.toSorted()).toEqual(['a1', 'a2'].map((id) => visitorIdOf(org.orgId, id)).toSorted())
    const { items } = await readData(org, `/contacts/${contactId}/activity?kinds=web_event`)
    expect(items).toHaveLength(2)
  })

  test('a visitor that names its user by an address in another form is linked to the contact with this address', async () => {
    const { org, key } = await newSite(app)
    const { contact_id: contactId } = (await org.post('/contacts', { email: 'ada@bücher.example' })).body.data
    await sendEvents(app, key, { type: 'identify', userId: 'Ada@bücher.example' })
    expect((await readData(org, visitorPath(org))).claims).toMatchObject([{ contact_ids: [contactId] }])
  })

  test('a visitor keeps an opt-out of advertising, by Global Privacy Control or by consent, and the list shows it for a user', async () => {
    const { org, server } = await newSite(app)
    const user = { userId: 'u1' }
    await sendEvents(app, server, { ...user, timestamp: ago(3 * minuteMs), context: { gpc: true } })
    await sendEvents(app, server, { ...user, timestamp: ago(minuteMs) })
    const [visitor] = (await readData(org, '/visitors?user_key=u1')).visitors as Body[]
    expect((visitor?.last_seen_at as number) - (visitor?.ads_denied_at as number)).toBeCloseTo(120, -1)
    const consent = { ad_storage: 'denied' }
    await sendEvents(app, server, { anonymousId: 'a2', context: { consent } }, { anonymousId: 'a3' })
    expect(await readData(org, visitorPath(org, 'a2'))).toMatchObject({ ads_denied_at: expect.any(Number) })
    expect(await readData(org, visitorPath(org, 'a3'))).toMatchObject({ ads_denied_at: null })
  })

  test('programs, and people who refuse analytics, do not become visitors', async () => {
    const { org, key } = await newSite(app)
    await org.patch('/tracking/settings', { cookieless: true })
    await sendEvents(app, key, { context: { webdriver: true } })
    await sendEvents(app, key, { context: { cookieless: true, userAgent: 'Mozilla/5.0' } })
    expect((await readData(org, '/visitors')).visitors).toEqual([])
  })

  test('a visitor from a test key is in test mode', async () => {
    const org = await app.newOrg()
    const { key } = (await org.post('/write-keys', { name: 'Site', mode: 'test' })).body.data
    await sendEvents(app, key, { name: 'test' })
    expect((await readData(org, '/visitors')).visitors).toEqual([])
    expect((await readData(org, '/visitors?mode=test')).visitors).toMatchObject([{ mode: 'test' }])
  })

  test('a visitor is deleted when its last event is deleted', async () => {
    const { org, key } = await newSite(app)
    await sendEvents(app, key, { timestamp: ago(5 * dayMs) })
    await sendEvents(app, key, { anonymousId: 'a2', timestamp: ago(5 * dayMs) }, { anonymousId: 'a2' })
    const firstKept = ago(4 * dayMs)
      .toISOString()
      .slice(0, 10)
    await deleteOldVisitors(system(app.app.context.database), firstKept, org.orgId)
    const { visitors } = await readData(org, '/visitors')
    expect(visitors).toMatchObject([{ visitor_id: visitorIdOf(org.orgId, 'a2') }])
  })
})

describe('the list of visitors', () => {
  test('the list of visitors begins with the latest, has every visitor once in pages, and filters', async () => {
    const { org, key } = await newSite(app)
    const count = 12
    for (let n = 0; n < count; n++)
      await sendEvents(app, key, {
        ...{ anonymousId: `a${n}`, timestamp: ago(n * 2 * minuteMs) },
        ...(n % 3 === 0 && { userId: 'shared' }),
      })
    const ids = Array.from({ length: count }, (_, n) => visitorIdOf(org.orgId, `a${n}`))
    const listed = async (query: string) =>
      (await readAllPages(org, `/visitors?${query}`, 'visitors')).map(({ visitor_id: id }) => id)
    expect(await listed('limit=5')).toEqual(ids)
    expect(await listed('limit=3&user_key=shared')).toEqual(ids.filter((_, n) => n % 3 === 0))
    const since = Math.floor((Date.now() - 5 * minuteMs) / 1000)
    expect(await listed(`since=${since}`)).toEqual(ids.slice(0, 3))
    const { next_cursor } = await readData(org, '/visitors?limit=5')
    expect((await org.get(`/visitors?limit=5&user_key=shared&cursor=${next_cursor}`)).status).toBe(422)
  })
})

describe('the timeline', () => {
  test('the timeline lists events by the time when they happened, in pages and in a range', async () => {
    const { org, key } = await newSite(app)
    const at = (n: number) => new Date(Date.now() - n * 7 * 3_600_000)
    const order = Array.from({ length: 20 }, (_, n) => n)
    const shuffled = fc.sample(fc.shuffledSubarray(order, { minLength: 20 }), 1)[0]!
    for (const n of shuffled)
      await sendEvents(app, key, { name: `n${n}`, messageId: `m${n}`, timestamp: at(n) })
    await sendEvents(app, key, { name: 'other', anonymousId: 'a2' })
    const path = `${visitorPath(org)}/events`
    expect(names(await readAllPages(org, `${path}?limit=3`, 'events'))).toEqual(order.map((n) => `n${n}`))
    const [since, until] = [9.5, 4.5].map((n) => Math.floor(at(n).getTime() / 1000))
    expect(names(await readAllPages(org, `${path}?limit=2&since=${since}&until=${until}`, 'events'))).toEqual(
      ['n5', 'n6', 'n7', 'n8', 'n9'],
    )
    const { next_cursor } = await readData(org, `${path}?limit=3`)
    expect((await org.get(`${visitorPath(org, 'a2')}/events?limit=3&cursor=${next_cursor}`)).status).toBe(422)
  })

  test('the timeline has late events of an API key at the time when they happened', async () => {
    const { org, key, server } = await newSite(app)
    await sendEvents(app, key, { name: 'today' })
    const body = {
      batch: [{ type: 'page', name: 'old', anonymousId: 'a1', timestamp: '2020-05-05T00:00:00Z' }],
    }
    const headers = { authorization: `Bearer ${server}` }
    expect((await app.stranger.post('/v1/import', body, { prefix: '', headers })).status).toBe(200)
    const events = await readAllPages(org, `${visitorPath(org)}/events?limit=1`, 'events')
    expect(names(events)).toEqual(['today', 'old'])
    expect(names(await readAllPages(org, `${visitorPath(org)}/events?until=1600000000`, 'events'))).toEqual([
      'old',
    ])
  })

  test('a timeline of many days has every event once, in order, for any page size', async () => {
    const org = await app.newOrg()
    const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
    await sendEvents(app, key, { name: 'first' })
    const id = visitorIdOf(org.orgId, 'a1')
    await makeOldDays(app, 48)
    await runAsOwner(
      app.databaseUrl,
      `insert into web_event (org_id, mode, day, message_key, occurred_at, received_at, is_late, visitor_id, type, name, trust,
         properties, context)
       select $1, 'live', (now() at time zone 'UTC')::date - n, gen_random_uuid(),
         now() - n * interval '1 day' - (n % 5) * interval '2 days', now() - n * interval '1 day', false, $2, 'page', 'n' || n, 0,
         '{}', '{}'
       from generate_series(9, 48) as n`,
      [org.orgId, id],
    )
    await runAsOwner(
      app.databaseUrl,
      'update visitor set days = array(select distinct day from web_event where org_id = $1 and visitor_id = $2 order by 1) where org_id = $1',
      [org.orgId, id],
    )
    const at = (n: number) => n + (n % 5) * 2
    const expected = Array.from({ length: 40 }, (_, n) => n + 9).sort((one, other) => at(one) - at(other))
    for (const limit of [1, 7, 100]) {
      const events = await readAllPages(org, `/visitors/${id}/events?limit=${limit}`, 'events')
      const times = events.map(({ occurred_at }) => occurred_at as number)
      expect(times).toEqual(times.toSorted((one, other) => other - one))
      expect(events).toHaveLength(41)
      expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(41)
      expect(new Set(names(events))).toEqual(new Set(['first', ...expected.map((n) => `n${n}`)]))
    }
  })
})

test('the sessions of a visitor are listed in pages', async () => {
  const { org, key } = await newSite(app)
  const view = (path: string, minutesAgo: number, context: object = {}) => ({
    context: { page: { path }, ...context },
    timestamp: ago(minutesAgo * minuteMs),
  })
  await sendEvents(app, key, view('/a', 200, { campaign: { source: 'mail' } }), view('/b', 190))
  await sendEvents(app, key, view('/c', 100, { session_id: 's2' }), view('/d', 95, { session_id: 's2' }))
  await sendEvents(app, key, { ...view('/d', 94), type: 'track', event: 'Seen' }, view('/e', 1))
  const expected = [
    { session_id: null, entry_path: '/e', exit_path: '/e', events: 1, views: 1, source: null },
    { session_id: 's2', entry_path: '/c', exit_path: '/d', events: 3, views: 2, source: null },
    { session_id: null, entry_path: '/a', exit_path: '/b', events: 2, views: 2, source: { source: 'mail' } },
  ]
  for (const limit of [1, 2, 25])
    expect(await readAllPages(org, `${visitorPath(org)}/sessions?limit=${limit}`, 'sessions')).toMatchObject(
      expected,
    )
})
