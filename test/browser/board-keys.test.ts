import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToShow, withClock } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a card that the keys hold', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    await org.send('PUT', '/deals/stages', { body: { stages: ['Lead', 'Demo', 'Offer'] } })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const column = (page: Page, stage: string) => page.getByRole('region', { name: stage, exact: true })
  const card = (page: Page, stage: string) => column(page, stage).getByRole('link', { name: /^Migration/ })

  /** Picks up the card of a new deal, and moves it over the next stage. */
  async function hold() {
    const deal = { name: 'Migration', amount_cents: 100_000, currency: 'EUR' }
    const { deal_id: id } = (await org.post('/deals', deal)).body.data
    const opened = await browser.open('/o/ORG/deals', owner, withClock)
    const { page } = opened
    await card(page, 'Lead').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Demo would hold').waitFor()
    return { opened, page, id }
  }
  const isHeld = (page: Page) => page.locator('[data-held=keyboard]').count()

  test('is reached with one key while no control has the focus', async () => {
    await org.post('/deals', { name: 'Migration' })
    const { page } = await browser.open('/o/ORG/deals', owner)
    await card(page, 'Lead').waitFor()
    await page.keyboard.press('ArrowDown')
    const isOnCard = () => page.evaluate(() => document.activeElement?.matches('[data-deal]'))
    await expect.poll(isOnCard, patience).toBe(true)
  })

  test('returns when it loses the focus, and the next Space picks it up again', async () => {
    const { page } = await hold()
    await page.getByRole('searchbox', { name: 'Search' }).focus()
    await expect.poll(() => isHeld(page), patience).toBe(0)
    expect(await page.getByText('Demo would hold').count()).toBe(0)
    await card(page, 'Lead').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Demo would hold').waitFor()
    await page.keyboard.press('Space')
    await card(page, 'Demo').waitFor()
  })

  test('leaves the focus to the next card when it is closed', async () => {
    await org.post('/deals', { name: 'Renewal' })
    const { page } = await hold()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await page.getByRole('combobox', { name: 'Reason' }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Close as lost' }).click()
    await expect.poll(() => card(page, 'Lead').count(), patience).toBe(0)
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await expect.poll(focused, patience).toContain('Renewal')
  })

  test('is no longer held after somebody else moved its deal', async () => {
    const { opened, page, id } = await hold()
    await org.patch(`/deals/${id}`, { stage: 'Offer' })
    await waitToShow(opened, card(page, 'Offer'))
    await expect.poll(() => isHeld(page), patience).toBe(0)
    expect(await page.getByText('Demo would hold').count()).toBe(0)
  })
})
