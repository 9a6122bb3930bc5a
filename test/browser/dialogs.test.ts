import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
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

  test('a click beside a dialog closes it, but selecting text until beyond its edge does not', async () => {
    const { page } = await browser.open('/o/ORG/settings/api', owner)
    await page.getByRole('button', { name: 'New key' }).click()
    const field = page.getByLabel('Name')
    const box = await field.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move(5, (box?.y ?? 0) + 10)
    await page.mouse.up()
    expect(await field.count()).toBe(1)
    await page.mouse.click(5, 5)
    await field.waitFor({ state: 'detached' })
  })

  test('a dialog with unsaved text asks before Escape, a click beside it or the Back button close it', async () => {
    const opened = await browser.open('/o/ORG', owner)
    const { page } = opened
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    const field = page.getByLabel('Name')
    await field.fill('Dialer')
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
    const keep = question.getByRole('button', { name: 'Keep editing' })
    const leaves: (() => Promise<unknown>)[] = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => page.evaluate(() => history.back()),
    ]
    for (const leave of leaves) {
      await leave()
      await new Keyboard(opened).requireFocus(keep)
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
      expect(await field.inputValue()).toBe('Dialer')
    }
    await page.keyboard.press('Escape')
    await requireNoFaultsInTwoThemes(opened)
    await question.getByRole('button', { name: 'Discard' }).click()
    await field.waitFor({ state: 'detached' })
  })

  test('a page with unsaved text asks before a person opens another page, signs out or closes the tab', async () => {
    const opened = await browser.open('/o/ORG/settings/organization', owner)
    const { page } = opened
    const field = page.getByLabel('Name')
    await field.fill('Lantern Row and Sons')
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
    for (const leave of [
      page.getByRole('link', { name: 'Usage', exact: true }),
      page.getByRole('button', { name: 'Sign out' }),
    ]) {
      await leave.click()
      await question.getByRole('button', { name: 'Keep editing' }).click()
      expect(await field.inputValue()).toBe('Lantern Row and Sons')
    }
    const asks = page.waitForEvent('dialog')
    const closed = page.close({ runBeforeUnload: true })
    const asked = await asks
    expect(asked.type()).toBe('beforeunload')
    await Promise.all([asked.dismiss(), closed])
    await page.getByRole('switch', { name: 'Test mode' }).click()
    await page.waitForURL(/mode=test/)
    expect(await field.inputValue()).toBe('Lantern Row and Sons')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The organization was saved').waitFor()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    expect(await question.count()).toBe(0)
  })

  test('a call is checked only once its personas are loaded, and the chosen persona does not count as unsaved text', async () => {
    const org = await browser.app.newOrg()
    await org.post('/voice/numbers', { number: '+14155550123' })
    await org.post('/personas', { name: 'Mia' })
    const { page } = await browser.open('/o/ORG/calls', await newMember(browser.app, org.orgId))
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/\/personas(\?.*)?$/, async (route) => {
      await isAsked
      await route.continue()
    })
    await page.getByRole('button', { name: 'Place a call' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Place a call' })
    await dialog.getByLabel('Number to call').waitFor()
    const check = dialog.getByRole('button', { name: 'Check' })
    expect(await check.isDisabled()).toBe(true)
    answer()
    await dialog.getByRole('combobox').filter({ hasText: 'Mia' }).waitFor()
    expect(await check.isDisabled()).toBe(false)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('a secret that is shown once stays, whether a person presses Escape twice or goes back', async () => {
    const { page } = await browser.open('/o/ORG', owner)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Dialer')
    await page.getByRole('button', { name: 'Create key' }).click()
    const token = page.locator('dialog code')
    await token.waitFor()
    for (let count = 0; count < 3; count++) await page.keyboard.press('Escape')
    await page.getByText('Copy the token first').waitFor()
    await page.evaluate(() => history.back())
    await page.waitForURL(/settings\/api/)
    expect(await token.isVisible()).toBe(true)
  })

  test('a message appears above an open dialog, and can be closed there', async () => {
    const opened = await browser.open('/o/ORG/settings/api', owner)
    const { page } = opened
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Dialer')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click()
    const message = page.getByText('The browser did not allow copying')
    const close = page.getByRole('status').getByRole('button', { name: 'Close' })
    await requireNoFaultsInTwoThemes(opened)
    await close.click()
    await message.waitFor({ state: 'detached' })
  })

  test('on a phone, the open navigation covers the page, and nothing below it can be reached', async () => {
    const opened = await browser.open('/o/ORG/settings/organization', owner)
    const { page } = opened
    await page.setViewportSize({ width: 390, height: 844 })
    const burger = page.getByRole('button', { name: 'Navigation' })
    const keyboard = new Keyboard(opened)
    await keyboard.press(burger)
    await keyboard.requireFocus(page.getByRole('button', { name: 'Lantern Row' }))
    await requireNoFaultsInTwoThemes(opened)
    await page.setViewportSize({ width: 390, height: 844 })
    await burger.click()
    const save = page.getByRole('button', { name: 'Save' })
    const reached = async () => {
      await page.keyboard.press('Tab')
      return page.evaluate(() => document.activeElement?.closest('main form') !== null)
    }
    for (let tabs = 0; tabs < 20; tabs++) expect(await reached()).toBe(false)
    await page.keyboard.press('Escape')
    await keyboard.requireFocus(burger)
    await keyboard.reach(save)
    await burger.click()
    await page.getByRole('button', { name: 'Search or act' }).click()
    await page.getByRole('option', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage' }).click()
    expect(await page.getByRole('link', { name: 'Visitors', exact: true }).isVisible()).toBe(false)
  })

  test('the command menu finds a person by any value, a company and a deal, and opens them', async () => {
    const { body: person } = await owner.post('/contacts', {
      last_name: 'Hopper',
      email: 'navy.grace@x.example',
    })
    const company_id = (await owner.post('/companies', { name: 'Navy Yard' })).body.data.company_id
    await owner.post('/deals', { name: 'Compiler for the navy', company_id })
    const opened = await browser.open('/o/ORG', owner)
    const { page } = opened
    await page.getByRole('button', { name: /Search or act/ }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('option', { name: 'Usage' }).waitFor()
    await page.keyboard.type('navy')
    for (const name of ['Hopper person', 'Navy Yard company', 'Compiler for the navy deal'])
      await page.getByRole('option', { name }).waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.keyboard.type('xyz')
    await page.getByText('No record and no page has this name.').waitFor()
    for (let letters = 0; letters < 3; letters++) await page.keyboard.press('Backspace')
    await page.getByRole('option', { name: 'Hopper person' }).click()
    await page.waitForURL(new RegExp(`/people/${person.data.contact_id}$`))
  })

  test('what a person types while the command menu loads is in its field, and not in the page', async () => {
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>()
    const { page } = await browser.open('/o/ORG/people', owner, async (page) => {
      await page.route(/assets\/.*\.js$/, async (route) => {
        const isFirst = !(await page.getByRole('button', { name: /Search or act/ }).isVisible())
        if (!isFirst) await isAsked
        await route.continue()
      })
    })
    const words = page.getByLabel('Search', { exact: true })
    await words.click()
    await page.keyboard.press('Control+K')
    await page.keyboard.type('usa')
    expect(await words.first().inputValue()).toBe('')
    answer()
    await page.getByRole('option', { name: 'Usage' }).waitFor()
    await page.keyboard.type('ge')
    expect(await page.getByRole('dialog').getByRole('searchbox').inputValue()).toBe('usage')
    await page.getByRole('option', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
  })

  test('the open field of a person closes when the Back button shows another person', async () => {
    const { contact_id } = (await owner.post('/contacts', { first_name: 'Ada', city: 'London' })).body.data
    await owner.post('/contacts', { first_name: 'Bohumil', city: 'Porto' })
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    await page.getByRole('button', { name: 'Edit City' }).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('option', { name: 'Usage' }).waitFor()
    await page.keyboard.type('Bohumil')
    await page.getByRole('option', { name: 'Bohumil person' }).click()
    await page.getByRole('heading', { name: 'Bohumil' }).waitFor()
    await page.getByRole('button', { name: 'Edit City' }).click()
    await page.goBack()
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'City' }).count()).toBe(0)
  })

  test('the command menu returns the focus when it closes, and does not open over a dialog', async () => {
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
