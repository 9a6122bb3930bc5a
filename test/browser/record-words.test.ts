import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the page of a record has words for people', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('for a change of the owner, and for an amount with a decimal comma', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const { deal_id } = (await org.post('/deals', { name: 'Website', amount_cents: 100, currency: 'EUR' }))
      .body.data
    await org.patch(`/deals/${deal_id}`, { owner_id: owner.memberId })
    const { page } = await browser.open(`/o/ORG/deals/${deal_id}`, owner)
    await page
      .getByRole('region', { name: 'History' })
      .getByText(/changed Owner$/)
      .waitFor()
    await page.getByRole('button', { name: 'Edit Amount' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('1.234,50')
    await page.keyboard.press('Enter')
    await page.getByText('Type a number, such as 12,500 or 99.50.').waitFor()
  })

  test('for a number of a defined field that can mean two numbers', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    await org.post('/fields', { entity: 'contact', key: 'sites', label: 'Sites', type: 'number' })
    const { contact_id } = (await org.post('/contacts', { last_name: 'Adams' })).body.data
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    await page.getByRole('button', { name: 'Add Sites' }).click()
    await page.getByRole('textbox', { name: 'Sites' }).fill('1.000')
    await page.keyboard.press('Enter')
    await page.getByText('“1.000” can mean two numbers. Write 1000 or 1.0000.').waitFor()
    await page.getByRole('textbox', { name: 'Sites' }).fill('1000')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Sites' }).waitFor()
    expect((await org.get(`/contacts/${contact_id}`)).body.data.custom).toEqual({ sites: 1000 })
  })

  test('for a long tag, all of which is on the page', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const tags = [
      'Visitors of the trade fair in Hannover, autumn 2026',
      'signed-up-for-the-newsletter-of-spring-2026',
    ]
    const { contact_id } = (await org.post('/contacts', { last_name: 'Adams', tags })).body.data
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    const fields = page.getByRole('region', { name: 'Fields' })
    for (const tag of tags) {
      const [whole, shown] = await Promise.all([fields.boundingBox(), fields.getByText(tag).boundingBox()])
      if (!whole || !shown) throw new Error('The tag is not on the screen')
      expect(shown.x + shown.width).toBeLessThanOrEqual(whole.x + whole.width)
    }
  })

  test('for a deal with a long stage, whose name is still there', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    const stage = 'Waiting until both sides have signed the contract'
    await org.send('PUT', '/deals/stages', { body: { stages: ['Lead', stage] } })
    const { contact_id } = (await org.post('/contacts', { last_name: 'Adams' })).body.data
    const money = { amount_cents: 1_234_500, currency: 'EUR' }
    await org.post('/deals', { name: 'Renewal', contact_ids: [contact_id], stage, ...money })
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    const name = page.getByRole('link', { name: 'Renewal' })
    const isWhole = (link: HTMLElement) => link.clientWidth > 0 && link.scrollWidth <= link.clientWidth
    await expect.poll(() => name.evaluate(isWhole), patience).toBe(true)
    const amount = await page.getByText('€12,345', { exact: true }).boundingBox()
    expect((amount?.x ?? 0) + (amount?.width ?? 0)).toBeLessThan(page.viewportSize()?.width ?? 0)
  })

  test('for a number, with all of its digits: on the page, in a list and in a filter', async () => {
    const org = await browser.app.newOrg()
    const owner = await newMember(browser.app, org.orgId)
    await org.post('/fields', { entity: 'contact', key: 'rate', label: 'Rate', type: 'number' })
    const custom = { rate: 1234.56789 }
    const { contact_id } = (await org.post('/contacts', { last_name: 'Adams', custom })).body.data
    const opened = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    const { page } = opened
    await page.getByText('1,234.56789', { exact: true }).waitFor()
    const filter = JSON.stringify({ and: [{ field: 'custom.rate', op: 'eq', value: 1234.56789 }] })
    await browser.reopen(opened, `/o/ORG/people?filter=${encodeURIComponent(filter)}`, owner)
    await page.getByRole('button', { name: 'Change the filter: Rate is 1,234.56789' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Rate' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('gridcell', { name: '1,234.56789', exact: true }).waitFor()
  })
})
