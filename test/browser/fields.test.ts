import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newLiveForm } from '../support/form-pages.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('Settings → Fields', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const list = async () =>
    (await org.get('/fields')).body.data.fields.map(
      ({ label, options }: { label: string; options: string[] }) => [label, ...options].join(' '),
    )
  async function open(member = owner): Promise<Opened> {
    const opened = await browser.open('/o/ORG/settings/fields', member)
    await opened.page.getByRole('heading', { name: 'Deals' }).waitFor()
    return opened
  }
  const define = (label: string, more: object = {}) =>
    org.post('/fields', { entity: 'contact', key: label.toLowerCase(), label, type: 'text', ...more })

  test('a select with options is defined without a pointer, and its key follows its name', async () => {
    const opened = await open()
    const { page } = opened
    await page.keyboard.press('c')
    await page.keyboard.type('Customer tier')
    expect(await page.getByLabel('Key').inputValue()).toBe('customer_tier')
    await page.getByLabel('Type', { exact: true }).selectOption({ label: 'One option' })
    const option = page.getByLabel('New option')
    for (const name of ['Silver', 'Gold']) {
      await option.fill(name)
      await page.keyboard.press('Enter')
    }
    await button(page, 'Move Gold up').click()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Define field').click()
    await page.getByRole('rowheader', { name: 'Customer tier' }).waitFor()
    expect(await list()).toEqual(['Customer tier Gold Silver'])
  })

  test('fields are moved, changed and deleted, and the dialog says what happens to the values', async () => {
    await define('Plan')
    await define('Tier')
    const opened = await open()
    const { page } = opened
    await button(page, 'Move Tier up').click()
    await expect.poll(list, patience).toEqual(['Tier', 'Plan'])
    await button(page, 'Actions for Plan').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Price plan')
    await button(page, 'Save').click()
    await page.getByRole('rowheader', { name: 'Price plan' }).waitFor()
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Records keep their values in').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(list, patience).toEqual(['Price plan'])
  })

  test('values that do not fit are counted and linked, and can be kept', async () => {
    for (const sites of ['many', 'few'])
      await org.post('/contacts', { first_name: `With ${sites}`, custom: { sites } })
    const opened = await open()
    const { page } = opened
    await page
      .getByRole('button', { name: /^New field/ })
      .first()
      .click()
    await page.getByLabel('Name').fill('Sites')
    await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Number' })
    await button(page, 'Define field').click()
    await page.getByText(/2 records \(contact\) have a value in custom\.sites/).waitFor()
    await requireNoFaultsInAllLooks(opened)
    const [tab] = await Promise.all([
      opened.context.waitForEvent('page'),
      page.getByRole('link', { name: 'example 1' }).click(),
    ])
    await tab.getByRole('heading', { name: /With (many|few)/ }).waitFor()
    await page.getByLabel('These values').selectOption({ label: 'Convert 0 of 2, and leave the others' })
    await button(page, 'Define field').click()
    await page.getByRole('rowheader', { name: 'Sites' }).waitFor()
    await page.getByText('2 values did not fit').waitFor()
    await button(page, 'Actions for Sites').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByText('When the values were converted, 2 did not fit.').waitFor()
    const [record] = await Promise.all([
      opened.context.waitForEvent('page'),
      page.getByRole('link', { name: 'record 2' }).click(),
    ])
    await record.getByRole('heading', { name: /With (many|few)/ }).waitFor()
  })

  test('the error for a key that is in use is shown at its field', async () => {
    await define('Plan')
    const { page } = await open()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Plan')
    await dialog.getByRole('button', { name: 'Define field' }).click()
    const key = dialog.getByLabel('Key')
    await key.and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor()
    expect(await dialog.getByText('already has the field custom.plan').count()).toBe(1)
  })

  test('a typed option that was not added yet is defined too, and a select without options says to add one', async () => {
    const { page } = await open()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Tier')
    await dialog.getByLabel('Type', { exact: true }).selectOption({ label: 'One option' })
    await dialog.getByRole('button', { name: 'Define field' }).click()
    await dialog.getByText('Add at least one.').waitFor()
    await dialog.getByLabel('New option').fill('Gold')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByLabel('New option').fill('Silver')
    await dialog.getByRole('button', { name: 'Define field' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await list()).toEqual(['Tier Gold Silver'])
  })

  test('an option is renamed in all records, after the dialog counted them', async () => {
    await define('Tier', { type: 'select', options: ['Gold', 'Silver'] })
    const custom = { tier: 'Gold' }
    const { contact_id } = (await org.post('/contacts', { first_name: 'Ada', custom })).body.data
    const opened = await open()
    const { page } = opened
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Rename an option' }).click()
    await page.getByText('1 active record has this option').waitFor()
    await page.getByLabel('New name').fill('Silver')
    await page.getByText('Silver is an option already').waitFor()
    await page.getByLabel('New name').fill('Platinum')
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Rename').click()
    await expect.poll(list, patience).toEqual(['Tier Platinum Silver'])
    const read = async () => (await org.get(`/contacts/${contact_id}`)).body.data.custom.tier
    await expect.poll(read, patience).toBe('Platinum')
  })

  test('the dialogs that rename or remove an option name the forms that still offer it', async () => {
    const tier = { key: 'tier', type: 'select', options: ['Gold', 'Silver'] }
    await define('Tier', tier)
    const email = { key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' }
    const fields = [email, { ...tier, options: ['Gold'], label: 'Tier', maps_to: 'custom.tier' }]
    await newLiveForm(org, { name: 'Trade fair', fields })
    await newLiveForm(org, { name: 'Newsletter', fields: [email] })
    const { page } = await open()
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Rename an option' }).click()
    const note = page.getByText('These forms still offer Gold: Trade fair.')
    await note.waitFor()
    await page.getByRole('combobox', { name: 'Option' }).selectOption('Silver')
    await note.waitFor({ state: 'detached' })
    await button(page, 'Cancel').click()
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await button(page, 'Remove Silver').click()
    expect(await note.count()).toBe(0)
    await button(page, 'Remove Gold').click()
    await note.waitFor()
  })

  test('the console names the change of another person before it overwrites that change', async () => {
    const { body } = await define('Plan')
    const { page } = await open()
    await button(page, 'Actions for Plan').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Price plan')
    await org.patch(`/fields/${body.data.field_id}`, { description: 'What they pay for' })
    await button(page, 'Save').click()
    await page.getByText('Somebody else changed the help text meanwhile').waitFor()
    await button(page, 'Save').click()
    await page.getByRole('rowheader', { name: 'Price plan' }).waitFor()
    expect((await org.get('/fields')).body.data.fields[0].description).toBe('What they pay for')
  })

  test('a field that somebody else changed meanwhile gets another option, and is deleted, at the first try', async () => {
    const { body } = await define('Tier', { type: 'select', options: ['Gold', 'Silver'] })
    const changeByAnother = (description: string) =>
      org.patch(`/fields/${body.data.field_id}`, { description })
    const { page } = await open()
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Rename an option' }).click()
    await page.getByLabel('New name').fill('Platinum')
    await changeByAnother('What they pay for')
    await button(page, 'Rename').click()
    await expect.poll(list, patience).toEqual(['Tier Platinum Silver'])
    await button(page, 'Actions for Tier').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await changeByAnother('How much they pay')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(list, patience).toEqual([])
  })

  test('a member who may not manage fields reads them', async () => {
    await define('Plan')
    const { page } = await open(await newMember(browser.app, org.orgId, 'member'))
    await page.getByRole('rowheader', { name: 'Plan' }).waitFor()
    expect(await page.getByRole('button', { name: /New field|Define|Move|Actions/ }).count()).toBe(0)
  })
})
