import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('people who type with an input method, such as one for Japanese', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let id: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    id = (await org.post('/contacts', { first_name: '花子', job_title: '部長' })).body.data.contact_id
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /**
   * Sends a key as the browser does while the input method has letters that are not converted yet. Returns whether the page
   * left the key to the input method.
   */
  const pressComposed = (field: Locator, key: string) =>
    field.evaluate((element, pressed) => {
      const init = { key: pressed, isComposing: true, bubbles: true, cancelable: true }
      return element.dispatchEvent(new KeyboardEvent('keydown', init))
    }, key)

  test('Enter and Escape of a composition neither save nor close the editor of a value', async () => {
    const { page } = await browser.open(`/o/ORG/people/${id}`, owner)
    await page.getByRole('button', { name: 'Edit Title' }).click()
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('かちょう')
    for (const key of ['Enter', 'Escape']) {
      expect(await pressComposed(title, key)).toBe(true)
      expect(await title.inputValue()).toBe('かちょう')
    }
    await title.fill('課長')
    await page.keyboard.press('Enter')
    await title.waitFor({ state: 'detached' })
    expect((await org.get(`/contacts/${id}`)).body.data.job_title).toBe('課長')
  })

  test('Enter of a composition stays in the search of a list', async () => {
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    const search = page.getByRole('searchbox', { name: 'Search' })
    await page.getByText('花子').waitFor()
    await search.focus()
    await pressComposed(search, 'Enter')
    await new Keyboard(opened).requireFocus(search)
  })
})
