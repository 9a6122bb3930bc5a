import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a double click', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('on a button that makes its dialog smaller does not close the dialog', async () => {
    const { page } = await browser.open('/o/ORG/settings/api', owner)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Dialer')
    await page.route('**/api-keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 403, json: { detail: 'You may not do this\n'.repeat(40), code: 'x' } })
        : route.continue(),
    )
    const create = page.getByRole('button', { name: 'Create key' })
    await create.click()
    await page.getByRole('alert').waitFor()
    await create.dblclick()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })
})
