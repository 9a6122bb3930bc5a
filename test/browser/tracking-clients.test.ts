import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { chromiumOfProcess } from '../support/console.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { newWriteKey, type StoredEvent, storedEvents, useUpBurst } from '../support/tracking-clients.ts'
import { personContext, TrackedSite } from '../support/tracking-site.ts'
import { type ProxyFault, UnreliableProxy } from '../support/unreliable-proxy.ts'

const chromium = chromiumOrSkip()
const soon = { timeout: 20_000, interval: 20 }

type Client = {
  name: string
  /** A file of the package, as the page loads it. */
  file: string
  isModule?: boolean
  /** Starts the client in the page as `window.client`, with only the key and the server's address. */
  start: (given: { key: string; host: string }) => unknown
  anonymousId: string
  calls: readonly string[]
}

const analyticsNext = '@segment/analytics-next/dist/umd/index.js'
const rudder = '@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js'
const common = ['identify', 'track', 'page', 'group']

const clients: Client[] = [
  {
    name: '@segment/analytics-next',
    file: analyticsNext,
    start: ({ key, host }) =>
      Object.assign(window, {
        client: window.AnalyticsNext.AnalyticsBrowser.load({ writeKey: key, cdnURL: host }),
      }),
    anonymousId: 'client.instance.user().anonymousId()',
    calls: [...common, 'screen', 'alias'],
  },
  {
    name: '@segment/analytics-next with batches',
    file: analyticsNext,
    start: ({ key, host }) => {
      const deliveryStrategy = { strategy: 'batching', config: { size: 20, timeout: 300 } }
      Object.assign(window, {
        client: window.AnalyticsNext.AnalyticsBrowser.load(
          { writeKey: key, cdnURL: host },
          { integrations: { 'Segment.io': { deliveryStrategy } } },
        ),
      })
    },
    anonymousId: 'client.instance.user().anonymousId()',
    calls: [...common, 'screen', 'alias'],
  },
  {
    name: '@rudderstack/analytics-js',
    file: rudder,
    start: ({ key, host }) => {
      const client = new window.rudderanalytics.RudderAnalytics()
      client.load(key, host, { configUrl: host })
      Object.assign(window, { client })
    },
    anonymousId: 'client.getAnonymousId()',
    calls: [...common, 'alias'],
  },
  {
    name: '@rudderstack/analytics-js with beacons',
    file: rudder,
    start: ({ key, host }) => {
      const client = new window.rudderanalytics.RudderAnalytics()
      const beaconQueueOptions = { flushQueueInterval: 300 }
      client.load(key, host, { configUrl: host, useBeacon: true, beaconQueueOptions })
      Object.assign(window, { client })
    },
    anonymousId: 'client.getAnonymousId()',
    calls: [...common, 'alias'],
  },
  {
    name: '@jitsu/js',
    file: '@jitsu/js/dist/jitsu.es.js',
    isModule: true,
    start: ({ key, host }) =>
      Object.assign(window, { client: window.module.jitsuAnalytics({ writeKey: key, host }) }),
    anonymousId: 'client.user().anonymousId',
    calls: common,
  },
]

const said: Record<string, { args: unknown[]; stored: Partial<StoredEvent> }> = {
  identify: { args: ['u1', { plan: 'pro' }], stored: { properties: { plan: 'pro' } } },
  track: {
    args: ['Signed Up', { plan: 'pro', list: [1, null] }],
    stored: { name: 'Signed Up', properties: { plan: 'pro', list: [1, null] } },
  },
  page: { args: ['Pricing', { color: 'red' }], stored: { name: 'Pricing', properties: { color: 'red' } } },
  screen: { args: ['Start', { tab: 1 }], stored: { name: 'Start', properties: { tab: 1 } } },
  group: {
    args: ['g1', { size: 3 }],
    stored: { properties: { group_id: 'g1', traits: { size: 3 } } },
  },
  alias: { args: ['u2'], stored: {} },
}

declare global {
  interface Window {
    // biome-ignore lint/suspicious/noExplicitAny: clients that the page loads as scripts
    AnalyticsNext: any
    // biome-ignore lint/suspicious/noExplicitAny: see above
    rudderanalytics: any
    // biome-ignore lint/suspicious/noExplicitAny: see above
    module: any
    // biome-ignore lint/suspicious/noExplicitAny: see above
    client: any
  }
}

