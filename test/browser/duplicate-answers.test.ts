import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

const names = [
  ['Grace', 'Campbell'],
  ['Alan', 'Turing'],
  ['Joan', 'Clarke'],
] as const

describe.runIf(chromium)('duplicates whose answers are slow', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const people = names.flatMap(([first_name, last_name]) => {
      const person = { first_name, last_name, email: `${first_name}@harbor.example` }
      return [person, { ...person, city: 'Leeds' }]
    })
    await findAmong(browser.app, org, 'contact', await createRecords(org, 'contact', ...people))
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('a person who opened another proposal before the answer stays there', async () => {
    const { page } = await browser.open('/o/ORG/duplicates', owner)
    const rows = page.getByRole('navigation', { name: 'Proposals' }).getByRole('listitem')
    const place = (words: string) => page.getByText(words, { exact: true }).waitFor()
    await place('1 of 3')
    const last = (await rows.nth(2).textContent()) ?? ''
    const answer = Promise.withResolvers<void>()
    await page.route(/\/duplicates\/shadow\/[\w-]+\/dismiss$/, async (route) => {
      await answer.promise
      await route.continue()
    })
    const asked = page.waitForRequest(/dismiss$/)
    await page.keyboard.press('d')
    await asked
    await page.keyboard.press('j')
    await place('2 of 3')
    await page.keyboard.press('j')
    await place('3 of 3')
    answer.resolve()
    await page.getByText('are not the same').waitFor()
    await place('2 of 2')
    expect(await rows.nth(1).textContent()).toBe(last)
    expect(await rows.nth(1).getByRole('button').getAttribute('aria-current')).toBe('true')
  })

  test('a stopped merge of many says what was merged and refused, and the dialog counts before it says a number', async () => {
    const { page } = await browser.open('/o/ORG/duplicates', owner)
    await page.getByRole('button', { name: 'Merge above a score' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 pairs are merged as proposed').waitFor()

    const counted = Promise.withResolvers<void>()
    await page.route(/recent-merges\?.*min_score=0\.5/, async (route) => {
      await counted.promise
      await route.continue()
    })
    await dialog.getByLabel('Lowest score').fill('0.5')
    await dialog.getByText('3 pairs are merged as proposed').waitFor({ state: 'detached' })
    expect(await dialog.getByText('No proposal has this score.').count()).toBe(0)
    counted.resolve()
    await dialog.getByText('3 pairs are merged as proposed').waitFor()

    const { body } = await org.get('/duplicates/recent-merges?status=shadow')
    await org.post(`/duplicates/shadow/${body.data[0].merge_id}/dismiss`)
    const answer = Promise.withResolvers<void>()
    await page.route('**/duplicates/shadow/apply', async (route) => {
      await answer.promise
      await route.continue()
    })
    // The page has read the proposals before one of them is dismissed.
    const asked = page.waitForRequest('**/duplicates/shadow/apply')
    await page.route(/recent-merges\?.*sort=-score/, (route) =>
      route.fulfill({ json: { data: body.data, pagination: { ...body.pagination, next_cursor: null } } }),
    )
    await dialog.getByRole('button', { name: 'Merge 3 pairs' }).click()
    await asked
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.waitFor({ state: 'detached' })
    answer.resolve()
    await page.getByText('2 pairs are merged. Refused: 1.').waitFor()
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('2 merges are undone.').waitFor()
    await expect
      .poll(
        async () => (await org.get('/duplicates/recent-merges?status=applied')).body.data.length,
        patience,
      )
      .toBe(0)
  })
})
