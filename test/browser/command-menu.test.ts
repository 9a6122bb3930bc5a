import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('Enter in the command menu', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const newPerson = async (first_name: string): Promise<string> =>
    (await owner.post('/contacts', { first_name })).body.data.contact_id

  /** Holds the answers to requests whose address matches, until the returned function is called. */
  async function hold(page: Page, pattern: RegExp): Promise<() => void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(pattern, async (route) => {
      await held
      await route.continue()
    })
    return release
  }

  async function openMenu(page: Page): Promise<void> {
    await page.getByRole('button', { name: /Search or act/ }).waitFor()
    await page.keyboard.press('Control+K')
  }

  test('it opens the first record that was found, without an arrow key', async () => {
    const grace = await newPerson('Grace')
    const { page } = await browser.open('/o/ORG', owner)
    await openMenu(page)
    await page.keyboard.type('grace')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/people/${grace}$`))
  })

  test('before the search ends it waits, and does not open a record of the words before', async () => {
    await newPerson('Ada')
    const adam = await newPerson('Adam')
    const { page } = await browser.open('/o/ORG', owner)
    await openMenu(page)
    await page.keyboard.type('ada')
    await page.getByRole('option', { name: 'Ada person' }).waitFor()
    await page.keyboard.press('ArrowDown')
    const release = await hold(page, /q=adam/)
    await page.keyboard.type('m')
    await page.keyboard.press('Enter')
    release()
    await page.waitForURL(new RegExp(`/people/${adam}$`))
  })

  test('if Enter is pressed before the menu has loaded, it takes effect once the menu is there', async () => {
    const grace = await newPerson('Grace')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { page } = await browser.open('/o/ORG', owner, async (page) => {
      await page.route(/assets\/.*\.js$/, async (route) => {
        const isFirst = !(await page.getByRole('button', { name: /Search or act/ }).isVisible())
        if (!isFirst) await held
        await route.continue()
      })
    })
    await openMenu(page)
    await page.keyboard.type('grace')
    await page.keyboard.press('Enter')
    release()
    await page.waitForURL(new RegExp(`/people/${grace}$`))
  })

  test('it opens the dialog for a new record from any page, and the address does not ask again', async () => {
    const { page } = await browser.open('/o/ORG', owner)
    const dialogOf = async (words: string) => {
      await openMenu(page)
      await page.keyboard.type(words)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: words }).getByRole('textbox').first().waitFor()
      await page.waitForURL((url) => !url.search.includes('new'))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await dialogOf('New deal')
    await dialogOf('New person')
    await dialogOf('New company')
    await dialogOf('New company')
  })
})
