import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { patience } from '../support/patience.ts'
import { callSdk, leave, SdkVisitors } from '../support/sdk-visitors.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the script for web pages delivers', () => {
  let visitors: SdkVisitors
  beforeAll(async () => {
    visitors = await SdkVisitors.start(chromium ?? '')
  })
  afterEach(() => visitors.closeAll())
  afterAll(() => visitors.close())

  test('calls from before and after the script loads are sent when the visitor leaves the page, without a preflight', async () => {
    const before =
      "<script>var crosswalk=function(){(crosswalk.q=crosswalk.q||[]).push(arguments)};crosswalk('track','Early',{n:1})</script>"
    const scene = await visitors.scene({ before })
    const page = await visitors.open(
      await visitors.visitor(),
      scene,
      '/prices?utm_source=news&token=secret#x',
    )
    await callSdk(page, 'identify', 'u1', { plan: 'pro' })
    await callSdk(page, 'group', 'g1', { size: 3 })
    await leave(page)
    const events = await visitors.stored(scene, 4)
    expect(events).toMatchObject([
      { type: 'page', url_path: `/${scene.name}/prices`, user_key: null },
      { type: 'track', name: 'Early', properties: { n: 1 }, user_key: null },
      { type: 'identify', user_key: 'u1', properties: { plan: 'pro' } },
      { type: 'group', user_key: 'u1', properties: { group_id: 'g1', traits: { size: 3 } } },
    ])
    expect(new Set(events.map(({ visitor_id, session_id }) => `${visitor_id} ${session_id}`)).size).toBe(1)
    expect(events[0]?.context).toMatchObject({ campaign: { source: 'news' }, page: { title: 'Shop' } })
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(scene.gate.methods).toEqual(['POST'])
  })

  test('an event of a click that leaves the page is stored', async () => {
    const scene = await visitors.scene()
    const page = await visitors.open(await visitors.visitor(), scene)
    await page.evaluate(() =>
      document.querySelector('a')?.addEventListener('click', () => window.crosswalk('track', 'Left')),
    )
    await page.click('a')
    expect(await visitors.stored(scene, 2)).toMatchObject([{ type: 'page' }, { name: 'Left' }])
  })

  test('two tabs send each event once, and never at the same time', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const tabs = [await visitors.open(context, scene), await visitors.open(context, scene)]
    await Promise.all(
      tabs.map((tab, n) =>
        tab.evaluate((name) => {
          for (let at = 0; at < 30; at++) window.crosswalk('track', name, { at })
        }, `tab ${n}`),
      ),
    )
    const events = await visitors.stored(scene, 62)
    expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1)
    expect(await visitors.duplicates(scene)).toBe(0)
    expect(scene.gate.mostAtOnce).toBe(1)
  })

  test('the events that a killed tab left are sent by another tab', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const [killed, other] = await Promise.all([visitors.open(context, scene), visitors.open(context, scene)])
    await callSdk(killed, 'track', 'Before the end')
    const crash = killed.waitForEvent('crash')
    void killed.goto('chrome://crash').catch(() => {})
    await crash
    await other.evaluate(() => {
      for (let at = 0; at < 20; at++) window.crosswalk('track', 'Other', { at })
    })
    const events = await visitors.stored(scene, 23)
    expect(events.filter(({ name }) => name === 'Before the end')).toHaveLength(1)
  })

  test('offline events wait, and are sent as soon as the browser is online', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await context.setOffline(true)
    await page.evaluate(() => {
      for (let at = 0; at < 20; at++) window.crosswalk('track', 'Offline', { at })
    })
    await page.waitForEvent('requestfailed')
    await context.setOffline(false)
    await visitors.stored(scene, 21)
    expect(await visitors.duplicates(scene)).toBe(0)
  })

  test('events of a page that was left offline are sent by the next page', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await context.setOffline(true)
    await callSdk(page, 'track', 'Offline')
    await page.close()
    await context.setOffline(false)
    const next = await visitors.open(context, scene)
    await next.evaluate(() => {
      for (let at = 0; at < 20; at++) window.crosswalk('track', 'Online', { at })
    })
    const events = await visitors.stored(scene, 23)
    expect(events.filter(({ name }) => name === 'Offline')).toHaveLength(1)
  })

  test('after a 503, all tabs wait for Retry-After, and each event is stored once', async () => {
    const scene = await visitors.scene()
    scene.gate.refusals = [503]
    const context = await visitors.visitor()
    const tabs = [await visitors.open(context, scene), await visitors.open(context, scene)]
    for (const tab of tabs)
      await tab.evaluate(() => {
        for (let at = 0; at < 20; at++) window.crosswalk('track', 'Seen', { at })
      })
    await visitors.stored(scene, 42)
    const [refused, ...others] = scene.gate.batches
    for (const { at } of others) expect(at - (refused?.at ?? 0)).toBeGreaterThan(990)
    expect(await visitors.duplicates(scene)).toBe(0)
  })

  test('a script without a valid key drops the events, and warns the developer', async () => {
    const scene = await visitors.scene({ options: "{host:''}" })
    const page = await (await visitors.visitor()).newPage()
    const warned = page.waitForEvent('console')
    await page.goto(visitors.urlOf(scene))
    expect((await warned).text()).toContain('needs a write key and { host }')
  })

  test('offline, the newest 200 events wait, and later requests have less than 64 KiB each', async () => {
    const scene = await visitors.scene()
    const context = await visitors.visitor()
    const page = await visitors.open(context, scene)
    await context.setOffline(true)
    await page.evaluate(() => {
      for (let at = 0; at < 250; at++) window.crosswalk('track', 'Long', { at, text: 'x'.repeat(1_000) })
    })
    await context.setOffline(false)
    const events = await visitors.stored(scene, 200)
    expect(Math.min(...events.map(({ properties }) => Number(properties.at)))).toBe(50)
    expect(Math.max(...scene.gate.batches.map(({ bytes }) => bytes))).toBeLessThan(65_536)
    await vi.waitFor(
      async () =>
        expect(
          await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('cw_q'))),
        ).toEqual([]),
      patience,
    )
  })
})
