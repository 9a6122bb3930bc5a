import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

const broken = { status: 500, json: { detail: 'Something broke', code: 'internal_error' } }
const missing = { status: 404, json: { detail: 'No such contact', code: 'contact_not_found' } }

describe.runIf(chromium)('if the server fails after a page showed its data', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let ada: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const contact = { first_name: 'Ada', last_name: 'Lovelace', job_title: 'Analyst' }
    ada = (await org.post('/contacts', contact)).body.data.contact_id
    for (let note = 1; note <= 25; note++)
      expect(
        (await org.post('/notes', { entity_type: 'contact', record_id: ada, text: `Note ${note}` })).status,
      ).toBe(201)
    await org.post('/deals', { name: 'Migration', amount_cents: 100_000, currency: 'EUR' })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Answers all reads of one kind with a failure, until `mend`. */
  async function fail({ page }: Opened, address: RegExp, answer = broken): Promise<() => Promise<void>> {
    const refuse = (route: Route) => route.fulfill({ headers: { 'retry-after': '0' }, ...answer })
    await page.route(address, refuse)
    return () => page.unroute(address, refuse)
  }

  test('the page of a record says that it may be old, and keeps what a person types', async () => {
    const opened = await browser.open(`/o/ORG/people/${ada}`, owner, withClock)
    const { page } = opened
    await button(page, 'Edit Title').click()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Engineer')
    const mend = await fail(opened, /\/contacts\/[\w-]+(\?.*)?$/)
    await waitToShow(opened, page.getByText('The data of this person may be old'))
    expect(await title.inputValue()).toBe('Engineer')
    await requireNoFaultsInAllLooks(opened)
    await title.press('Enter')
    await waitToShow(opened, page.getByText('Crosswalk could not answer'))
    expect(await title.inputValue()).toBe('Engineer')
    await mend()
    await waitToHide(opened, page.getByText('The data of this person may be old'))
    await title.press('Enter')
    await title.waitFor({ state: 'detached' })
    expect((await org.get(`/contacts/${ada}`)).body.data.job_title).toBe('Engineer')
  })

  test('a record beside the list says that it does not exist any more', async () => {
    const opened = await browser.open(`/o/ORG/people?peek=${ada}`, owner, withClock)
    const { page } = opened
    const aside = page.getByRole('complementary', { name: 'Ada Lovelace' })
    await aside.waitFor()
    const mend = await fail(opened, /\/contacts\/[\w-]+(\?.*)?$/, missing)
    await waitToShow(opened, aside.getByText('This person does not exist any more'))
    await aside.getByText('Lovelace').first().waitFor()
    await requireNoFaultsInAllLooks(opened)
    await mend()
    await waitToHide(opened, aside.getByText('This person does not exist any more'))
  })

  test('a list says that its next page could not be read, keeps its rows, and reads it on request', async () => {
    const opened = await browser.open(`/o/ORG/people/${ada}`, owner, withClock)
    const { page } = opened
    const notes = page.locator('section, div').filter({ hasText: 'Note 25' }).last()
    await notes.waitFor()
    const mend = await fail(opened, /\/notes\?.*cursor=/)
    await button(page, 'Show older notes').click()
    await waitToShow(opened, page.getByText('The next page could not be read'))
    await page.getByText('Note 25').waitFor()
    await mend()
    await button(page, 'Try again').click()
    await page.getByText('Note 1', { exact: true }).waitFor()
    await page.getByText('The next page could not be read').waitFor({ state: 'detached' })
  })

  test('the board of deals reads a column again after a failure, even if no other deal changes', async () => {
    const opened = await browser.open('/o/ORG/deals', owner, withClock)
    const { page } = opened
    await page.getByRole('link', { name: /^Migration/ }).waitFor()
    // The columns, and not the one deal that says whether something changed.
    let isBroken = true
    let refused = 0
    await page.route('**/deals/search', (route) => {
      if (!isBroken || route.request().postDataJSON().limit === 1) return route.continue()
      refused++
      return route.fulfill({ headers: { 'retry-after': '0' }, ...broken })
    })
    await org.post('/deals', { name: 'Renewal' })
    await waitToShow(opened, page.getByText('This board may be old'))
    expect(refused).toBeGreaterThan(0)
    await page.getByRole('link', { name: /^Migration/ }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    isBroken = false
    await waitToShow(opened, page.getByRole('link', { name: /^Renewal/ }))
    await waitToHide(opened, page.getByText('This board may be old'))
    await expect.poll(() => page.getByRole('link', { name: /^Migration/ }).count(), patience).toBe(1)
  })

  test('an undo of a merge or of an archive that fails is offered again', async () => {
    for (const name of ['Harbor Tools', 'Harbor Tooling']) await org.post('/companies', { name })
    const opened = await browser.open('/o/ORG/companies', owner)
    const { page } = opened
    const selectBoth = async () => {
      for (const name of ['Harbor Tools', 'Harbor Tooling'])
        await page.getByRole('row', { name }).getByRole('checkbox').check()
    }
    await selectBoth()
    await page.keyboard.press('m')
    await button(page, 'Merge 2 companies').click()
    await page.getByText('2 companies are merged.').waitFor()
    let mend = await fail(opened, /undo-merge/)
    await button(page, 'Undo').click()
    await page.getByText('The merge is not undone:').waitFor()
    await mend()
    await button(page, 'Undo').click()
    await page.getByText('The merge is undone. All records are back.').waitFor()
    await page.getByRole('link', { name: 'Harbor Tooling' }).waitFor()
    await selectBoth()
    await page.keyboard.press('e')
    await page.getByText('2 companies archived.').waitFor()
    mend = await fail(opened, /companies\/batch$/)
    await button(page, 'Undo').click()
    await page.getByText('Not restored').waitFor()
    await mend()
    await button(page, 'Undo').click()
    await page.getByText('2 companies restored.').waitFor()
  })

  test('an undo of an archive that fails is offered again after the person left the page of the record', async () => {
    const { company_id: id } = (await org.post('/companies', { name: 'Harbor Tools' })).body.data
    const opened = await browser.open(`/o/ORG/companies/${id}`, owner)
    const { page } = opened
    await button(page, 'Archive').click()
    await page.getByText('Harbor Tools is archived.').waitFor()
    const mend = await fail(opened, /restore$/)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor()
    await button(page, 'Undo').click()
    await page.getByText('Not restored').waitFor()
    await mend()
    await button(page, 'Undo').click()
    await page.getByText('Harbor Tools is restored.').waitFor()
  })

  test('a move of a deal that fails is offered again', async () => {
    const opened = await browser.open('/o/ORG/deals', owner)
    const { page } = opened
    const card = page.getByRole('link', { name: /^Migration/ })
    await card.focus()
    const mend = await fail(opened, /\/deals\/[\w-]+$/)
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await page.getByText('“Migration” is not moved').waitFor()
    await mend()
    await page.getByRole('button', { name: /^Move to / }).click()
    await page.getByText(/“Migration” is in /).waitFor()
  })

  test('a reopening of a deal that fails is offered again, with the reason', async () => {
    await org.post('/deals', { name: 'Harbor crane', amount_cents: 100_000, currency: 'EUR' })
    const opened = await browser.open('/o/ORG/deals', owner)
    const { page } = opened
    const card = page.getByRole('link', { name: /^Harbor crane/ })
    await card.focus()
    await page.keyboard.press('m')
    await page.getByRole('radio', { name: 'Close as won …' }).check()
    await page.keyboard.press('Enter')
    const reason = page.getByLabel('Reason')
    await reason.or(page.getByText('There is no close reason')).waitFor()
    if (await reason.isVisible()) await reason.selectOption({ index: 1 })
    await button(page, 'Close as won').click()
    await page.getByText('“Harbor crane” is won.').waitFor()
    const mend = await fail(opened, /reopen$/)
    await button(page, 'Undo').click()
    await page.getByText('“Harbor crane” is not open again: Something broke').waitFor()
    await mend()
    await button(page, 'Reopen').click()
    await page.getByText('“Harbor crane” is open again').waitFor()
    await card.waitFor()
  })

  test('a notice of a closed deal disappears when the deal is open again', async () => {
    const deal = (await org.post('/deals', { name: 'Harbor pier' })).body.data.deal_id
    const { page } = await browser.open(`/o/ORG/deals/${deal}`, owner)
    await button(page, 'Won').click()
    const reason = page.getByLabel('Reason')
    await reason.or(page.getByText('There is no close reason')).waitFor()
    if (await reason.isVisible()) await reason.selectOption({ index: 1 })
    await button(page, 'Close as won').click()
    await page.getByText('“Harbor pier” is won.').waitFor()
    await button(page, 'Reopen').click()
    await page.getByText('“Harbor pier” is open again').waitFor()
    expect(await button(page, 'Undo').count()).toBe(0)
  })

  test('a row of the merges follows an undo whose answer was lost', async () => {
    const pair = ['Rope One', 'Rope Two'].map((name) => org.post('/companies', { name }))
    const [one, two] = (await Promise.all(pair)).map(({ body }) => body.data.company_id)
    const merge = { entity_type: 'company', survivor_id: one, loser_ids: [two], force: true }
    expect((await org.post('/duplicates/merge', merge)).status).toBeLessThan(300)
    const { page } = await browser.open('/o/ORG/duplicates?show=merged', owner)
    await page.route(/\/undo$/, async (route) => {
      await route.fetch()
      await route.fulfill({ headers: { 'retry-after': '0' }, ...broken })
    })
    await page.getByRole('button', { name: /^Undo: Rope/ }).click()
    await page.getByRole('button', { name: /^Redo: Rope/ }).waitFor()
    await page.getByRole('row', { name: /Rope.*Undone by/ }).waitFor()
  })
})
