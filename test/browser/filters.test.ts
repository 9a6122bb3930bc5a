import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { importCsv } from '../support/csv-imports.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('filters of lists', () => {
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

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

  /** Adds a filter with an operator, and leaves its value to `fill`. */
  async function addFilter(page: Page, field: string, condition: string, fill: () => Promise<unknown>) {
    await page.getByRole('button', { name: /^Filter/ }).click()
    await page.getByLabel('Field').selectOption({ label: field })
    await page.getByLabel('Condition').selectOption({ label: condition })
    await fill()
    await button(page, 'Apply').click()
  }

  test('a filter by an amount takes 5,000 as typed, not as cents, and a filter by a date shows the date in words', async () => {
    const deal = { currency: 'EUR', expected_close_on: '2026-03-31' }
    await org.post('/deals', { ...deal, name: 'Large', amount_cents: 600_050 })
    await org.post('/deals', { ...deal, name: 'Small', amount_cents: 499_999 })
    const { page } = await browser.open('/o/ORG/deals?view=list', owner)
    await row(page, 'Small').waitFor()
    await addFilter(page, 'Amount', 'is at least', () => page.getByLabel('Value').fill('5,000'))
    await row(page, 'Small').waitFor({ state: 'detached' })
    await row(page, 'Large').waitFor()
    await page.getByRole('button', { name: 'Change the filter: Amount is at least 5,000' }).click()
    expect(await page.getByLabel('Value').inputValue()).toBe('5000')
    await page.getByLabel('Value').fill('6000.51')
    await button(page, 'Apply').click()
    await button(page, 'Remove “Amount is at least 6,000.51”').waitFor()
    await button(page, 'Remove the filter: Amount is at least 6,000.51').click()
    await addFilter(page, 'Expected close', 'since', () => page.getByLabel('Day').fill('2026-03-31'))
    await row(page, 'Small').waitFor()
    await button(page, 'Remove the filter: Expected close since Mar 31, 2026').waitFor()
  })

  test('a filter by a day compares with a date, or with a number of days ago or from now', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await org.post('/deals', { name: 'Soon', expected_close_on: inDays(10) })
    await org.post('/deals', { name: 'Late', expected_close_on: inDays(60) })
    const opened = await browser.open('/o/ORG/deals?view=list', owner)
    const { page } = opened
    const compareWith = (label: string) => page.getByLabel('Compare with').selectOption({ label })
    await row(page, 'Late').waitFor()
    await addFilter(page, 'Expected close', 'until', async () => {
      await compareWith('days from now')
      expect(await button(page, 'Apply').isDisabled()).toBe(true)
      await page.getByLabel('How many days from now').fill('1.5')
      await page.getByText('Type a whole number with at most 4 digits').waitFor()
      expect(await button(page, 'Apply').isDisabled()).toBe(true)
      await requireNoFaultsInAllLooks(opened)
      await page.getByLabel('How many days from now').fill('30')
    })
    await row(page, 'Late').waitFor({ state: 'detached' })
    await row(page, 'Soon').waitFor()
    await button(page, 'Change the filter: Expected close until 30 days from now').click()
    await page.getByLabel('How many days from now').press('End')
    await page.getByLabel('How many days from now').press('Backspace')
    await compareWith('months from now')
    await page.getByLabel('How many months from now').press('Enter')
    await button(page, 'Remove the filter: Expected close until 3 months from now').waitFor()
    await row(page, 'Late').waitFor()
    await addFilter(page, 'Created', 'since', async () => {
      // No deal was created in the future.
      expect(await page.getByLabel('Compare with').getByRole('option', { name: 'from now' }).count()).toBe(0)
      await compareWith('days ago')
      await page.getByText('Days begin at midnight UTC.').waitFor()
      await page.getByLabel('How many days ago').fill('1')
    })
    await button(page, 'Change the filter: Created since 1 day ago').waitFor()
    await row(page, 'Soon').waitFor()
    await addFilter(page, 'Updated', 'before', () => compareWith('today'))
    await page.getByText('No deal matches these filters').waitFor()
    await button(page, 'Remove “Updated before today”').click()
    await button(page, 'Change the filter: Created since 1 day ago').click()
    await compareWith('a date')
    await page.getByLabel('Day', { exact: true }).fill(inDays(3))
    await button(page, 'Apply').click()
    await page.getByText('No deal matches these filters').waitFor()
  })

  test('a filter by the beginning of a phone number takes the number as lists show it', async () => {
    await org.post('/contacts', { first_name: 'Ada', phone: '+19025550107' })
    await org.post('/contacts', { first_name: 'Bob', phone: '+12025550104' })
    const { page } = await browser.open('/o/ORG/people', owner)
    await page.getByText('+1 902 555 0107').waitFor()
    await addFilter(page, 'Phone', 'begins with', () => page.getByLabel('Value').fill('+1 902'))
    await row(page, 'Bob').waitFor({ state: 'detached' })
    await row(page, 'Ada').waitFor()
  })

  test('a filter of a text says that capital letters matter, before it is applied and if it finds nobody', async () => {
    await org.post('/contacts', { first_name: 'Patricia', last_name: 'Jones' })
    const { page } = await browser.open('/o/ORG/people', owner)
    await row(page, 'Patricia Jones').waitFor()
    await addFilter(page, 'Last name', 'is', async () => {
      await page.getByText('Capital letters matter: “jones” does not find “Jones”.').waitFor()
      await page.getByLabel('Value').fill('jones')
    })
    await page.getByText('Capital letters matter in filters of texts. The search ignores them.').waitFor()
    await button(page, 'Remove “Last name is jones”').click()
    await page.getByLabel('Search', { exact: true }).fill('jones')
    await row(page, 'Patricia Jones').waitFor()
    await page.getByLabel('Search', { exact: true }).fill('smith')
    await page.getByText('Nobody matches these filters').waitFor()
    expect(await page.getByText('Capital letters matter').count()).toBe(0)
    await button(page, 'Show all people').click()
    // The server ignores the letter case of addresses.
    await addFilter(page, 'E-mail', 'is', async () => {
      expect(await page.getByText('Capital letters matter').count()).toBe(0)
      await page.getByLabel('Value').fill('nobody@example.com')
    })
    await page.getByText('Nobody matches these filters').waitFor()
    expect(await page.getByText('Capital letters matter').count()).toBe(0)
  })

  test('a filter with several values offers the options and members to tick, and keeps an option with a comma', async () => {
    const options = ['Hall 1, left', 'Hall 2', 'Hall 3']
    const stand = { label: 'Stand', type: 'select', options, filterable: true }
    const { status, body } = await org.post('/fields', { entity: 'contact', key: 'stand', ...stand })
    expect(status).toBe(201)
    const standOf = (last_name: string, value: string) =>
      org.post('/contacts', { last_name, custom: { stand: value }, lifecycle_stage: 'lead' })
    await standOf('Adams', 'Hall 1, left')
    await standOf('Baker', 'Hall 2')
    await standOf('Clark', 'Hall 3')
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await row(page, 'Clark').waitFor()
    await addFilter(page, 'Stand', 'is one of', async () => {
      expect(await button(page, 'Apply').isDisabled()).toBe(true)
      await page.getByRole('checkbox', { name: 'Hall 2' }).check()
      await page.getByRole('checkbox', { name: 'Hall 1, left' }).check()
      await requireNoFaultsInAllLooks(opened)
    })
    await row(page, 'Clark').waitFor({ state: 'detached' })
    await row(page, 'Adams').waitFor()
    await row(page, 'Baker').waitFor()
    await page.getByRole('button', { name: /^Change the filter: Stand is one of/ }).click()
    await page.getByRole('checkbox', { name: 'Hall 2', checked: true }).uncheck()
    expect(await page.getByRole('checkbox', { name: 'Hall 1, left' }).isChecked()).toBe(true)
    await button(page, 'Apply').click()
    await row(page, 'Baker').waitFor({ state: 'detached' })
    const removed = { options: options.slice(1), existing: 'keep' }
    expect((await org.patch(`/fields/${body.data.field_id}`, removed)).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: /^Change the filter: Stand is one of/ }).click()
    await page.getByRole('checkbox', { name: 'Hall 2' }).check()
    await page.getByRole('checkbox', { name: 'Hall 1, left', checked: true }).uncheck()
    await button(page, 'Apply').click()
    await row(page, 'Adams').waitFor({ state: 'detached' })
    await row(page, 'Baker').waitFor()
    await addFilter(page, 'Stage', 'is one of', () =>
      page.getByRole('checkbox', { name: 'customer' }).check(),
    )
    await page.getByText('Nobody matches these filters').waitFor()
  })

  test('a filter with several texts has one on each line, so that names with commas are kept', async () => {
    for (const company_name of ['Acme, Inc.', 'Baker', 'Clark'])
      await org.post('/contacts', { last_name: company_name, company_name })
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await row(page, 'Clark').waitFor()
    await addFilter(page, 'Company', 'is one of', async () => {
      await page.getByLabel('Values').fill('Acme, Inc.\n\nBaker\n')
      await requireNoFaultsInAllLooks(opened)
    })
    await row(page, 'Clark').waitFor({ state: 'detached' })
    await row(page, 'Acme, Inc.').waitFor()
    await row(page, 'Baker').waitFor()
    await button(page, 'Change the filter: Company is one of “Acme, Inc.”, Baker').click()
    expect(await page.getByLabel('Values').inputValue()).toBe('Acme, Inc.\nBaker')
    await page.getByLabel('Values').press('Control+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row(page, 'Acme, Inc.').waitFor()
    await row(page, 'Baker').waitFor()
    const filter = { field: 'company_name', op: 'in', value: ['Acme, Inc.', 'Clark'] }
    await page.goto(`/console/o/${org.orgId}/people?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    await row(page, 'Clark').waitFor()
    await button(page, 'Change the filter: Company is one of “Acme, Inc.”, Clark').click()
    await button(page, 'Apply').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row(page, 'Acme, Inc.').waitFor()
    expect(await row(page, 'Baker').count()).toBe(0)
  })

  test('a filter with a comparison that the dialog does not offer can only be removed', async () => {
    await org.post('/contacts', { last_name: 'Newest' })
    const filter = { field: 'created_at', op: 'eq', value: 'today' }
    const { page } = await browser.open(
      `/o/ORG/people?filter=${encodeURIComponent(JSON.stringify(filter))}`,
      owner,
    )
    const remove = button(page, 'Remove the filter: Created is today')
    await remove.waitFor()
    // The dialog would choose another comparison.
    expect(await page.getByRole('button', { name: /^Change the filter/ }).count()).toBe(0)
    await remove.click()
    await row(page, 'Newest').waitFor()
  })

  test('a filter by a company finds it by its name, and shows its name', async () => {
    const { body } = await org.post('/companies', { name: 'Acme', domain: 'acme.example' })
    await org.post('/contacts', { last_name: 'Inside', company_id: body.data.company_id })
    await org.post('/contacts', { last_name: 'Outside' })
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await row(page, 'Outside').waitFor()
    await addFilter(page, 'Linked company', 'is', async () => {
      await page.getByLabel('Company', { exact: true }).fill('acm')
      await page.getByRole('radio', { name: /Acme/ }).check()
      await page.getByText('Chosen: Acme').waitFor()
      await requireNoFaultsInAllLooks(opened)
    })
    await row(page, 'Outside').waitFor({ state: 'detached' })
    await row(page, 'Inside').waitFor()
    await button(page, 'Remove the filter: Linked company is Acme').waitFor()
    await button(page, 'Change the filter: Linked company is Acme').click()
    await page.getByText('Chosen: Acme').waitFor()
  })

  test('texts of an import that are neither an address nor a number are counted, found and shown until they are corrected', async () => {
    const csv =
      'Last name,Email,Phone\nKelly,kelly(at)example.com,+1 202 555 0104\nIngram,ingram@example.com,'
    const { import_id } = await importCsv(org, csv)
    const opened = await browser.open(`/o/ORG/imports/${import_id}`, owner)
    const { page } = opened
    await page.getByText('1 person has an e-mail address or a phone number that could not be read.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('link', { name: 'View them' }).click()
    await row(page, 'Ingram').waitFor({ state: 'detached' })
    await button(page, 'Remove the filter: imported with one file').waitFor()
    const [{ contact_id }] = (await org.get('/contacts?q=Kelly')).body.data
    await page.goto(`/console/o/${org.orgId}/people/${contact_id}`)
    await page.getByText('kelly(at)example.com').waitFor()
    const label = (text: string) => page.locator('dt', { hasText: text })
    await label('Unreadable e-mail').waitFor()
    expect(await label('Unreadable phone').count()).toBe(0)
    await requireNoFaultsInTwoThemes(opened)
    await org.patch(`/contacts/${contact_id}`, { email: 'kelly@example.com' })
    await page.reload()
    await page.getByText('kelly@example.com').first().waitFor()
    expect(await label('Unreadable e-mail').count()).toBe(0)
  })

  test('a filter by amounts has the decimals of the currency that the list is filtered by', async () => {
    for (const amount_cents of [900, 1_250_000])
      await org.post('/deals', { name: `Deal of ¥${amount_cents}`, amount_cents, currency: 'JPY' })
    const filter = encodeURIComponent(JSON.stringify({ field: 'currency', op: 'eq', value: 'JPY' }))
    const { page } = await browser.open(`/o/ORG/deals?view=list&filter=${filter}`, owner)
    await page.getByRole('row', { name: /Deal of ¥900/ }).waitFor()
    await page.getByRole('button', { name: /^Filter/ }).click()
    await page.getByLabel('Field').selectOption({ label: 'Amount' })
    await page.getByLabel('Condition').selectOption({ label: 'is at least' })
    await page.getByText('In JPY.').waitFor()
    await page.getByLabel('Value').fill('1,250,000')
    await page.getByLabel('Value').press('Enter')
    await page.getByRole('button', { name: 'Change the filter: Amount is at least ¥1,250,000' }).waitFor()
    await page.getByRole('row', { name: /Deal of ¥900/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Deal of ¥1250000/ }).waitFor()
  })
})
