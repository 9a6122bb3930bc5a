import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { createPeople } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const people = 10_000
/** The limit for 98 of 100 events, in milliseconds. Google calls 200 ms good (INP). */
const p98Max = 200
const rowHeight = 36

describe.runIf(chromium)('a list of 10,000 people', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await createPeople(org, people)
    owner = await newMember(browser.app, org.orgId)
  })
  afterAll(() => browser.close())

  /** Records the durations of all events from now on. */
  const observeEvents = (page: Page) =>
    page.addInitScript(() => {
      const durations: number[] = []
      Object.assign(window, { durations })
      new PerformanceObserver((list) =>
        durations.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        type: 'event',
        durationThreshold: 16,
      } as PerformanceObserverInit)
    })

  test('is scrolled to its end with the wheel and the keyboard, and 98 of 100 events take at most 200 ms', async () => {
    const { page, context } = await browser.open('/o/ORG/people', owner, observeEvents)
    const grid = page.getByRole('grid')
    await page.getByText('10,000').waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const box = await grid.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 300)
    let events = 0
    const end = page.locator(`[aria-rowindex="${people + 1}"]`)
    while ((await end.count()) === 0) {
      await page.mouse.wheel(0, 40 * rowHeight)
      events += 1
    }
    await grid.focus()
    for (let step = 0; step < 100; step++) {
      await page.keyboard.press(step % 2 === 0 ? 'PageUp' : 'ArrowDown')
      events += 1
    }
    const durations = await page.evaluate(() => (window as unknown as { durations: number[] }).durations)
    // Events below 16 ms are not reported.
    const all = [...durations, ...Array<number>(Math.max(0, events - durations.length)).fill(8)].sort(
      (a, b) => a - b,
    )
    const p98 = all[Math.floor(all.length * 0.98)] ?? 0
    console.info(`${events} events, ${durations.length} above 16 ms, p98 ${p98} ms, longest ${all.at(-1)} ms`)
    expect(p98).toBeLessThanOrEqual(p98Max)
    await expect.poll(() => page.locator('tbody tr').count(), patience).toBeLessThan(100)
  }, 300_000)
})
