import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, withClock } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the company on the page of a person', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let ada: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    ada = (await org.post('/contacts', { first_name: 'Ada', last_name: 'Klein' })).body.data.contact_id
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function openAda(): Promise<Opened> {
    const opened = await browser.open(`/o/ORG/people/${ada}`, owner)
    await opened.page.getByRole('heading', { name: 'Ada Klein' }).waitFor()
    return opened
  }

  test('it is found by its name, created or removed', async () => {
    await org.post('/companies', { name: 'Lantern', domain: 'lantern.example' })
    const opened = await openAda()
    const { page } = opened
    await button(page, 'Add Linked company').click()
    await page.getByRole('searchbox', { name: 'Linked company' }).fill('lant')
    await page.getByRole('radio', { name: 'Lantern' }).check()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Lantern', exact: true }).waitFor()
    await button(page, 'Edit Linked company').click()
    await page.getByRole('searchbox', { name: 'Linked company' }).fill('Harbor Tools')
    await button(page, 'Create “Harbor Tools”').click()
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Harbor Tools' }).waitFor()
    expect((await org.get('/companies?name=Harbor%20Tools')).body.data).toHaveLength(1)
    await button(page, 'Edit Linked company').click()
    await button(page, 'Remove the link').click()
    await button(page, 'Save').click()
    await button(page, 'Add Linked company').waitFor()
  })

  test('that two people change at the same time is called by its name when one of them decides', async () => {
    const newCompany = async (name: string): Promise<string> =>
      (await org.post('/companies', { name })).body.data.company_id
    const [before, theirs] = [await newCompany('Acme'), await newCompany('Harbor Tools')]
    await newCompany('Lantern')
    await org.patch(`/contacts/${ada}`, { company_id: before })
    const opened = await openAda()
    const { page } = opened
    await button(page, 'Edit Linked company').click()
    await page.getByRole('searchbox', { name: 'Linked company' }).fill('lant')
    await page.getByRole('radio', { name: 'Lantern' }).check()
    await org.patch(`/contacts/${ada}`, { company_id: theirs })
    await button(page, 'Save').click()
    const row = page.getByRole('dialog').getByRole('row').filter({ hasText: 'Linked company' })
    for (const name of ['Acme', 'Harbor Tools', 'Lantern'])
      await row.getByText(name, { exact: true }).waitFor()
    await requireNoFaultsInAllLooks(opened)
  })

  test('a company that a person chooses right after they typed stays chosen', async () => {
    await org.post('/companies', { name: 'Lantern', domain: 'lantern.example' })
    const { page } = await browser.open(`/o/ORG/people/${ada}`, owner, withClock)
    await button(page, 'Add Linked company').click()
    const words = page.getByRole('searchbox', { name: 'Linked company' })
    const lantern = page.getByRole('radio', { name: 'Lantern' })
    await words.fill('lant')
    await lantern.waitFor()
    // The words are searched after a pause.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    await words.fill('lant nobody')
    await lantern.check()
    await page.clock.resume()
    await button(page, 'Create “lant nobody”').waitFor()
    expect(await lantern.isChecked()).toBe(true)
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Lantern', exact: true }).waitFor()
  })

  test('what a person types while the field for the company loads is searched', async () => {
    await org.post('/companies', { name: 'Lantern', domain: 'lantern.example' })
    const { promise: isWanted, resolve: load } = Promise.withResolvers<void>()
    const { page } = await openAda()
    await page.route('**/assets/*.js', async (route) => {
      await isWanted
      await route.continue()
    })
    await button(page, 'Add Linked company').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('lan')
    await page.keyboard.press('Enter')
    load()
    await page.getByRole('radio', { name: 'Lantern' }).waitFor()
    await page.keyboard.type('tern')
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('lantern')
    await page.getByRole('radio', { name: 'Lantern' }).waitFor()
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter')
        return page.getByRole('link', { name: 'Lantern', exact: true }).count()
      })
      .toBe(1)
  })

  /** Clicks to create a company, then saves while the server still creates it. */
  async function saveTooEarly(page: Page, answer: 'created' | 'refused'): Promise<void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/companies', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await held
      if (answer === 'created') await route.continue()
      else await route.fulfill({ status: 400, json: { detail: 'The server refuses this name' } })
    })
    await button(page, 'Add Linked company').click()
    await page.getByRole('searchbox', { name: 'Linked company' }).fill('Harbor Tools')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await button(page, 'Create “Harbor Tools”').click()
    await sent
    await button(page, 'Save').click()
    release()
  }

  test('a person who saves while it is created links to it', async () => {
    const { page } = await openAda()
    await saveTooEarly(page, 'created')
    await page.getByRole('link', { name: 'Harbor Tools' }).waitFor()
  })

  test('if it cannot be created, the form stays open and says why', async () => {
    const { page } = await openAda()
    await saveTooEarly(page, 'refused')
    await page.getByText('The server refuses this name').waitFor()
    expect(await page.getByRole('searchbox', { name: 'Linked company' }).inputValue()).toBe('Harbor Tools')
  })

  test('a typed company that nobody chose is not dropped: the page and the dialog of a deal ask', async () => {
    await org.post('/companies', { name: 'Harbor Tools' })
    const opened = await openAda()
    const { page } = opened
    const refusal = page.getByText('Choose a company, or empty this field.')
    await button(page, 'Add Linked company').click()
    await page.getByRole('searchbox', { name: 'Linked company' }).fill('Harbor')
    await page.getByRole('radio', { name: 'Harbor Tools' }).waitFor()
    await button(page, 'Save').click()
    await refusal.waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('radio', { name: 'Harbor Tools' }).check()
    await refusal.waitFor({ state: 'detached' })
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Harbor Tools' }).waitFor()

    await page.goto(`/console/o/${org.orgId}/deals`)
    await page.getByRole('button', { name: 'New deal' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New deal' })
    await dialog.getByLabel('Name', { exact: true }).fill('Cranes')
    await dialog.getByLabel('Company', { exact: true }).fill('Harbor')
    await button(page, 'Create deal').click()
    await refusal.waitFor()
    await dialog.getByLabel('Company', { exact: true }).fill('')
    await button(page, 'Create deal').click()
    await dialog.waitFor({ state: 'detached' })
    expect((await org.get('/deals?name=Cranes')).body.data).toHaveLength(1)
  })
})
