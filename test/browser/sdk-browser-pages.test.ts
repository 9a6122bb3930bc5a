import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { callSdk, domain, leave, SdkVisitors } from '../support/sdk-visitors.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the script for web pages', () => {
  let visitors: SdkVisitors
  beforeAll(async () => {
    visitors = await SdkVisitors.start(chromium ?? '')
  })
  afterEach(() => visitors.closeAll())
  afterAll(() => visitors.close())

  const withoutNavigationApi = () => Reflect.deleteProperty(window, 'navigation')

  test.each([
    ['the Navigation API', undefined],
    ['wrapped history methods', withoutNavigationApi],
  ])(
    'the script counts a view for each new path of a single-page application, with %s',
    async (_way, prepare) => {
      const scene = await visitors.scene()
      const page = await visitors.open(await visitors.visitor(prepare), scene, '/a')
      const path = `/${scene.name}`
      await page.evaluate((to) => {
        history.pushState(null, '', `${to}/a?filter=1`)
        history.pushState(null, '', `${to}/b`)
        document.title = 'B'
        history.replaceState(null, '', '#part')
        window.crosswalk('track', 'On B')
        history.pushState(null, '', `${to}/c`)
        document.title = 'C'
      }, path)
      await page.goBack()
      await page.waitForURL(`**${path}/b#part`)
      await leave(page)
      const events = await visitors.stored(scene, 5)
      expect(events.map(({ name, url_path, context }) => [name, url_path, context.page.title])).toEqual([
        [null, `${path}/a`, 'Shop'],
        [null, `${path}/b`, 'B'],
        ['On B', `${path}/b`, 'B'],
        [null, `${path}/c`, 'C'],
        [null, `${path}/b`, 'C'],
      ])
      expect(events.map(({ context }) => context.page.referrer?.replace(/.*(?=\/)/, ''))).toEqual([
        undefined,
        ...['/a', '/a', '/b', '/c'],
      ])
    },
  )

  /** Leaves a page by a link, goes back, and returns whether it is the same page, or why the browser did not keep it. */
  async function goBack(page: Page): Promise<true | string[]> {
    const session = await page.context().newCDPSession(page)
    const reasons: string[] = []
    session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
      reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
    )
    await session.send('Page.enable')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.click('a')
    await page.waitForURL('**/other')
    await page.evaluate(() => history.back()).catch(() => {})
    await page.waitForURL('**/s*')
    const isSame = await page.evaluate(() => 'isSame' in window)
    return isSame || reasons.sort()
  }

  // Headless Chromium has no back-forward cache. With CHROMIUM=<a Chromium with windows>, the page really returns.
  test('the script allows the back-forward cache, and counts the return of a page', async () => {
    const [scene, bare] = [await visitors.scene(), await visitors.scene({ snippet: () => '' })]
    const context = await visitors.visitor()
    const control = await context.newPage()
    await control.goto(visitors.urlOf(bare))
    const page = await visitors.open(context, scene)
    await page.evaluate(() => {
      for (let at = 0; at < 20; at++) window.crosswalk('track', 'Seen', { at })
    })
    const returned = await goBack(page)
    expect(returned).toEqual(await goBack(control))
    if (returned !== true) {
      await page.waitForFunction(() => 'isLoaded' in window.crosswalk)
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    }
    await leave(page)
    const events = await visitors.stored(scene, returned === true ? 22 : 23)
    expect(events.filter(({ type }) => type === 'page')).toHaveLength(returned === true ? 2 : 3)
  })

  test('the script counts a prerendered page only when the page is shown', async () => {
    const scene = await visitors.scene()
    // Headless Chromium prerenders pages, but never shows them.
    const context = await visitors.visitor(() => {
      let prerendering = true
      Object.defineProperty(document, 'prerendering', { get: () => prerendering })
      document.addEventListener('shown', () => {
        prerendering = false
        document.dispatchEvent(new Event('prerenderingchange'))
      })
    })
    const dropped = await visitors.open(context, scene)
    await callSdk(dropped, 'track', 'Never shown')
    await leave(dropped)
    expect(await context.cookies()).toEqual([])
    const page = await visitors.open(context, scene)
    await callSdk(page, 'track', 'Shown')
    await page.evaluate(() => document.dispatchEvent(new Event('shown')))
    await leave(page)
    const events = await visitors.stored(scene, 2)
    expect(events.map(({ type, name }) => name ?? type).sort()).toEqual(['Shown', 'page'])
  })

  test('with pages: false, the script counts only calls of page()', async () => {
    const scene = await visitors.scene({ options: '{pages:false}' })
    const page = await visitors.open(await visitors.visitor(), scene)
    await callSdk(page, 'page', 'Prices', { currency: 'EUR' })
    await leave(page)
    expect(await visitors.stored(scene, 1)).toMatchObject([
      { type: 'page', name: 'Prices', properties: { currency: 'EUR' } },
    ])
  })

  test('a session begins after 30 minutes without an event, and with another campaign', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(visitors.urlOf(scene, '/?utm_source=a&gclid=x'))
    await page.waitForFunction(() => 'isLoaded' in window.crosswalk)
    await page.clock.fastForward(29 * 60_000)
    await callSdk(page, 'track', 'After 29 minutes')
    await page.clock.fastForward(31 * 60_000)
    await callSdk(page, 'track', 'After 31 minutes')
    await page.reload()
    await page.goto(visitors.urlOf(scene, '/?utm_source=b'))
    await page.goto(visitors.urlOf(scene, '/?id=7'))
    await leave(page)
    const visitorIds = (await visitors.stored(scene, 6)).map(({ visitor_id }) => visitor_id)
    expect(new Set(visitorIds).size).toBe(1)
    const events = scene.gate.sent()
    const sessions = events.map(({ context: { session_id } }) => session_id)
    const numbers = sessions.map((id) => [...new Set(sessions)].indexOf(id))
    expect(numbers).toEqual([0, 0, 1, 1, 2, 2])
    expect(
      events.map(({ context: { campaign, click_ids } }) => [campaign?.source, click_ids?.gclid]),
    ).toEqual([
      ...[
        ['a', 'x'],
        ['a', 'x'],
      ],
      ...[
        ['a', 'x'],
        ['a', 'x'],
      ],
      ...[
        ['b', undefined],
        ['b', undefined],
      ],
    ])
  })

  test('all hosts of a domain share one visitor id, in a cookie of 395 days', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    for (const host of [`www.${domain}`, `deep.sub.${domain}`])
      await leave(await visitors.open(context, scene, '', host))
    const events = await visitors.stored(scene, 2)
    expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1)
    const cookies = await context.cookies()
    expect(cookies).toMatchObject([{ name: 'cw_id', domain: `.${domain}`, sameSite: 'Lax', path: '/' }])
    const days = ((cookies[0]?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(394.9)
    expect(days).toBeLessThan(395.1)
  })

  test('the script restores a lost cookie, or lost storage, with the same id', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await leave(page)
    await context.clearCookies()
    const next = await visitors.open(context, scene)
    await next.evaluate(() => localStorage.removeItem('cw_id'))
    await next.reload()
    await leave(next)
    const events = await visitors.stored(scene, 3)
    expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1)
  })

  test('if the script loads from a path of the site, the server sets the cookie', async () => {
    const scene = await visitors.scene({
      snippet: (_host, key) =>
        `<script>(window.crosswalk=function(){(crosswalk.q=crosswalk.q||[]).push(arguments)})('init','${key}',{cookie:'server'})</script>` +
        '<script async src="/cw/sdk/v1.js"></script>',
    })
    const context = await visitors.visitor(() => {
      const { set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {}
      Object.defineProperty(document, 'cookie', {
        get: () => Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')?.get?.call(document),
        set: (value: string) => void (value.startsWith('cw_id=') || set?.call(document, value)),
      })
    })
    const page = await visitors.open(context, scene)
    await leave(page)
    const [{ visitor_id } = { visitor_id: null }] = await visitors.stored(scene, 1)
    // The browser may still read the answer that sets the cookie.
    await expect
      .poll(() => context.cookies())
      .toMatchObject([{ name: 'cw_id', domain: '.a.localhost', sameSite: 'Lax' }])
    const next = await visitors.open(context, scene, '', 'b.a.localhost')
    await leave(next)
    expect(await visitors.stored(scene, 2)).toMatchObject([{ visitor_id }, { visitor_id }])
  })

  test('reset() begins a new visitor id without a user id', async () => {
    const scene = await visitors.scene()
    const page = await visitors.open(await visitors.visitor(), scene)
    await callSdk(page, 'identify', 'u1')
    await callSdk(page, 'track', 'Signed Out')
    await callSdk(page, 'reset')
    await callSdk(page, 'track', 'Seen')
    await leave(page)
    const events = await visitors.stored(scene, 4)
    expect(events.map(({ user_key }) => user_key)).toEqual([null, 'u1', 'u1', null])
    const ids = events.map(({ visitor_id, session_id }) => `${visitor_id} ${session_id}`)
    expect(ids.slice(0, 3)).toEqual([ids[0], ids[0], ids[0]])
    expect(ids[3]).not.toBe(ids[0])
    expect(events[3]?.session_id).not.toBe(events[0]?.session_id)
  })

  test('the script is also an ES module', async () => {
    const scene = await visitors.scene({
      snippet: (host, key) =>
        `<script type="module">import { init } from '${host}/sdk/v1.mjs'
        window.client = init('${key}', { host: '${host}/' })
        init('wk_live_other', { host: '${host}' }).track('Seen', { n: 1 })</script>`,
    })
    const page = await (await visitors.visitor()).newPage()
    await page.goto(visitors.urlOf(scene))
    await page.waitForFunction(() => 'client' in window)
    await leave(page)
    expect(await visitors.stored(scene, 2)).toMatchObject([{ type: 'page' }, { name: 'Seen' }])
  })
})
