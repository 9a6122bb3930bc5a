import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

/** A browser that a program controls is a bot otherwise, and bots have no visitors. */
async function asPerson(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setUserAgentOverride', { userAgent: agent })
}

describe.runIf(chromium)('the demo page', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('the demo page without a write key sends nothing and asks for one', async () => {
    const opened = await browser.open('/../demo', null)
    await opened.page.getByText('this page has no write key yet').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await opened.page.getByLabel('Write key').fill('wk_live_1')
    await opened.page.getByRole('button', { name: 'Use this key' }).click()
    await opened.page.getByText('until the visitor allows statistics').waitFor()
  })

  test('after consent, the demo page sends events, which the console shows under Web events and on the page of the visitor', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const { key } = (await org.post('/write-keys', { name: 'Shop' })).body.data
    const opened = await browser.open(`/../demo?key=${key}`, null, asPerson)
    const { page } = opened
    await page.getByText('until the visitor allows statistics').waitFor()
    await page.getByLabel('Statistics').check()
    await page.getByRole('link', { name: 'Tables', exact: true }).click()
    await page.getByRole('button', { name: 'Add to cart' }).first().click()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign in as Ada' }).click()
    await page.getByText('The server stored the events.').first().waitFor()
    await requireNoFaultsInAllLooks(opened)
    const names = async () =>
      (await org.get('/tracking/events')).body.data.events
        .map(({ type, name, url_path }: Record<string, string>) => [type, name ?? url_path].join(' '))
        .sort()
    await expect
      .poll(names, patience)
      .toEqual([
        'identify /demo/account',
        'page /demo',
        'page /demo/account',
        'page /demo/tables',
        'track Added To Cart',
      ])
    const activity = await browser.open('/o/ORG/web-events', owner)
    await activity.page.getByRole('button', { name: 'Added To Cart' }).click()
    await activity.page.getByRole('link', { name: 'Open the visitor' }).click()
    await activity.page.getByRole('heading', { name: 'demo-ada' }).waitFor()
    await requireNoFaultsInAllLooks(activity)
  })
})
