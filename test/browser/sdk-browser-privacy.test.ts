import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { callSdk, leave, SdkVisitors, snippetOf } from '../support/sdk-visitors.ts'

const chromium = chromiumOrSkip()
const denied = "{consent:{analytics_storage:'denied',ad_storage:'denied'}}"

describe.runIf(chromium)('the script for web pages', () => {
  let visitors: SdkVisitors
  beforeAll(async () => {
    visitors = await SdkVisitors.start(chromium ?? '')
  })
  afterEach(() => visitors.closeAll())
  afterAll(() => visitors.close())

  /** The data that the browser stores for a site: cookies and localStorage. */
  async function kept(context: BrowserContext): Promise<string[]> {
    const { cookies, origins } = await context.storageState()
    const names = origins.flatMap(({ localStorage }) => localStorage.map(({ name }) => name))
    return [...cookies.map(({ name }) => `cookie ${name}`), ...names]
  }

  test('the script stores nothing and sends nothing while consent is denied', async () => {
    const scene = await visitors.scene({ options: denied })
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await callSdk(page, 'track', 'Seen')
    await callSdk(page, 'identify', 'u1')
    await leave(page)
    expect(await kept(context)).toEqual([])
    expect(scene.gate.batches).toEqual([])
  })

  test('the script counts the page when consent is given, and deletes all its data when consent is withdrawn', async () => {
    const scene = await visitors.scene({ options: denied })
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene, '/?utm_source=a&gclid=x')
    await callSdk(page, 'track', 'Before')
    await callSdk(page, 'consent', 'update', { analytics_storage: 'granted' })
    await callSdk(page, 'track', 'After')
    await callSdk(page, 'consent', 'update', { ad_storage: 'granted' })
    await callSdk(page, 'track', 'With ads')
    await leave(page)
    const events = await visitors.stored(scene, 3)
    expect(events.map(({ name, context: { click_ids, consent } }) => [name, click_ids, consent])).toEqual([
      [null, undefined, { analytics_storage: 'granted', ad_storage: 'denied' }],
      ['After', undefined, { analytics_storage: 'granted', ad_storage: 'denied' }],
      ['With ads', { gclid: 'x' }, { analytics_storage: 'granted', ad_storage: 'granted' }],
    ])
    expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(1)

    const next = await visitors.open(context, scene)
    expect(await kept(context)).toContain('cookie cw_id')
    await callSdk(next, 'consent', 'update', { analytics_storage: 'denied' })
    expect(await kept(context)).toEqual([])
    await leave(next)
    expect(await kept(context)).toEqual([])
  })

  test('a default consent that is set before init applies to the first event', async () => {
    const scene = await visitors.scene({
      snippet: (host, key) =>
        snippetOf(host, key).replace(
          "crosswalk('init'",
          "crosswalk('track','Early');crosswalk('consent','default',{analytics_storage:'denied'});crosswalk('init'",
        ),
    })
    const context = await visitors.visitor()
    await leave(await visitors.open(context, scene))
    expect(await kept(context)).toEqual([])
    expect(scene.gate.batches).toEqual([])
  })

  test('events wait for an update of consent as long as wait_for_update says', async () => {
    const scene = await visitors.scene({
      options: "{consent:{analytics_storage:'denied',wait_for_update:60000}}",
    })
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await callSdk(page, 'track', 'Seen')
    expect(await kept(context)).toEqual([])
    await callSdk(page, 'consent', 'update', { analytics_storage: 'granted' })
    await leave(page)
    expect(await visitors.stored(scene, 2)).toMatchObject([{ type: 'page' }, { name: 'Seen' }])
  })

  test('in cookieless mode, the script sends views and track events without any id', async () => {
    const scene = await visitors.scene({
      options: "{cookieless:true,consent:{analytics_storage:'denied'}}",
    })
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await callSdk(page, 'identify', 'u1')
    await callSdk(page, 'track', 'Seen')
    await leave(page)
    expect(await kept(context)).toEqual([])
    await expect.poll(() => scene.gate.batches.length).toBe(1)
    const { events = [] } = scene.gate.batches[0] ?? {}
    expect(events).toMatchObject([
      { type: 'page', context: { cookieless: true, consent: { analytics_storage: 'denied' } } },
      { type: 'track', event: 'Seen', context: { cookieless: true } },
    ])
    for (const event of events) {
      expect(Object.keys(event)).not.toContain('anonymousId')
      expect(Object.keys(event)).not.toContain('userId')
      expect(event.context.session_id).toBeUndefined()
    }
  })

  test('Global Privacy Control removes click ids, and events report the setting', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    )
    const page = await visitors.open(context, scene, '/?utm_source=a&gclid=x&fbclid=y&li_fat_id=z')
    await leave(page)
    const [event] = await visitors.stored(scene, 1)
    expect(event?.context).toMatchObject({ gpc: true, campaign: { source: 'a' } })
    expect(JSON.stringify(event)).not.toMatch(/clid|li_fat_id/)
  })

  test.each([
    ['is reported in events', '', 1],
    ['denies storage with respectDnt', '{respectDnt:true}', 0],
  ])('Do Not Track %s', async (_what, options, count) => {
    const scene = await visitors.scene({ options })
    const context = await visitors.visitor(() =>
      Object.defineProperty(navigator, 'doNotTrack', { value: '1' }),
    )
    const page = await visitors.open(context, scene)
    await callSdk(page, 'consent', 'update', { analytics_storage: 'granted' })
    await leave(page)
    const events = await visitors.stored(scene, count)
    for (const event of events) expect(event.context.dnt).toBe(true)
    if (count === 0) expect(await kept(context)).toEqual([])
  })

  test('the script works under a strict Content-Security-Policy', async () => {
    const scene = await visitors.scene({
      csp: (host) =>
        `default-src 'none'; script-src 'nonce-n1' ${host}; connect-src ${host}; require-trusted-types-for 'script'`,
    })
    const page = await (await visitors.visitor()).newPage()
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.goto(visitors.urlOf(scene))
    await page.waitForFunction(() => 'isLoaded' in window.crosswalk)
    await callSdk(page, 'track', 'Seen')
    await leave(page)
    await visitors.stored(scene, 2)
    expect(messages).toEqual([])
  })

  test('the script loads with its integrity hash, and does not load with another hash', async () => {
    const { body } = await visitors.app.stranger.get('/sdk/integrity.json', { prefix: '' })
    const pinned = (integrity: string) => (host: string, key: string) =>
      snippetOf(host, key)
        .replace('src="', `integrity="${integrity}" crossorigin="anonymous" src="`)
        .replace('v1.js', '1.1.0.js')
    const right = await visitors.scene({ snippet: pinned(body['1.1.0.js']) })
    const wrong = await visitors.scene({ snippet: pinned(body['1.1.0.mjs']) })
    const context = await visitors.visitor()
    await leave(await visitors.open(context, right))
    await visitors.stored(right, 1)
    const page = await context.newPage()
    await page.goto(visitors.urlOf(wrong), { waitUntil: 'load' })
    expect(await page.evaluate(() => 'isLoaded' in window.crosswalk)).toBe(false)
  })

  test('if the script is blocked, calls of the page throw no error', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    await context.route('**/sdk/v1.js', (route) => route.abort())
    const page = await context.newPage()
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(visitors.urlOf(scene), { waitUntil: 'load' })
    for (const call of [['track', 'Seen'], ['identify', 'u1'], ['reset'], ['consent', 'update', {}]])
      await callSdk(page, ...call)
    expect(errors).toEqual([])
    expect(await kept(context)).toEqual([])
  })

  test('the script throws no error into the page, for any arguments', async () => {
    const scene = await visitors.scene()
    const page = await (await visitors.visitor()).newPage()
    const [errors, warnings]: string[][] = [[], []]
    page.on('pageerror', (error) => errors?.push(error.message))
    page.on('console', (message) => warnings?.push(message.text()))
    await page.goto(visitors.urlOf(scene))
    await page.waitForFunction(() => 'isLoaded' in window.crosswalk)
    await page.evaluate(() => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      window.crosswalk('track', 'Circle', circle)
      window.crosswalk('track', 'Large', { text: 'x'.repeat(40_000) })
      window.crosswalk('track')
      window.crosswalk('identify', null)
      window.crosswalk('group', ' ')
      window.crosswalk('consent')
      window.crosswalk('toString')
      window.crosswalk('init')
      window.crosswalk('track', 'Seen')
    })
    await leave(page)
    await visitors.stored(scene, 2)
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(7)
  })

  test('the script works without storage, as in some frames', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor(() => {
      const refuse = () => {
        throw new DOMException('denied', 'SecurityError')
      }
      Object.defineProperty(window, 'localStorage', { get: refuse })
      Object.defineProperty(navigator, 'locks', { value: { request: refuse } })
    })
    const page = await visitors.open(context, scene)
    await page.evaluate(() => {
      for (let at = 0; at < 20; at++) window.crosswalk('track', 'Seen', { at })
    })
    const events = await visitors.stored(scene, 21)
    expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1)
  })
})