describe.runIf(chromium)('clients in a browser, unmodified', () => {
  let app: TestApp
  let address: string
  const site = new TrackedSite()
  const opened: (BrowserContext | UnreliableProxy)[] = []
  beforeAll(async () => {
    app = await startTestApp()
    address = await site.start()
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await (each instanceof UnreliableProxy ? each.stop() : each.close())
  })
  afterAll(async () => {
    site.stop()
    await app.close()
  })

  /** Opens a page of the site in a new browser. Also returns the hosts to which the page sent requests. */
  async function open({ file, isModule }: Client): Promise<{ page: Page; hosts: Set<string> }> {
    const context = await personContext(await chromiumOfProcess(chromium ?? ''))
    opened.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(patience.timeout)
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(address)
    if (isModule)
      await page.evaluate(async (url) => Object.assign(window, { module: await import(url) }), `/npm/${file}`)
    else await page.addScriptTag({ url: `/npm/${file}` })
    return { page, hosts }
  }

  const callClient = (page: Page, call: string, args: unknown[]) =>
    page.evaluate(([name, given]) => void window.client[name](...given), [call, args] as [string, unknown[]])

  /**
   * Starts a proxy that applies `first` to the first request with events. Also returns the times of these
   * requests.
   */
  async function startProxy(
    first: ProxyFault | (() => Promise<ProxyFault>),
  ): Promise<{ host: string; times: number[] }> {
    const times: number[] = []
    const proxy = new UnreliableProxy(app.address, ({ method }) => {
      if (method !== 'POST') return 'pass'
      times.push(performance.now())
      if (times.length > 1) return 'pass'
      return typeof first === 'string' ? first : first()
    })
    opened.push(proxy)
    return { host: await proxy.start(), times }
  }

  const untilStored = (orgId: string, events: unknown[]) =>
    vi.waitFor(async () => expect(await storedEvents(app.databaseUrl, orgId)).toMatchObject(events), {
      timeout: 20_000,
      interval: 50,
    })

  test.each(clients)(
    '$name: every call is stored unchanged, and no other host gets a request',
    async (client) => {
      const { orgId, key } = await newWriteKey(app, { origins: [address] })
      const { page, hosts } = await open(client)
      await page.evaluate(client.start, { key, host: app.address })
      for (const call of client.calls) await callClient(page, call, said[call]?.args ?? [])
      await untilStored(
        orgId,
        ['identify', 'track', 'page', 'screen', 'group', 'alias']
          .filter((call) => client.calls.includes(call))
          .map((type) => ({ type, ...said[type]?.stored })),
      )
      const [anonymousId] = await page.evaluate<[string]>(`Promise.all([${client.anonymousId}])`)
      const visitors = await runAsOwner<{ visitor_id: string }>(
        app.databaseUrl,
        'select distinct visitor_id from web_event where org_id = $1 and visitor_id is not null',
        [orgId],
      )
      expect(visitors).toEqual([{ visitor_id: visitorIdOf(orgId, anonymousId) }])
      expect([...hosts].toSorted()).toEqual([new URL(app.address).host, new URL(address).host].toSorted())
    },
  )

  test('@segment/analytics-next sends no metrics of its own to Segment', async () => {
    const segment = clients.find(({ name }) => name === '@segment/analytics-next') as Client
    const { orgId, key } = await newWriteKey(app)
    const { page, hosts } = await open(segment)
    await page.clock.install()
    await page.evaluate(segment.start, { key, host: app.address })
    await callClient(page, 'track', ['Seen', { n: 1 }])
    await untilStored(orgId, [{ type: 'track', name: 'Seen' }])
    // The client would send its metrics after 30 s.
    await page.clock.fastForward(60_000)
    expect([...hosts].toSorted()).toEqual([new URL(app.address).host, new URL(address).host].toSorted())
  })

  const repeating = clients.filter(({ name }) => !/jitsu|beacons/.test(name))
  const faults: ProxyFault[] = ['refuse 503', 'drop before', 'drop after']
  test.each(repeating)('$name: an event is stored once, even if its request fails', async (client) => {
    await Promise.all(
      faults.map(async (first) => {
        const { orgId, key } = await newWriteKey(app)
        const { host, times } = await startProxy(first)
        const { page } = await open(client)
        await page.evaluate(client.start, { key, host })
        await callClient(page, 'track', ['Seen', { n: 1 }])
        await vi.waitFor(() => expect(times.length).toBeGreaterThan(1), soon)
        await untilStored(orgId, [{ type: 'track', name: 'Seen', properties: { n: 1 } }])
      }),
    )
  })

  test.each(repeating)('$name: after a 429, the client waits for Retry-After', async (client) => {
    const { orgId, key } = await newWriteKey(app, { limits: { events_per_second: 1 } })
    // Use up the limit right before the request: the limit recovers within seconds, and a page can load slowly.
    const { host, times } = await startProxy(async () => {
      await useUpBurst(app, key)
      return 'pass'
    })
    const { page } = await open(client)
    await page.evaluate(client.start, { key, host })
    await callClient(page, 'track', ['Seen', { n: 1 }])
    const tracks = async () =>
      (await storedEvents(app.databaseUrl, orgId)).filter(({ type }) => type === 'track')
    await vi.waitFor(async () => expect(await tracks()).toHaveLength(1), soon)
    // Without Access-Control-Expose-Headers, analytics-next would repeat the request after 0.3 s.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(990)
  })

  test('@jitsu/js never retries, so an event is lost if its request fails', async () => {
    const jitsu = clients.find(({ name }) => name === '@jitsu/js') as Client
    const { orgId, key } = await newWriteKey(app)
    const { host } = await startProxy('refuse 503')
    const { page } = await open(jitsu)
    await page.evaluate(jitsu.start, { key, host })
    const refused = page.waitForResponse((response) => response.status() === 503)
    await callClient(page, 'track', ['Seen', { n: 1 }])
    await refused
    await callClient(page, 'track', ['Seen', { n: 2 }])
    await untilStored(orgId, [{ properties: { n: 2 } }])
  })
})
