import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the amount of a deal', () => {
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

  async function openDeal(amount_cents: number): Promise<{ page: Page; read: () => Promise<object> }> {
    const body = { name: 'Renewal', amount_cents, currency: 'EUR' }
    const { deal_id } = (await org.post('/deals', body)).body.data
    const { page } = await browser.open(`/o/ORG/deals/${deal_id}`, owner)
    return { page, read: async () => (await org.get(`/deals/${deal_id}`)).body.data }
  }

  async function changeCurrency(page: Page, code: string): Promise<void> {
    await page.getByRole('button', { name: 'Edit Currency' }).click()
    await page.getByRole('textbox', { name: 'Currency' }).fill(code)
    await page.keyboard.press('Enter')
  }

  test('keeps its number if it gets a currency with other decimals', async () => {
    const { page, read } = await openDeal(100_000)
    await changeCurrency(page, 'jpy')
    await page.getByText('¥1,000', { exact: true }).waitFor()
    await changeCurrency(page, 'KWD')
    await page.getByText(/^KWD\s1,000$/).waitFor()
    expect(await read()).toMatchObject({ amount_cents: 1_000_000, currency: 'KWD' })
  })

  test('with cents is not moved to a currency without cents', async () => {
    const { page, read } = await openDeal(9_950)
    await changeCurrency(page, 'JPY')
    await page.getByText('The amount has more decimals than JPY. Change the amount first.').waitFor()
    expect(await read()).toMatchObject({ amount_cents: 9_950, currency: 'EUR' })
  })

  test('can be added later in the currency that was chosen for the new deal', async () => {
    const { page } = await browser.open('/o/ORG/deals?new=true', owner)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Renewal')
    await dialog.getByLabel('Currency').fill('USD')
    await dialog.getByRole('button', { name: 'Create deal' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [{ deal_id }] = (await org.get('/deals')).body.data
    const { page: deal } = await browser.open(`/o/ORG/deals/${deal_id}`, owner)
    await deal.getByRole('button', { name: 'Add Amount' }).click()
    await deal.getByRole('textbox', { name: 'Amount' }).fill('5,000')
    await deal.keyboard.press('Enter')
    await deal.getByText('$5,000', { exact: true }).waitFor()
  })
})
