import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { DailySalts } from '../../src/tracking/store/daily-salts.ts'
import { sweepOnce } from '../../src/tracking/sweep.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { usageOf } from '../support/tracking-clients.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const dayMs = 86_400_000
const chrome = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${version}.0.0.0`
const denied = { consent: { analytics_storage: 'denied' } }

/** A site whose visitors refuse analytics. */
async function newSite(settings: object = { cookieless: true }): Promise<{ org: TestOrg; key: string }> {
  const org = await app.newOrg()
  const { key } = (await org.post('/write-keys', { name: 'Site' })).body.data
  expect((await org.patch('/tracking/settings', settings)).status).toBe(200)
  return { org, key }
}

async function view(key: string, event: object = {}, headers: object = {}): Promise<void> {
  const browser = { 'x-forwarded-for': '198.51.100.73', 'user-agent': chrome(150), ...headers }
  const batch = [{ type: 'page', anonymousId: 'a1', context: denied, ...event }]
  const answer = await app.stranger.post(
    '/v1/batch',
    { writeKey: key, batch },
    { prefix: '', headers: browser as Record<string, string> },
  )
  expect(answer.status).toBe(200)
}

const rowsOf = ({ orgId }: TestOrg) =>
  runAsOwner<{ visitor_id: string | null; type: string } & Record<string, unknown>>(
    app.databaseUrl,
    `select type, name, visitor_id, user_key, session_id, url_path, referrer_host, properties, context
     from web_event where org_id = $1 order by received_at, type`,
    [orgId],
  )

const visitorsOf = async (org: TestOrg) => [
  ...new Set((await rowsOf(org)).map(({ visitor_id: visitorId }) => visitorId)),
]

describe('views without consent to analytics', () => {
  test('views without consent are counted with page, referrer and campaign, but without ids, if the organization allows it', async () => {
    const { org, key } = await newSite()
    const context = {
      ...denied,
      page: { path: '/a', referrer: 'https://www.example.org/' },
      campaign: { source: 'news', of: { id: 'u1' } },
      session_id: 's1',
    }
    const said = { userId: 'u1', properties: { email: 'a@x.example' }, context }
    await view(key, { ...said, name: 'Home' })
    await view(key, { ...said, type: 'track', event: 'Bought' })
    await view(key, { type: 'identify', userId: 'u1', traits: { email: 'a@x.example' } })
    const visitor = {
      ...{ visitor_id: expect.stringMatching(/^[0-9a-f-]{14}8/), user_key: null, session_id: null },
      ...{ url_path: '/a', referrer_host: 'www.example.org', properties: {} },
      context: { campaign: { source: 'news' } },
    }
    expect(await rowsOf(org)).toEqual([
      { ...visitor, type: 'page', name: 'Home' },
      { ...visitor, type: 'track', name: 'Bought' },
    ])
    expect(await usageOf(app, org.orgId)).toEqual({ accepted: 2, analytics_denied: 1 })
  })

  test('views without consent need no id', async () => {
    const { org, key } = await newSite()
    await view(key, { anonymousId: undefined, context: { cookieless: true } })
    expect(await visitorsOf(org)).toHaveLength(1)
  })

  test('views of one browser get one visitor id, and another browser, address or site gets another id', async () => {
    const [{ org, key }, other] = [await newSite(), await newSite()]
    await view(key)
    await view(key, { anonymousId: 'a2' })
    expect(await visitorsOf(org)).toHaveLength(1)
    await view(key, {}, { 'user-agent': chrome(151) })
    await view(key, {}, { 'x-forwarded-for': '198.51.100.74' })
    await view(other.key)
    const all = [...(await visitorsOf(org)), ...(await visitorsOf(other.org))]
    expect([all.length, new Set(all).size]).toEqual([4, 4])
  })

  test('views that a server sends get a visitor id from the address and the browser in the context, or no id', async () => {
    const { org } = await newSite()
    const { token } = await app.newKey(org.orgId, { permissions: ['tracking:write'] })
    const context = { ...denied, ip: '198.51.100.80', userAgent: chrome(150) }
    await view(token ?? '', { context })
    await view(token ?? '', { context })
    await view(token ?? '', { context: { ...denied, userAgent: chrome(150) } })
    const visitors = (await rowsOf(org)).map(({ visitor_id: visitorId }) => visitorId)
    expect(visitors).toEqual([expect.any(String), visitors[0], null])
    expect(await dumpTables(app)).not.toContain('198.51.100.80')
  })

  test('views without consent are dropped as soon as the organization no longer allows them', async () => {
    const { org, key } = await newSite()
    await view(key)
    await org.patch('/tracking/settings', { cookieless: false })
    const countAfterView = async () => {
      await view(key)
      return (await usageOf(app, org.orgId)).analytics_denied ?? 0
    }
    await expectWithin(2_000, async () => (await countAfterView()) > 0, true)
  })
})

describe('the secret of a day', () => {
  const scope = system(app.app.context.database)

  test('the secret of a day is the same for all processes, and the next day has another secret', async () => {
    const at = Date.now() + 40 * dayMs
    const [one, other] = [new DailySalts(scope, () => at), new DailySalts(scope, () => at)]
    const [salt, same] = await Promise.all([one.today(), other.today()])
    expect(salt).toEqual(same)
    expect(salt).toHaveLength(32)
    expect(await new DailySalts(scope, () => at + dayMs).today()).not.toEqual(salt)
  })

  test('the secret of a day is deleted after the day, so that nobody can compute the ids of that day again', async () => {
    const { key } = await newSite()
    await view(key)
    const salts = () =>
      runAsOwner<{ day: string }>(
        app.databaseUrl,
        `select day from tracking_salt where day <= current_date`,
        [],
      )
    expect(await salts()).toHaveLength(1)
    await sweepOnce(scope, () => false, Date.now() + dayMs)
    expect(await salts()).toEqual([])
  })
})

describe('Do Not Track', () => {
  test.each<[string, object, object]>([
    ['the header', {}, { dnt: '1' }],
    ['the context', { context: { dnt: true } }, {}],
  ])(
    'an event with Do Not Track in %s is refused only if the organization respects Do Not Track',
    async (_where, said, headers) => {
      const [respects, ignores] = [
        await newSite({ respect_dnt: true }),
        await newSite({ respect_dnt: false }),
      ]
      for (const { key } of [respects, ignores]) await view(key, { context: {}, ...said }, headers)
      expect(await usageOf(app, respects.org.orgId)).toEqual({ analytics_denied: 1 })
      expect(await usageOf(app, ignores.org.orgId)).toEqual({ accepted: 1 })
    },
  )
})
