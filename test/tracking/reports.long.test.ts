import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { finishErasures } from '../../src/tracking/store/erasure-queue.ts'
import { foldReportsOnce } from '../../src/tracking/store/fold-reports.ts'
import { keysMax } from '../../src/tracking/store/report-keys.ts'
import { deleteOldEvents } from '../../src/tracking/store/short-retention.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newLiveForm, sendForm } from '../support/form-pages.ts'
import { runs } from '../support/runs.ts'
import { newSite, postEvents, readData, sendEvents, visitorPath } from '../support/web-visitors.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())
const scope = system(app.app.context.database)

type Report = {
  totals: { views: number; visitors: number; sessions: number; events: number }
  series: { name: string; points: [number, number][] }[]
  total: number
  rows: { key: string; n: number }[]
  other: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const read = async (
  org: TestOrg,
  name: string,
  query = name === 'overview' ? 'step=day' : 'step=day&limit=100',
) => (await readData(org, `/tracking/reports/${name}?${query}`)) as Report
const rowsOf = async (org: TestOrg, name: string, query?: string) =>
  Object.fromEntries((await read(org, name, query)).rows.map(({ key, n }) => [key, n]))
const stepsOf = ({ series }: Report, name: string) =>
  (series.find((each) => each.name === name)?.points ?? []).filter(([, n]) => n > 0)

describe('reports', () => {
  test('views, visitors, sessions and events are counted once, by page, referrer, source, campaign and event', async () => {
    const { org, key } = await newSite(app)
    const page = (path: string, more: object = {}) => ({
      ...{ properties: { path }, messageId: `${path} ${JSON.stringify(more)}` },
      ...more,
    })
    const campaign = { name: 'May', source: 'newsletter', medium: 'email' }
    const events = [
      page('/', { context: { page: { referrer: 'https://www.example.org/x' }, session_id: 's1' } }),
      page('/pricing', { context: { session_id: 's1' } }),
      page('/pricing', { anonymousId: 'a2', context: { campaign, session_id: 's2' } }),
      {
        type: 'track',
        event: 'Signed Up',
        anonymousId: 'a2',
        messageId: 'm4',
        context: { session_id: 's2' },
      },
      { type: 'identify', userId: 'u1', messageId: 'm5', context: { session_id: 's1' } },
    ]
    await sendEvents(app, key, ...events)
    await sendEvents(app, key, ...events.toReversed())
    const overview = await read(org, 'overview')
    expect(overview.totals).toEqual({ views: 3, visitors: 2, sessions: 2, events: 5 })
    const names = ['views', 'visitors', 'sessions', 'events']
    expect(names.map((name) => stepsOf(overview, name).map(([, n]) => n))).toEqual([[3], [2], [2], [5]])
    expect(await rowsOf(org, 'pages')).toEqual({ '/': 1, '/pricing': 2 })
    expect(await rowsOf(org, 'referrers')).toEqual({ 'example.org': 1 })
    expect(await rowsOf(org, 'sources')).toEqual({ newsletter: 1 })
    expect(await rowsOf(org, 'campaigns')).toEqual({ May: 1 })
    expect(await rowsOf(org, 'events')).toEqual({ 'Signed Up': 1 })
    expect(await read(org, 'pages', 'step=day&limit=1')).toMatchObject({
      ...{ counted: 'views', total: 3, rows: [{ key: '/pricing', n: 2 }], other: 1 },
    })
    await foldReportsOnce(scope)
    expect(await read(org, 'overview')).toEqual(overview)
  })

  test('events of test keys, bots and referrer spam are left out; views without consent count under a daily id', async () => {
    const { org, key } = await newSite(app)
    // After the first event, the server knows the settings, and a change would take a moment to apply.
    await org.patch('/tracking/settings', { cookieless: true })
    const { key: testKey } = (await org.post('/write-keys', { name: 'Test', mode: 'test' })).body.data
    await sendEvents(app, testKey, { properties: { path: '/test' } })
    await sendEvents(app, key, { context: { webdriver: true }, properties: { path: '/bot' } })
    await sendEvents(app, key, { context: { page: { referrer: 'https://semalt.com/' } } })
    await sendEvents(app, key, { context: { cookieless: true }, properties: { path: '/shy' } })
    const { totals } = await read(org, 'overview')
    expect(totals).toEqual({ views: 1, visitors: 1, sessions: 1, events: 1 })
    expect(await rowsOf(org, 'pages')).toEqual({ '/shy': 1 })
  })

  test('a step of an hour counts its own visitors; without session ids, half an hour without events ends a session', async () => {
    const { org, key } = await newSite(app)
    const day = Math.floor(Date.now() / dayMs) * dayMs - dayMs
    const at = (hours: number, anonymousId = 'a1') => ({
      anonymousId,
      timestamp: new Date(day + hours * hourMs),
    })
    await sendEvents(app, key, at(1), at(1.25), at(1.75), at(3), at(3.1, 'a2'), at(23.9))
    const query = `step=hour&from=${day / 1000}&to=${(day + dayMs) / 1000}`
    const overview = await read(org, 'overview', query)
    const hour = (n: number) => (day + n * hourMs) / 1000
    expect(overview.totals).toEqual({ views: 6, visitors: 2, sessions: 4, events: 6 })
    expect(stepsOf(overview, 'visitors')).toEqual([
      [hour(1), 1],
      [hour(3), 2],
      [hour(23), 1],
    ])
    expect(stepsOf(overview, 'sessions')).toEqual(stepsOf(overview, 'visitors'))
    const later = await read(org, 'overview', `step=hour&from=${hour(2)}&to=${hour(23)}`)
    expect(later.totals).toEqual({ views: 2, visitors: 2, sessions: 2, events: 2 })
  })

  test('submissions are counted by form, without spam', async () => {
    const org = await app.newOrg()
    const form = await newLiveForm(org)
    const counted = async () => {
      const { total, rows, series } = await read(org, 'forms')
      const steps = (series as unknown as Report['series'][0]).points.reduce((sum, [, n]) => sum + n, 0)
      return { total, rows, steps }
    }
    await sendForm(app, form, { answers: { email: 'ada@example.com' } })
    const one = { total: 1, rows: [{ key: 'Demo', n: 1 }], steps: 1 }
    expect(await counted()).toEqual(one)
    const [{ submission_id: id }] = (await org.get('/forms/submissions')).body.data
    await org.post(`/forms/submissions/${id}/spam`)
    expect(await counted()).toEqual({ total: 0, rows: [], steps: 0 })
    await org.post(`/forms/submissions/${id}/restore`)
    expect(await counted()).toEqual(one)
  })

  test('an unknown report, a range that ends before it begins and a range that is too long are refused', async () => {
    const { org } = await newSite(app)
    expect((await org.get('/tracking/reports/paths')).status).toBe(404)
    for (const query of ['from=20&to=10', 'from=0&step=hour', 'from=0&step=day', 'limit=0', 'step=week'])
      expect([query, (await org.get(`/tracking/reports/pages?${query}`)).status]).toEqual([query, 422])
    const reader = await app.newKey(org.orgId, { permissions: ['visitors:read'] })
    expect((await reader.get('/tracking/reports/pages')).status).toBe(403)
  })

  test('a page with thousands of paths keeps 1,000 rows a day, and the totals stay exact', async () => {
    const { org, key } = await newSite(app)
    const paths = Array.from({ length: 1_200 }, (_, n) => `/${n}`)
    const views = (prefix: string) =>
      paths.map((path) => ({
        type: 'page',
        anonymousId: 'a1',
        properties: { path },
        messageId: prefix + path,
      }))
    await postEvents(app, key, views('one'))
    while (await foldReportsOnce(scope));
    await postEvents(app, key, views('two'))
    await foldReportsOnce(scope)
    const rows = await runAsOwner<{ keys: number; n: number; other: number }>(
      app.databaseUrl,
      `select count(*) filter (where key <> '')::int as keys, sum(n)::int as n, (sum(n) filter (where key = ''))::int as other
       from web_report where org_id = $1 and dimension = 'page'`,
      [org.orgId],
    )
    expect(rows).toEqual([{ keys: keysMax, n: 2_400, other: 400 }])
    const report = await read(org, 'pages', 'step=day&limit=5')
    expect(report.rows.map(({ n }) => n)).toEqual([2, 2, 2, 2, 2])
    expect(report.other).toBe(2_390)
    expect((await org.post(`${visitorPath(org)}/erase`)).status).toBe(200)
    await foldReportsOnce(scope)
    const left = await runAsOwner(app.databaseUrl, 'select n from web_report where org_id = $1', [org.orgId])
    expect(left).toEqual([])
  })

  test('reports are deleted together with the events that they count', async () => {
    const { org, key } = await newSite(app)
    await sendEvents(app, key, {}, { timestamp: new Date(Date.now() - 3 * dayMs) })
    await foldReportsOnce(scope)
    expect((await read(org, 'overview')).totals.views).toBe(2)
    await org.patch('/tracking/settings', { retention_days: 1 })
    await deleteOldEvents(scope, 180)
    expect((await read(org, 'overview')).totals).toEqual({ views: 1, visitors: 1, sessions: 1, events: 1 })
  })
})

test('reports equal their events, for any order, repetition, concurrency and erasure', async () => {
  const sent = fc.record({
    visitor: fc.nat(2),
    session: fc.option(fc.constantFrom('s1', 's2')),
    minutesAgo: fc.nat(4_000),
    path: fc.option(fc.constantFrom('/', '/a', '/b')),
    campaign: fc.option(fc.constantFrom('May', 'June')),
  })
  const lots = fc.array(fc.array(sent, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(lots, fc.nat(4), fc.infiniteStream(fc.boolean()), async (history, erased, folds) => {
      const { org, key } = await newSite(app)
      const begun = Date.now()
      const events = history.flat().map((event, n) => ({
        ...{ ...event, n, at: begun - event.minutesAgo * 60_000 },
      }))
      let from = 0
      const batches = history.map((lot) => {
        const own = events.slice(from, from + lot.length)
        from += lot.length
        return own.map(({ n, visitor, session, at, path, campaign }) => ({
          ...(path === null ? { type: 'track', event: 'Seen' } : { type: 'page', properties: { path } }),
          ...{ anonymousId: `a${visitor}`, messageId: `m${n}`, timestamp: new Date(at) },
          context: {
            ...(session && { session_id: session }),
            ...(campaign && { campaign: { name: campaign } }),
          },
        }))
      })
      const sendAll = () =>
        Promise.all(
          [...batches, ...batches].map(async (batch) => {
            await postEvents(app, key, batch)
            if (folds.next().value) await foldReportsOnce(scope)
          }),
        )
      const erasing = erased > 2 ? null : `a${erased}`
      const isErased = erasing !== null && events.some(({ visitor }) => `a${visitor}` === erasing)
      await sendAll()
      // Erase while the events are sent again.
      const erase = async () =>
        isErased && expect((await org.post(`${visitorPath(org, erasing)}/erase`)).status).toBe(200)
      await Promise.all([sendAll(), erase()])
      await finishErasures(scope)
      if (folds.next().value) await foldReportsOnce(scope)
      const left = events.filter(({ visitor }) => `a${visitor}` !== erasing)
      const views = left.filter(({ path }) => path !== null)
      const countBy = (keys: (string | null)[]) => {
        const counts: Record<string, number> = {}
        for (const key of keys) if (key !== null) counts[key] = (counts[key] ?? 0) + 1
        return counts
      }
      expect((await read(org, 'overview')).totals).toEqual({
        views: views.length,
        visitors: new Set(left.map(({ visitor }) => visitor)).size,
        sessions: sessionsOf(left),
        events: left.length,
      })
      expect(await rowsOf(org, 'pages')).toEqual(countBy(views.map(({ path }) => path)))
      expect(await rowsOf(org, 'campaigns')).toEqual(countBy(views.map(({ campaign }) => campaign)))
      expect(await rowsOf(org, 'events')).toEqual(
        left.length > views.length ? { Seen: left.length - views.length } : {},
      )
      const overview = await read(org, 'overview', 'step=hour')
      const hours = countBy(
        left
          .filter(({ at }) => at >= (overview.series[0]?.points[0]?.[0] ?? 0) * 1000)
          .map(({ at }) => String(Math.floor(at / hourMs) * 3600)),
      )
      expect(Object.fromEntries(stepsOf(overview, 'events'))).toEqual(hours)
    }),
    { numRuns: runs(4, 25) },
  )
}, 120_000)

type Visit = { visitor: number; session: string | null; at: number }

/** Session ids of each visitor; without ids, the runs of neighboring half hours of each day. */
function sessionsOf(events: readonly Visit[]): number {
  const halfHour = (at: number) => Math.floor(at / (30 * 60_000))
  const named = new Set(events.flatMap(({ visitor, session }) => (session ? [`${visitor} ${session}`] : [])))
  const slots = new Set(
    events.flatMap(({ visitor, session, at }) => (session ? [] : [`${visitor} ${halfHour(at)}`])),
  )
  const begins = [...slots].filter((slot) => {
    const [visitor, at] = slot.split(' ')
    return Number(at) % 48 === 0 || !slots.has(`${visitor} ${Number(at) - 1}`)
  })
  return named.size + begins.length
}
