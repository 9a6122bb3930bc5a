import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('duplicates', () => {
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

  const read = async (id: string) => (await org.get(`/contacts/${id}`)).body.data
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  const list = (page: Page) => page.getByRole('navigation', { name: 'Proposals' }).getByRole('listitem')
  const cell = (page: Page, row: string, column: number) =>
    page
      .getByRole('row', { name: new RegExp(`^${row} `) })
      .getByRole('cell')
      .nth(column)

  const klein = { last_name: 'Klein', phone: '+496990009233' }
  const maximilian = {
    ...klein,
    ...{ first_name: 'Maximilian', job_title: 'Managing Director', company_name: 'Willow Design GmbH' },
    ...{ email: 'maximilian.klein@willow-design.example', tags: ['trade-show'] },
  }
  const max = {
    ...klein,
    ...{ first_name: 'Max', city: 'Frankfurt am Main', company_name: 'Willow Design', tags: ['beta'] },
    ...{ email: 'm.klein@willow-design.example', lifecycle_stage: 'lead' },
  }
  const grace = { first_name: 'Grace', last_name: 'Campbell', email: 'grace@harbor.example' }

  /** The ids of two pairs that are proposed. */
  async function propose(...others: object[]): Promise<string[]> {
    const people = [maximilian, max, grace, { ...grace, city: 'Leeds' }, ...others]
    const ids = await createRecords(org, 'contact', ...people)
    await findAmong(browser.app, org, 'contact', ids)
    return ids
  }

  async function open(
    path = '/o/ORG/duplicates',
    member = owner,
    prepare?: typeof inNewBrowser,
  ): Promise<Opened> {
    const opened = await browser.open(path, member, prepare)
    await opened.page.getByRole('heading', { name: 'Duplicates' }).waitFor()
    return opened
  }

  const openPair = async (page: Page, name: string) => {
    await list(page).filter({ hasText: name }).getByRole('button').click()
    await expect.poll(() => button(page, /^Merge( M)?$/).isEnabled(), patience).toBe(true)
  }

  test('two people are merged as the preview shows with at most 4 clicks, and one click undoes the merge', async () => {
    const [a = '', b = ''] = await propose()
    const opened = await open()
    const { page } = opened
    await expect.poll(() => list(page).count(), patience).toBe(2)
    let clicks = 0
    const click = async (control: ReturnType<typeof button>) => {
      clicks += 1
      await control.click()
    }
    await openPair(page, 'Klein')
    await requireNoFaultsInAllLooks(opened)
    clicks = 1
    await click(page.getByRole('radio', { name: 'E-mail: merge in' }))
    await expect.poll(() => cell(page, 'E-mail', 2).textContent(), patience).toContain('m.klein@')
    await expect.poll(() => cell(page, 'City', 2).textContent(), patience).toContain('Frankfurt am Main')
    const preview = (await cell(page, 'E-mail', 2).textContent()) ?? ''
    await click(button(page, /^Merge( M)?$/))
    await page.getByText('Maximilian Klein and Max Klein are merged').waitFor()
    expect(clicks).toBeLessThanOrEqual(4)
    const merged = await read(b)
    expect(merged).toMatchObject({
      contact_id: a,
      email: max.email,
      city: max.city,
      first_name: 'Maximilian',
    })
    expect(preview).toContain(merged.email)
    await expect.poll(() => list(page).count(), patience).toBe(1)
    const { body } = await org.get('/duplicates/recent-merges')
    expect(body.data[0]).toMatchObject({ rule: 'same_phone_and_name', method: 'manual' })

    await button(page, 'Undo').click()
    await page.getByText('is undone').waitFor()
    expect(await read(a)).toMatchObject({ contact_id: a, email: maximilian.email, city: null })
    expect(await read(b)).toMatchObject({ contact_id: b, email: max.email, job_title: null })
  })

  test('proposals are decided by keyboard alone, and each decision is taken back', async () => {
    const [a = '', b = '', c = '', d = ''] = await propose()
    const opened = await open('/o/ORG/duplicates', owner, inNewBrowser)
    const { page } = opened
    const isOpen = (name: string) => page.getByRole('region', { name: new RegExp(name) }).waitFor()
    await isOpen('Grace')
    await page.keyboard.press('j')
    await isOpen('Klein')
    await page.keyboard.press('k')
    await isOpen('Grace')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await requireNoFaults(opened)
    await page.keyboard.press('Escape')
    await page.keyboard.press('d')
    await page.getByText('are not the same').waitFor()
    await isOpen('Klein')
    await page.keyboard.press('s')
    await page.getByRole('radio', { name: 'Title: keep, empty' }).waitFor()
    await page.getByRole('radio', { name: 'First name: keep' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => cell(page, 'First name', 2).textContent(), patience).toBe('Maximilian')
    await expect.poll(() => button(page, /^Merge( M)?$/).isEnabled(), patience).toBe(true)
    await page.keyboard.press('m')
    await page.getByText('are merged').waitFor()
    expect(await read(a)).toMatchObject({ contact_id: b, first_name: 'Maximilian' })
    await page.getByText('No proposal waits for you').waitFor()

    await page.keyboard.press('u')
    await page.getByText('is undone').waitFor()
    expect((await read(a)).contact_id).toBe(a)
    await page.keyboard.press('u')
    await page.getByText('are proposed again').waitFor()
    await isOpen('Grace')
    expect([(await read(c)).contact_id, (await read(d)).contact_id]).toEqual([c, d])
  })

  test('merges are undone and redone in any order, and an undo that is too late is disabled with the reason', async () => {
    const ids = await createRecords(org, 'contact', maximilian, max, grace, grace)
    const merged: string[] = []
    for (const [index, client] of [org, owner, org].entries()) {
      const pair = { survivor_id: ids[0], loser_ids: [ids[index + 1]], force: true }
      const { body } = await client.post('/duplicates/merge', { entity_type: 'contact', ...pair })
      merged.push(body.data.merges[0].merge_id)
    }
    const opened = await open('/o/ORG/duplicates?show=merged')
    const { page } = opened
    const rows = page.getByRole('table', { name: 'Merges' }).getByRole('row')
    await expect.poll(() => rows.count(), patience).toBe(4)
    // Also the record that is gone has a link. It leads to the record with its data.
    const gone = rows.nth(3).getByRole('link').nth(1)
    expect(await gone.getAttribute('href')).toBe(`/console/o/${owner.orgId}/people/${ids[1]}`)
    const change = async (row: number, act: string) => {
      await rows.nth(row).getByRole('button').click()
      await expect.poll(() => rows.nth(row).getByRole('button').textContent(), patience).toBe(act)
    }
    await change(3, 'Redo')
    await change(1, 'Redo')
    const texts = () => rows.allTextContents()
    await expect.poll(texts, patience).toContainEqual(expect.stringMatching(/by a program.*Undone by Person/))
    expect(await texts()).toContainEqual(expect.stringMatching(/Person \d+by hand/))
    expect([(await read(ids[1])).contact_id, (await read(ids[3])).contact_id]).toEqual([ids[1], ids[3]])
    await change(1, 'Undo')
    await change(3, 'Undo')
    expect([(await read(ids[1])).contact_id, (await read(ids[3])).contact_id]).toEqual([ids[0], ids[0]])
    await requireNoFaultsInAllLooks(opened)

    await org.patch('/duplicates/settings', { contact: { undo_days: 1 } })
    await browser.app.operate((tx) =>
      tx.run(sql`update merge set merged_at = now() - interval '2 days' where merge_id = ${merged[1]}`),
    )
    await page.reload()
    await rows.nth(2).getByText('Undo has expired').waitFor()
    expect(await rows.nth(2).getByRole('button').isDisabled()).toBe(true)
    expect(await rows.nth(1).getByRole('button').isEnabled()).toBe(true)
  })

  test('all proposals above a score are merged after a count, and a refused proposal does not stop the others', async () => {
    await propose(
      { first_name: 'Alan', last_name: 'Turing', email: 'alan@harbor.example' },
      { first_name: 'Joan', last_name: 'Clarke', email: 'alan@harbor.example' },
    )
    const opened = await open()
    const { page } = opened
    await expect.poll(() => list(page).count(), patience).toBe(3)
    await button(page, 'Merge above a score').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Lowest score').fill('2')
    await dialog.getByText('Type a number from 0 to 1').waitFor()
    await dialog.getByLabel('Lowest score').fill('0.99')
    await dialog.getByText('2 pairs are merged as proposed').waitFor()
    await requireNoFaultsInAllLooks(opened)
    // Somebody dismisses one of the two in between.
    const { body } = await org.get('/duplicates/recent-merges?status=shadow&min_score=0.99')
    let isFirst = true
    await page.route('**/duplicates/shadow/apply', async (route) => {
      if (isFirst) await org.post(`/duplicates/shadow/${body.data[0].merge_id}/dismiss`)
      isFirst = false
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Merge 2 pairs' }).click()
    await dialog
      .getByText('1 pair is merged, and 1 was refused: This proposal is already dismissed')
      .waitFor()
    expect((await org.get('/duplicates/recent-merges')).body.data).toHaveLength(1)
    await dialog.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('1 merge is undone').waitFor()
    expect((await org.get('/duplicates/recent-merges?status=applied')).body.data).toEqual([])
  })

  test('a scan is started and shows how it went', async () => {
    await createRecords(org, 'contact', grace, grace)
    await browser.app.operate((tx) => tx.run(sql`delete from duplicate_check where org_id = ${org.orgId}`))
    const opened = await open()
    const { page } = opened
    await button(page, 'Scan').click()
    await button(page, 'Scan people').click()
    await page.getByText('2 records').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Close').click()
    await page.getByText('1 of 1').waitFor()
  })

  test('settings show what they would have done last week before they are saved', async () => {
    await propose()
    const opened = await browser.open('/o/ORG/settings/duplicates', owner)
    const { page } = opened
    await page.getByText('Proposed to a person').waitFor()
    await page.getByRole('radio', { name: 'Merge automatically' }).check()
    await page.getByLabel('Same phone and name').selectOption('off')
    const row = page.getByRole('row', { name: /^Merged automatically/ })
    await expect.poll(() => row.getByRole('cell').allTextContents(), patience).toEqual(['0', '2'])
    await requireNoFaultsInAllLooks(opened)
    await page.getByLabel('Merge from a score of').fill('0.2')
    const reason = page.getByText('This must not be below the score to propose')
    await page.getByText('These settings would be refused').and(reason).waitFor()
    await button(page, 'Save').click()
    await expect.poll(() => reason.count(), patience).toBe(2)
    await page.getByLabel('Merge from a score of').fill('0.95')
    await button(page, 'Save').click()
    await page.getByText('The settings are saved').waitFor()
    expect((await org.get('/duplicates/settings')).body.data.contact).toMatchObject({
      mode: 'auto',
      auto_threshold: 0.95,
      rules: { same_phone_and_name: 'off' },
    })
  })

  test('in a merge of two deals, a person chooses the value of each field that differs, except lists', async () => {
    const [company_id] = await createRecords(org, 'company', { name: 'Acme' })
    const one = { name: 'Website', company_id, amount_cents: 100_000, currency: 'EUR', probability: 20 }
    const other = { name: 'website', company_id, amount_cents: 250_000, currency: 'USD', probability: 60 }
    const ids = await createRecords(
      org,
      'deal',
      { ...one, owner_id: owner.memberId, expected_close_on: '2026-12-01', tags: ['a'] },
      { ...other, owner_email: 'ada@acme.example', expected_close_on: '2026-12-31', tags: ['b'] },
    )
    await findAmong(browser.app, org, 'deal', ids)
    const { page } = await open('/o/ORG/duplicates?type=deal')
    const others = page.getByRole('radio', { name: /: merge in/ })
    await others.first().waitFor()
    const number = await others.count()
    for (let each = 0; each < number; each++) await others.nth(each).check()
    await expect.poll(() => cell(page, 'Amount', 2).textContent(), patience).toContain('2,500')
    await button(page, /^Merge( M)?$/).click()
    await page.getByText('are merged').waitFor()
    expect((await org.get(`/deals/${ids[0]}`)).body.data).toMatchObject({
      ...{ deal_id: ids[0], name: 'website', amount_cents: 250_000, currency: 'USD', probability: 60 },
      tags: ['a', 'b'],
    })
  })

  test('a viewer reads proposals, and gets no buttons to decide', async () => {
    await propose()
    const opened = await open('/o/ORG/duplicates', await newMember(browser.app, org.orgId, 'viewer'))
    await opened.page.getByText('Your role may read proposals').waitFor()
    await opened.page.setViewportSize({ width: 1440, height: 400 })
    await requireNoFaults(opened, ['scrollable-region-focusable'])
    expect(await opened.page.getByRole('radio', { name: /keep|merge in/ }).count()).toBe(0)
    await opened.page.keyboard.press('d')
    expect((await org.get('/duplicates/recent-merges?status=shadow')).body.pagination.total).toBe(2)
  })
})
