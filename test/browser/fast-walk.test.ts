import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeDemoOrg } from '../../src/demo/demo-org.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

/** The paths of the requests to the API, with the status of each answer. */
function listenTo(page: Page): string[] {
  const seen: string[] = []
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (pathname.startsWith('/console/api/'))
      seen.push(
        `${response.status()} ${response.request().method()} ${pathname.slice('/console/api'.length)}${search}`,
      )
  })
  return seen
}

/** In a page: lists draw the rows around the visible ones only when the person scrolls, just before the rows of the new place. */
function holdDrawing() {
  const held = new Map<number, () => void>()
  const { requestAnimationFrame: frame, setTimeout: later, clearTimeout: clear } = window
  let isInFrame = false
  let number = 0
  window.requestAnimationFrame = (run) =>
    frame.call(window, (now) => {
      isInFrame = true
      run(now)
      isInFrame = false
    })
  window.setTimeout = ((run: () => void, ms?: number) => {
    if (!isInFrame || ms !== undefined || !document.querySelector('[role=grid]')) return later(run, ms)
    number -= 1
    held.set(number, run)
    return number
  }) as typeof setTimeout
  window.clearTimeout = ((id: number) => held.delete(id) || clear(id)) as typeof clearTimeout
  const release = () => {
    for (const run of held.values()) run()
    held.clear()
  }
  // The listener of the list runs first, because it is older.
  const whenScrolled = ({ target }: Event) => target?.addEventListener('scroll', release, { once: true })
  document.addEventListener('scroll', whenScrolled, { capture: true })
}

const refusedOf = (seen: readonly string[]) => seen.filter((line) => line.startsWith('429'))

describe.runIf(chromium)('a fast person in the demo organization', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const { app } = browser
    const demo = await app.operate((tx) => makeDemoOrg(tx, app.app.context))
    owner = await newMember(app, demo?.orgId ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('a person who scrolls while a list draws its first rows sees the rows of the new place', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await createPeople(org, 90)
    const nameOf = (n: number) => `${personNumbered(n).first_name} ${personNumbered(n).last_name}`
    const member = await newMember(browser.app, org.orgId)
    const { page } = await browser.open('/o/ORG/people', member, async (page) => {
      await page.addInitScript(holdDrawing)
    })
    await page.getByRole('link', { name: nameOf(90), exact: true }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    const last = page.getByRole('link', { name: nameOf(1), exact: true })
    await last.waitFor()
    // The rows that were held back are drawn after those of the new place.
    await page.waitForTimeout(500)
    expect(await last.count()).toBe(1)
  })

  test('a person who opens ten pages as fast as they load gets no 429', async () => {
    let seen: string[] = []
    const { page } = await browser.open('/o/ORG', owner, async (page) => {
      seen = listenTo(page)
    })
    await page.getByRole('heading', { name: 'Recent' }).waitFor()
    const menu = page.getByRole('navigation', { name: 'Pages' })
    const open = async (name: string) => {
      await menu.getByRole('link', { name: new RegExp(`^${name}`) }).click()
      await menu.locator('[aria-current=page]').getByText(name).waitFor()
    }
    await open('Companies')
    await page.getByRole('grid').getByRole('link').first().click()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect.poll(() => page.url(), patience).toMatch(/companies\/[\w-]+$/)
    for (const name of ['Events', 'Settings', 'Home', 'People', 'Deals', 'Duplicates', 'Calls', 'Home'])
      await open(name)
    await page.getByText('This week').waitFor()
    await page.waitForLoadState('networkidle')
    expect(refusedOf(seen)).toEqual([])
  })

  test('the home page sends each request once, and a list of records is read once', async () => {
    const { page } = await browser.open('/sign-in', owner, inNewBrowser)
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor()
    const seen = listenTo(page)
    await page.goto(`/console/o/${owner.orgId}`)
    await page.getByText('This week').waitFor()
    await page.waitForLoadState('networkidle')
    expect(seen.filter((line, index) => seen.indexOf(line) !== index)).toEqual([])
    seen.length = 0
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('grid').getByRole('row').nth(5).waitFor()
    await expect.poll(() => seen.some((line) => line.includes('/contacts/search')), patience).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(seen.filter((line) => line.includes('/contacts/search'))).toHaveLength(1)
  })

  test('a page that the rate limit stops for longer waits, says so, and then shows its data', async () => {
    let asked = 0
    const opened = await browser.open('/o/ORG/usage', owner, (page) =>
      page.route(/console\/api\/usage/, (route) =>
        ++asked === 1
          ? route.fulfill({
              status: 429,
              headers: { 'retry-after': '8' },
              json: { detail: 'Too many requests', code: 'rate_limit_exceeded' },
            })
          : route.continue(),
      ),
    )
    const { page } = opened
    await page.getByText('Crosswalk limits the requests of a person').waitFor()
    expect(await page.getByText('This was refused').count()).toBe(0)
    await requireNoFaultsInAllLooks(opened)
    await page.getByText('Call minutes').first().waitFor()
    expect(asked).toBe(2)
  })

  test('while the rate limit stops a poll, a list says nothing and keeps its rows', async () => {
    const { page } = await browser.open('/o/ORG/people', owner, (page) => page.clock.install())
    const rows = page.getByRole('grid').getByRole('row')
    await rows.nth(5).waitFor()
    let asked = 0
    await page.route(/contacts\/search/, (route) => {
      asked += 1
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { detail: 'Too many requests', code: 'rate_limit_exceeded' },
      })
    })
    await page.clock.fastForward(6_000)
    await expect.poll(() => asked, patience).toBe(1)
    await page.clock.fastForward(6_000)
    expect(await rows.count()).toBeGreaterThan(5)
    expect(await page.getByText('This list may be old').count()).toBe(0)
    await page.clock.fastForward(31_000)
    await expect.poll(() => asked, patience).toBe(2)
  })
})
