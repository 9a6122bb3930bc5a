import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('if the server cannot be reached when the files of a page are needed', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    owner = await newMember(browser.app, (await browser.app.newOrg({ name: 'Lantern Row' })).orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('the frame stays, the page says why, and opens after the server is back', async () => {
    const { page, context } = await browser.open('/o/ORG/settings/organization', owner, inNewBrowser)
    await page.getByLabel('Name', { exact: true }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Sandboxes' }).click()
    await page.getByRole('alert').getByText('No answer from Crosswalk').waitFor()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.click()
    await page.getByRole('link', { name: 'Home' }).waitFor()
    await again.waitFor()
    await context.setOffline(false)
    await again.click()
    await page.getByText('There is no sandbox yet').waitFor()
  })

  test('a dialog that could not load keeps what a person typed below it, and opens after the server is back', async () => {
    const { page, context } = await browser.open('/o/ORG/settings/organization', owner, inNewBrowser)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Lantern Row and Sons')
    await context.setOffline(true)
    const asked = page.waitForEvent('requestfailed', (request) => /command-menu|assets/.test(request.url()))
    await page.keyboard.press('Control+k')
    await asked
    expect(await name.inputValue()).toBe('Lantern Row and Sons')
    await context.setOffline(false)
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await name.inputValue()).toBe('Lantern Row and Sons')
  })

  test('a dialog that cannot load yet says so, and opens after the server is back', async () => {
    const { page, context } = await browser.open('/o/ORG/people', owner, inNewBrowser)
    const create = page.getByRole('main').getByRole('button', { name: 'New person' })
    await create.waitFor()
    await context.setOffline(true)
    await create.click()
    const waits = page.getByRole('status').getByText('This opens as soon as Crosswalk answers.')
    await waits.waitFor()
    await context.setOffline(false)
    await page.getByRole('dialog', { name: 'New person' }).waitFor()
    await waits.waitFor({ state: 'detached' })
  })

  test('a menu that could not load keeps the page, and opens after the server is back', async () => {
    const { page, context } = await browser.open('/o/ORG/settings/deals', owner, inNewBrowser)
    const menu = page.getByRole('button', { name: /^Actions for/ }).first()
    await menu.waitFor()
    await context.setOffline(true)
    const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('assets'))
    await menu.click()
    await asked
    await context.setOffline(false)
    await page.getByRole('menu').waitFor()
    expect(await menu.isVisible()).toBe(true)
  })

  test('a menu whose file an update removed loads the page again, once', async () => {
    const { page } = await browser.open('/o/ORG/settings/deals', owner, inNewBrowser)
    const menu = page.getByRole('button', { name: /^Actions for/ }).first()
    await menu.waitFor()
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
    const reloaded = page.waitForEvent('framenavigated')
    await menu.click()
    await reloaded
    await page.unrouteAll()
    await page.reload()
    await menu.click()
    await page.getByRole('menu').waitFor()
  })

  test('a page whose files could not be loaded before is shown with its styles', async () => {
    const { page, context } = await browser.open('/o/ORG/settings/organization', owner, inNewBrowser)
    await page.getByLabel('Name', { exact: true }).waitFor()
    await context.setOffline(true)
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'))
    const link = page.getByRole('link', { name: 'Webhooks' })
    await link.hover()
    await failed
    await context.setOffline(false)
    await link.click()
    await page.getByText('No program gets events yet').waitFor()
    const hasRules = await page.evaluate(() =>
      [...document.styleSheets].map(({ href, cssRules }) => `${href}: ${cssRules.length > 0}`),
    )
    expect(hasRules.filter((sheet) => !sheet.endsWith(': true'))).toEqual([])
  })
})
