import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('dialogs that are being sent', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('a dialog that is being sent says so when a person leaves it, and closes after the answer', async () => {
    const org = await browser.app.newOrg()
    const opened = await browser.open('/o/ORG/people', await newMember(browser.app, org.orgId))
    const { page } = opened
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/\/contacts(\?.*)?$/, async (route) => {
      if (route.request().method() === 'POST') await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'New person' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New person' })
    await dialog.getByLabel('First name').fill('Ada')
    const question = page.getByRole('dialog', { name: 'Leave before the answer?' })
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/contacts$/.test(request.url()),
    )
    await page.keyboard.press('Enter')
    await sent
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await leave()
      await new Keyboard(opened).requireFocus(question.getByRole('button', { name: 'Wait' }))
      await requireNoFaultsInTwoThemes(opened)
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Escape')
    await question.waitFor()
    answer()
    await question.waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })
    expect((await org.get('/contacts')).body.pagination.total).toBe(1)
  })

  test('a secret that is shown once stays if the person pressed Cancel, Escape or Back before its answer', async () => {
    const org = await browser.app.newOrg()
    const { page } = await browser.open('/o/ORG', await newMember(browser.app, org.orgId))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API', exact: true }).click()
    const answers: (() => void)[] = []
    await page.route(/\/api-keys(\?.*)?$/, async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => answers.push(resolve))
      await route.continue()
    })
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    const question = page.getByRole('dialog', { name: 'Leave before the answer?' })
    const leaves = [
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.evaluate(() => history.back()),
    ]
    for (const [index, leave] of leaves.entries()) {
      await page.getByRole('button', { name: 'New key' }).click()
      await dialog.getByLabel('Name').fill(`Dialer ${index}`)
      await page.keyboard.press('Enter')
      await expect.poll(() => answers.length, patience).toBe(index + 1)
      await leave()
      await question.waitFor()
      answers[index]?.()
      await dialog.waitFor({ state: 'detached' })
      const listed = page.getByRole('rowheader', { name: `Dialer ${index}`, includeHidden: true })
      await listed.waitFor()
      expect(await page.locator('dialog code').textContent()).toMatch(/^svc_live_\w+$/)
      await page.getByLabel('I have stored it').check()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('Back asks while a rotation without typed text is sent, and its secret stays', async () => {
    const org = await browser.app.newOrg()
    await org.post('/api-keys', { name: 'Dialer', permissions: ['contacts:read'] })
    const owner = await newMember(browser.app, org.orgId)
    const { page } = await browser.open('/o/ORG', owner)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API', exact: true }).click()
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/\/rotate$/, async (route) => {
      await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Rotate Dialer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate “Dialer”' })
    const sent = page.waitForRequest(/\/rotate$/)
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await sent
    const { pathname } = new URL(page.url())
    await page.evaluate(() => history.back())
    await page.getByRole('dialog', { name: 'Leave before the answer?' }).waitFor()
    answer()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator('dialog code').textContent()).toMatch(/^svc_live_\w+$/)
    // The console restores the address after the question closes.
    await expect.poll(() => new URL(page.url()).pathname, patience).toBe(pathname)
  })

  test('a dialog that has no text asks, too, while it is sent, and shows a refusal in place of the question', async () => {
    const org = await browser.app.newOrg()
    await org.post('/api-keys', { name: 'Dialer', permissions: ['contacts:read'] })
    const { page } = await browser.open('/o/ORG/settings/api', await newMember(browser.app, org.orgId))
    const answers: (() => void)[] = []
    await page.route(/\/api-keys\/[^/]+$/, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      await new Promise<void>((resolve) => answers.push(resolve))
      await route.fulfill({ status: 409, json: { detail: 'Not now', code: 'conflict' } })
    })
    await page
      .getByRole('row', { name: /Dialer/ })
      .getByRole('button', { name: /^Delete/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Delete “Dialer”?' })
    const question = page.getByRole('dialog', { name: 'Leave before the answer?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => answers.length, patience).toBe(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Wait' }).click()
    await page.keyboard.press('Escape')
    await question.waitFor()
    answers[0]?.()
    await dialog.getByText('Not now').waitFor()
    await question.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a dialog takes no changes while it is sent, and takes them again after a failure', async () => {
    const org = await browser.app.newOrg()
    const opened = await browser.open('/o/ORG/people', await newMember(browser.app, org.orgId))
    const { page } = opened
    const refusal = { detail: 'Not now', code: 'conflict' }
    const answers: (() => void)[] = []
    await page.route(/\/contacts(\?.*)?$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await new Promise<void>((resolve) => answers.push(resolve))
      await (answers.length === 1 ? route.fulfill({ status: 409, json: refusal }) : route.continue())
    })
    await page.getByRole('button', { name: 'New person' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New person' })
    const first = dialog.getByLabel('First name')
    const title = dialog.getByLabel('Title')
    const create = async () => {
      const sent = answers.length
      await page.keyboard.press('Enter')
      await expect.poll(() => answers.length, patience).toBe(sent + 1)
      await title.focus()
      await page.keyboard.type('Analyst')
    }
    await first.fill('Ada')
    await create()
    expect(await title.inputValue()).toBe('')
    await requireNoFaultsInTwoThemes(opened)
    await new Keyboard(opened).requireFocus(title)
    answers[0]?.()
    await dialog.getByText('Not now').waitFor()
    await title.fill('Engineer')
    await create()
    answers[1]?.()
    await dialog.waitFor({ state: 'detached' })
    const [saved] = (await org.get('/contacts')).body.data
    expect(saved).toMatchObject({ first_name: 'Ada', job_title: 'Engineer' })
  })
})
