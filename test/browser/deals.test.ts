import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const stages = ['Lead', 'Demo', 'Offer']

describe.runIf(chromium)('deals', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let ada: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    ada = await newMember(browser.app, org.orgId)
    await org.send('PUT', '/deals/stages', { body: { stages } })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function newDeal(name: string, fields: object = {}): Promise<string> {
    const answer = await org.post('/deals', { name, amount_cents: 100_000, currency: 'EUR', ...fields })
    expect(answer.status).toBe(201)
    return answer.body.data.deal_id
  }

  const read = async (id: string) => (await org.get(`/deals/${id}`)).body.data
  const column = (page: Page, stage: string) => page.getByRole('region', { name: stage, exact: true })
  const card = (page: Page, stage: string, name: string) =>
    column(page, stage).getByRole('link', { name: new RegExp(`^${name}`) })
  const head = (page: Page, stage: string) => column(page, stage).locator('header')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const open = (path = '/o/ORG/deals', member = ada) => browser.open(path, member)
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  /** Moves the mouse with a card to a column, and keeps the button pressed. */
  async function lift(page: Page, from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    if (!start || !end) throw new Error('The card or the column is not on the screen')
    await page.mouse.move(start.x + 20, start.y + 20)
    await page.mouse.down()
    await page.mouse.move(end.x + 100, end.y + 200, { steps: 6 })
  }

  test('a card dragged to another stage changes the sums of both, and Undo takes it back', async () => {
    const company = (await org.post('/companies', { name: 'Willow Design' })).body.data.company_id
    const id = await newDeal('Migration', { company_id: company, owner_id: ada.memberId })
    await newDeal('Renewal', { amount_cents: 50_050 })
    await newDeal('Pilot', { stage: 'Demo', currency: 'USD', expected_close_on: '2020-03-31' })
    const opened = await open()
    const { page } = opened
    await expect.poll(() => head(page, 'Lead').textContent(), patience).toContain('€1,500.50')
    const migration = card(page, 'Lead', 'Migration')
    await expect.poll(() => migration.textContent(), patience).toContain('Willow Design')
    await lift(page, migration, column(page, 'Offer'))
    await page.getByText('Offer would hold €1,000').waitFor()
    await requireNoFaults(opened)
    await page.mouse.up()
    await page.getByText('“Migration” is in Offer').waitFor()
    await card(page, 'Offer', 'Migration').waitFor()
    await expect.poll(() => head(page, 'Lead').textContent(), patience).toContain('€500.50')
    await expect.poll(() => head(page, 'Offer').textContent(), patience).toContain('€1,000')
    expect(await read(id)).toMatchObject({ stage: 'Offer', version: 2 })
    await button(page, 'Undo').click()
    await card(page, 'Lead', 'Migration').waitFor()
    await expect.poll(async () => (await read(id)).stage, patience).toBe('Lead')
  })

  test('Escape ends a drag, and a click opens the deal beside the board', async () => {
    const id = await newDeal('Migration')
    const { page } = await open()
    await card(page, 'Lead', 'Migration').waitFor()
    await lift(page, card(page, 'Lead', 'Migration'), column(page, 'Offer'))
    await page.getByText('Offer would hold').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await page.getByText('Offer would hold').count()).toBe(0)
    expect((await read(id)).version).toBe(1)
    await card(page, 'Lead', 'Migration').click()
    await page.getByRole('complementary', { name: 'Migration' }).waitFor()
    expect(new URL(page.url()).searchParams.get('peek')).toBe(id)
  })

  test('a card returns from a stage that was dropped meanwhile, by mouse and by keyboard', async () => {
    const id = await newDeal('Migration')
    const opened = await open()
    const { page } = opened
    await card(page, 'Lead', 'Migration').waitFor()
    await lift(page, card(page, 'Lead', 'Migration'), column(page, 'Offer'))
    await org.send('PUT', '/deals/stages', { body: { stages: ['Lead', 'Demo'] } })
    await page.mouse.up()
    await page.getByText('Offer is not a stage any more. “Migration” is back in Lead.').waitFor()
    await card(page, 'Lead', 'Migration').waitFor()
    await expect.poll(() => column(page, 'Offer').count(), patience).toBe(0)
    await card(page, 'Lead', 'Migration').focus()
    await page.keyboard.press('m')
    await page.getByRole('radio', { name: 'Lead' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await org.send('PUT', '/deals/stages', { body: { stages: ['Lead', 'Won deals'] } })
    await page.keyboard.press('Enter')
    await page.getByText('Demo is not a stage any more. “Migration” is back in Lead.').waitFor()
    await column(page, 'Won deals').waitFor()
    await requireNoFaults(opened)
    expect(await read(id)).toMatchObject({ stage: 'Lead', version: 1 })
  })

  test('a card that somebody else moved meanwhile goes where they put it, and the page says who it was', async () => {
    const id = await newDeal('Migration')
    const grace = await newMember(browser.app, org.orgId, 'member')
    const { page } = await open()
    await card(page, 'Lead', 'Migration').waitFor()
    await lift(page, card(page, 'Lead', 'Migration'), column(page, 'Offer'))
    expect((await grace.patch(`/deals/${id}`, { stage: 'Demo' })).status).toBe(200)
    await page.mouse.up()
    await page.getByText(/^Person \d+ moved “Migration” to Demo meanwhile/).waitFor()
    await card(page, 'Demo', 'Migration').waitFor()
    await button(page, 'Move to Offer').click()
    await card(page, 'Offer', 'Migration').waitFor()
    await expect.poll(async () => (await read(id)).stage, patience).toBe('Offer')
    await page.getByText('“Migration” is in Offer').waitFor()
    // The server moves the card, but its answer is lost: the page finds the card where it should be.
    const { version } = await read(id)
    let losesAnswer = true
    await page.route(`**/deals/${id}`, async (route) => {
      const isLost = route.request().method() === 'PATCH' && losesAnswer
      if (!isLost) return route.continue()
      losesAnswer = false
      await route.fetch()
      await route.abort('connectionreset')
    })
    await lift(page, card(page, 'Offer', 'Migration'), column(page, 'Demo'))
    await page.mouse.up()
    await page.getByText('“Migration” is in Demo').waitFor()
    await card(page, 'Demo', 'Migration').waitFor()
    expect(await read(id)).toMatchObject({ stage: 'Demo', version: version + 1 })
  })

  test('by keyboard alone, a person walks through deals, moves them, closes them with a reason and reopens them', async () => {
    const { body: reason } = await org.post('/deals/close-reasons', { label: 'Too slow', outcome: 'lost' })
    const ids = [await newDeal('First', { stage: 'Demo' }), await newDeal('Second'), await newDeal('Third')]
    const opened = await open()
    const { page } = opened
    await card(page, 'Lead', 'Third').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page), patience).toContain('Second')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused(page), patience).toContain('First')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText('Offer would hold').waitFor()
    await page.keyboard.press('Space')
    await card(page, 'Offer', 'First').waitFor()
    await expect.poll(() => focused(page), patience).toContain('First')
    await expect.poll(async () => (await read(ids[0] ?? '')).stage, patience).toBe('Offer')
    await page.keyboard.press('m')
    await page.getByRole('radio', { name: 'Close as lost' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Close “First”' })
    await dialog.getByLabel('Reason').focus()
    expect(await dialog.getByRole('button', { name: 'Close as lost' }).isDisabled()).toBe(true)
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.type('Too')
    await dialog.getByRole('button', { name: 'Close as lost' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('“First” is lost').waitFor()
    await expect.poll(() => card(page, 'Offer', 'First').count(), patience).toBe(0)
    expect(await read(ids[0] ?? '')).toMatchObject({
      status: 'lost',
      close_reason_id: reason.data.close_reason_id,
    })
    await button(page, 'Undo').last().focus()
    await page.keyboard.press('Enter')
    await card(page, 'Offer', 'First').waitFor()
    expect(await read(ids[0] ?? '')).toMatchObject({ status: 'open', close_reason_id: null })
  })

  test('a long stage loads as it scrolls, while its sum counts every deal; filters are in the address', async () => {
    const items = Array.from({ length: 130 }, (_, n) => ({
      ...{ name: `Deal ${n}`, amount_cents: 1_000, currency: 'EUR' },
      tags: n % 10 === 0 ? ['upsell'] : [],
    }))
    await org.post('/deals/batch', { items })
    const { page } = await open()
    const cards = column(page, 'Lead').getByRole('link')
    await expect.poll(() => cards.count(), patience).toBe(50)
    await expect.poll(() => head(page, 'Lead').textContent(), patience).toContain('130')
    expect(await head(page, 'Lead').textContent()).toContain('€1,300')
    const scroll = () =>
      column(page, 'Lead')
        .getByRole('list')
        .evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await expect.poll(() => scroll().then(() => cards.count()), patience).toBe(130)
    await page.keyboard.press('f')
    await page.getByLabel('Field').selectOption('tag')
    await page.getByLabel('Value').fill('upsell')
    await page.keyboard.press('Enter')
    await expect.poll(() => cards.count(), patience).toBe(13)
    await expect.poll(() => head(page, 'Lead').textContent(), patience).toContain('€130')
    await page.reload()
    await expect.poll(() => cards.count(), patience).toBe(13)
    expect(new URL(page.url()).searchParams.get('filter')).toContain('upsell')
  })

  test('changes of other people appear on the board without a reload', async () => {
    const id = await newDeal('Migration')
    const opened = await browser.open('/o/ORG/deals', ada, withClock)
    const { page } = opened
    await card(page, 'Lead', 'Migration').waitFor()
    await org.patch(`/deals/${id}`, { stage: 'Offer', amount_cents: 200_000 })
    await waitToShow(opened, card(page, 'Offer', 'Migration'))
    await waitToShow(opened, head(page, 'Offer').getByText('€2,000'))
    await newDeal('From a program')
    await waitToShow(opened, card(page, 'Lead', 'From a program'))
  })

  test('a deal is created with 1 click and typing, and its page edits, moves, closes and reopens it', async () => {
    await org.post('/companies', { name: 'Willow Design', domain: 'willow.example' })
    const opened = await open('/o/ORG/deals?view=list')
    const { page } = opened
    await page.getByText('No deal here yet').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New deal' })
    await dialog.getByLabel('Name').fill('Website')
    await dialog.getByLabel('Amount').fill('12,500.5')
    await dialog.getByLabel('Company').fill('willow')
    await dialog.getByRole('radio', { name: 'Willow Design' }).click()
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByLabel('Amount').press('Enter')
    await page.getByText('“Website” is created').waitFor()
    await page.getByRole('link', { name: 'Website' }).click()
    const peek = page.getByRole('complementary', { name: 'Website' })
    await peek.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByText('There are no older changes').waitFor()
    await page.getByRole('link', { name: 'Willow Design' }).waitFor()
    await button(page, 'Edit Amount').click()
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12500.50')
    await page.getByRole('textbox', { name: 'Amount' }).fill('9000')
    await page.keyboard.press('Enter')
    await page.getByText('€9,000', { exact: true }).first().waitFor()
    await page.keyboard.press('m')
    await page.getByRole('radio', { name: 'Demo' }).check()
    await button(page, 'Move').click()
    await page.getByText('“Website” is in Demo').waitFor()
    await button(page, 'Won').click()
    await page.getByLabel('Reason').selectOption({ index: 1 })
    await button(page, 'Close as won').click()
    await page.getByText('“Website” is won').waitFor()
    await button(page, 'Reopen').click()
    await page.getByText('“Website” is open again, in Demo').waitFor()
    await requireNoFaults(opened)
    const [deal] = (await org.get('/deals')).body.data
    expect(deal).toMatchObject({ amount_cents: 900_000, owner_id: ada.memberId, stage: 'Demo' })
  })

  test('two deals are merged with a chosen amount and its currency, and one click undoes it', async () => {
    const [one, other] = [
      await newDeal('Migration', { owner_id: ada.memberId }),
      await newDeal('Migration', { amount_cents: 250_000, currency: 'USD' }),
    ]
    const { page } = await open('/o/ORG/deals?view=list')
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByRole('region', { name: 'Selection' }).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByRole('combobox', { name: 'Amount' })
    await amount.selectOption({ label: '$2,500' })
    expect(await dialog.getByRole('combobox', { name: 'Currency' }).count()).toBe(0)
    await dialog.getByText('USD').waitFor()
    await dialog.getByRole('button', { name: 'Merge 2 deals' }).click()
    await page.getByText('2 deals are merged').waitFor()
    const merged = await read(one ?? '')
    expect(merged).toMatchObject({ amount_cents: 250_000, currency: 'USD', owner_id: ada.memberId })
    expect((await read(other ?? '')).deal_id).toBe(merged.deal_id)
    await button(page, 'Undo').click()
    await page.getByText('The merge is undone').waitFor()
    expect(await read(one ?? '')).toMatchObject({ amount_cents: 100_000, currency: 'EUR' })
  })

  test('a viewer sees the board, and cannot change it', async () => {
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    await newDeal('Migration')
    const { page } = await open('/o/ORG/deals', viewer)
    await card(page, 'Lead', 'Migration').waitFor()
    expect(await button(page, 'New deal').count()).toBe(0)
    await card(page, 'Lead', 'Migration').focus()
    await page.keyboard.press('m')
    await page.keyboard.press('Space')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByText('Moving').count()).toBe(0)
  })
})
