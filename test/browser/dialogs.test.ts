import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('dialogs keep what a person typed', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('text that is selected beyond the side of a dialog does not close it, and a click there does', async () => {
    const { page } = await browser.open('/o/ORG/settings/api', owner)
    await page.getByRole('button', { name: 'New key' }).click()
    const field = page.getByLabel('Name')
    await field.fill('Dialer')
    const box = await field.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move(5, (box?.y ?? 0) + 10)
    await page.mouse.up()
    expect(await field.inputValue()).toBe('Dialer')
    await page.mouse.click(5, 5)
    await field.waitFor({ state: 'detached' })
  })

  test('the command menu gives the focus back, and does not open over a dialog', async () => {
    const { page } = await browser.open('/o/ORG/settings/api', owner)
    const button = page.getByRole('button', { name: /Search or act/ })
    await button.focus()
    await page.keyboard.press('Control+K')
    await page.getByRole('option', { name: 'Usage' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').waitFor()
    await page.keyboard.press('Control+K')
    await page.keyboard.type('Dialer')
    expect(await page.getByLabel('Name').inputValue()).toBe('Dialer')
  })
})
