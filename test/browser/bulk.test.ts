import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { merge, undo } from '../support/merges.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const nameOf = (n: number) => `${personNumbered(n).first_name} ${personNumbered(n).last_name}`

describe.runIf(chromium)('actions on several people', () => {
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
  const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
  const read = async (id: string) => (await org.get(`/contacts/${id}`)).body.data

  async function open(path = '/o/ORG/people', member = owner): Promise<Opened> {
    const opened = await browser.open(path, member)
    await opened.page.getByRole('rowheader').first().waitFor()
    return opened
  }

  /** Counts the clicks of a person. */
  function countClicks() {
    let clicks = 0
    return {
      click: async (control: ReturnType<typeof button>) => {
        clicks += 1
        await control.click()
      },
      get count() {
        return clicks
      },
    }
  }

  test('all people of a list get a tag in the background, and the dialog shows the progress', async () => {
    await createPeople(org, 3)
    const opened = await open()
    const { page } = opened
    await page.getByRole('checkbox', { name: `Select ${nameOf(1)}` }).check()
    await bar(page).getByRole('button', { name: 'Change all 3' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText('You can stop it, but not undo it. To be able to go back, export the list first.')
      .waitFor()
    await dialog.getByLabel('What changes').selectOption({ label: 'They are archived' })
    await dialog.getByText('To restore people, show “Archived” in the list.').waitFor()
    await dialog.getByLabel('What changes').selectOption({ label: 'They get a tag' })
    await dialog.getByLabel('Tag').fill('autumn')
    await requireNoFaultsInAllLooks(opened)
    await dialog.getByRole('button', { name: 'Change all' }).click()
    await dialog.getByText('3 of 3 done. All done.').waitFor()
    await requireNoFaults(opened)
    expect((await org.get('/contacts?tag=autumn')).body.pagination.total).toBe(3)
  })

  test('the dialog of a change of all people says that its progress cannot be read, until it can', async () => {
    await createPeople(org, 3)
    const opened = await open()
    const { page } = opened
    await page.route('**/bulk-changes/*', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Broken' } }),
    )
    await page.getByRole('checkbox', { name: `Select ${nameOf(1)}` }).check()
    await bar(page).getByRole('button', { name: 'Change all 3' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tag').fill('autumn')
    await dialog.getByRole('button', { name: 'Change all' }).click()
    await dialog.getByText('The progress could not be read').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.unroute('**/bulk-changes/*')
    await dialog.getByText('3 of 3 done. All done.').waitFor()
    expect(await dialog.getByText('The progress could not be read').count()).toBe(0)
  })

  test('the total of a list is right as soon as its people are archived', async () => {
    await createPeople(org, 3)
    const opened = await browser.open('/o/ORG/people', owner, withClock)
    const { page } = opened
    const total = (number: string) => page.locator('header').getByText(number, { exact: true })
    await total('3').waitFor()
    await page.getByRole('checkbox', { name: `Select ${nameOf(1)}` }).check()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('1 person archived.').waitFor()
    await total('2').waitFor()
  })

  test('a letter that a person types in an open menu does not act on the selected people', async () => {
    await createPeople(org, 2)
    const { page } = await open()
    const batches: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/contacts/batch')) batches.push(request.url())
    })
    await page.getByRole('checkbox', { name: `Select ${nameOf(1)}` }).check()
    await bar(page).waitFor()
    await page.keyboard.press('v')
    const segments = page.getByRole('menu', { name: 'Segments' })
    await segments.getByRole('menuitemradio', { name: 'All people' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('e')
    await page.keyboard.press('Escape')
    await segments.waitFor({ state: 'hidden' })
    await page.keyboard.press('t')
    await page.getByRole('dialog', { name: 'Tag 1 person' }).waitFor()
    expect(batches).toEqual([])
  })

  test('two people are merged with 4 clicks after a preview, and one click undoes the merge', async () => {
    const [a = '', b = ''] = await createPeople(org, 2)
    const opened = await open()
    const { page } = opened
    const person = countClicks()
    await person.click(page.getByRole('checkbox', { name: `Select ${nameOf(1)}` }))
    await person.click(page.getByRole('checkbox', { name: `Select ${nameOf(2)}` }))
    await requireNoFaultsInAllLooks(opened)
    await person.click(bar(page).getByRole('button', { name: 'Merge' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Result').waitFor()
    const title = dialog.getByRole('combobox', { name: 'Title' })
    await expect.poll(() => title.locator('option').count(), patience).toBe(2)
    await requireNoFaultsInAllLooks(opened)
    await person.click(dialog.getByRole('button', { name: 'Merge 2 people' }))
    await page.getByText('2 people are merged').waitFor()
    expect(person.count).toBeLessThanOrEqual(4)
    expect((await read(b)).contact_id).toBe((await read(a)).contact_id)
    await button(page, 'Undo').click()
    await page.getByText('The merge is undone').waitFor()
    expect([(await read(a)).contact_id, (await read(b)).contact_id]).toEqual([a, b])
    await expect.poll(() => page.getByRole('rowheader').count(), patience).toBe(2)
  })

  test('the result of a merge is what its preview shows, with the chosen survivor and value', async () => {
    const [a = '', b = ''] = await createPeople(org, 2)
    const { page } = await open()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: new RegExp(nameOf(1)) }).check()
    await dialog.getByRole('combobox', { name: 'Title' }).selectOption(personNumbered(2).job_title ?? '')
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Merge 2 people' }).isEnabled(), patience)
      .toBe(true)
    await dialog.getByRole('button', { name: 'Merge 2 people' }).click()
    await page.getByText('2 people are merged').waitFor()
    const merged = await read(b)
    expect([merged.contact_id, merged.job_title]).toEqual([a, personNumbered(2).job_title])
  })

  test('the result of a merge shows the value that it has, if several of the people have it', async () => {
    await createPeople(org, 7)
    const { page } = await open()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: nameOf(1) }).check()
    const shown = dialog.getByRole('combobox', { name: 'Title' }).locator('option:checked')
    await expect.poll(() => shown.textContent(), patience).toBe(personNumbered(6).job_title)
  })

  test('a merge of people who were called different needs a tick, and waits again if it is removed', async () => {
    const [a = '', b = ''] = await createPeople(org, 2)
    const [made] = await merge(org, 'contact', a, b)
    expect((await undo(org, made?.merge_id ?? '')).status).toBe(200)
    const opened = await open()
    const { page } = opened
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    const although = dialog.getByRole('checkbox', { name: /^Merge although somebody said/ })
    const act = dialog.getByRole('button', { name: 'Merge 2 people' })
    await dialog.getByText('Somebody said that two of these are different').waitFor()
    expect(await dialog.textContent()).not.toContain('/duplicates/merge')
    await although.check()
    await expect.poll(() => act.isEnabled(), patience).toBe(true)
    await although.uncheck()
    await expect.poll(() => act.isEnabled(), patience).toBe(false)
    await although.check()
    await requireNoFaults(opened)
    await act.click()
    await page.getByText('2 people are merged').waitFor()
    expect((await read(b)).contact_id).toBe((await read(a)).contact_id)
  })

  test('if the preview of a merge fails for another reason, the dialog does not say that the people are different', async () => {
    await createPeople(org, 2)
    const { page } = await open()
    const json = { detail: 'One of them is archived', code: 'record_archived' }
    await page.route('**/duplicates/merge', (route) => route.fulfill({ status: 409, json }))
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('One of them is archived').waitFor()
    expect(await dialog.getByText('Merge although').count()).toBe(0)
  })

  test('all people that match a filter are tagged, even those that are not loaded', async () => {
    await createPeople(org, 130)
    const opened = await open()
    const { page } = opened
    await page.getByRole('checkbox', { name: `Select ${nameOf(130)}` }).check()
    await button(page, 'Select all 130').click()
    await bar(page).getByText('130 selected').waitFor()
    await page.keyboard.press('t')
    await page.getByLabel('Tag', { exact: true }).fill('autumn')
    await requireNoFaults(opened)
    await page.keyboard.press('Enter')
    await page.getByText('130 people tagged “autumn”').waitFor()
    expect((await org.get('/contacts?tag=autumn&limit=1')).body.pagination.total).toBe(130)
    expect((await org.get('/contacts?tag=trade-show&limit=1')).body.pagination.total).toBe(43)
  })

  test('archiving several people is undone with one click, and the archive restores them', async () => {
    await createPeople(org, 3)
    const { page } = await open()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Nobody here yet').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('3 people restored').waitFor()
    await page.getByRole('rowheader').nth(2).waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).waitFor()
    await page.keyboard.press('e')
    await page.getByText('Nobody here yet').waitFor()
    await page.getByLabel('Archived').check()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Nobody is archived').waitFor()
    expect((await org.get('/contacts')).body.pagination.total).toBe(3)
  })

  test('archived people are restored although others were refused, and the selection stays', async () => {
    const [gone = ''] = await createPeople(org, 4)
    const { page } = await open()
    for (const n of [1, 2, 3]) await page.getByRole('checkbox', { name: `Select ${nameOf(n)}` }).check()
    await bar(page).getByText('3 selected').waitFor()
    expect((await org.post(`/contacts/${gone}/erase`)).status).toBe(200)
    await page.keyboard.press('e')
    await page.getByText('2 people archived. 1 refused:').waitFor()
    await page.getByRole('checkbox', { name: `Select ${nameOf(4)}` }).check()
    await button(page, 'Undo').click()
    await page.getByText('2 people restored.').waitFor()
    expect(await bar(page).innerText()).toContain('1 selected')
  })

  test('the export has the rows and the order of the list', async () => {
    await createPeople(org, 20)
    const stage = (value: string) => ({ field: 'lifecycle_stage', op: 'eq', value })
    const tree = {
      and: [{ or: [stage('lead'), stage('customer')] }, { not: { field: 'city', value: 'Paris' } }],
    }
    const filter = encodeURIComponent(JSON.stringify(tree))
    const { page } = await open(`/o/ORG/people?filter=${filter}&sort=name`)
    const shown = (await page.getByRole('rowheader').getByRole('link').allTextContents()).map((name) =>
      name.split(' ').at(-1),
    )
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()])
    expect(download.suggestedFilename()).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    // Excel reads a file without this mark in the encoding of the computer.
    expect(text).toMatch(/^\ufeff/)
    const [head = '', ...lines] = text.trim().split('\r\n')
    expect(head).toContain('last_name')
    expect(lines[0]).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d,/)
    expect(lines.map((line) => /(?:\w|ś|è)+ (\d+)/.exec(line)?.[1])).toEqual(shown)
  })

  test('a viewer selects people, and is offered no change', async () => {
    await createPeople(org, 3)
    const { page } = await open('/o/ORG/people', await newMember(browser.app, org.orgId, 'viewer'))
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await bar(page).getByText('3 selected').waitFor()
    expect(
      await bar(page)
        .getByRole('button', { name: /Tag|Merge|Archive/ })
        .count(),
    ).toBe(0)
  })
})
