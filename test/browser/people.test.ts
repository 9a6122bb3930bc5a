import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const nameOf = (n: number) => `${personNumbered(n).first_name} ${personNumbered(n).last_name}`

describe.runIf(chromium)('lists of people and companies', () => {
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

  const grid = (page: Page) => page.getByRole('grid')
  const row = (page: Page, n: number) => page.getByRole('link', { name: nameOf(n), exact: true })
  const names = (page: Page) => page.getByRole('rowheader').allTextContents()
  /** The text of the row at which the keyboard is. */
  const activeRow = (page: Page) =>
    grid(page).evaluate(
      (element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent,
    )
  const peek = (page: Page) => page.getByRole('complementary').last()

  test('a person and a company are created by typing, and each error is shown at its field', async () => {
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await page.getByText('Nobody here yet').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'First name' }).waitFor()
    await page.keyboard.type('Ada')
    await page.getByRole('textbox', { name: 'Phone' }).fill('not a number')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Phone', description: /phone number/ }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('textbox', { name: 'Phone' }).fill('+1 202 555 0104')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    const phone = page.getByRole('link', { name: '+1 202 555 0104' })
    expect(await phone.getAttribute('href')).toBe('tel:+12025550104')
    expect((await org.get('/contacts')).body.data).toMatchObject([
      { first_name: 'Ada', phone: '+12025550104', owner_id: owner.memberId, source: 'console' },
    ])
    await page.goto(`/console/o/${org.orgId}/companies`)
    await page.getByRole('button', { name: 'New company' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('lantern.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'lantern.example' }).waitFor()
    await page.goto(`/console/o/${org.orgId}/companies`)
    await page.getByRole('link', { name: 'Import' }).and(page.locator('main *')).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  })

  test('without a pointer, a person walks, selects, opens, closes and sorts', async () => {
    await createPeople(org, 250)
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await page.getByText('250', { exact: true }).waitFor()
    await keyboard.reach(grid(page))
    await page.keyboard.press('ArrowDown')
    expect(await activeRow(page)).toContain(nameOf(249))
    await page.keyboard.press('j')
    await expect.poll(() => activeRow(page), patience).toContain(nameOf(248))
    await page.keyboard.press('k')
    await expect.poll(() => activeRow(page), patience).toContain(nameOf(249))
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await expect.poll(() => page.getByRole('row', { selected: true }).count(), patience).toBe(2)
    await page.keyboard.press('Enter')
    await peek(page)
      .getByRole('heading', { name: nameOf(248) })
      .waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('ArrowDown')
    await peek(page)
      .getByRole('heading', { name: nameOf(247) })
      .waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url(), patience).not.toContain('peek')
    await keyboard.requireFocus(grid(page))
    // The selection is still there, and the next Escape clears it.
    expect(await page.getByRole('row', { selected: true }).count()).toBe(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('row', { selected: true }).count(), patience).toBe(0)
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return activeRow(page)
      }, patience)
      .toContain(nameOf(1))
    await keyboard.press(page.getByRole('button', { name: 'Name', exact: true }))
    await expect.poll(async () => (await names(page))[0], patience).toContain('Banerjee')
    // Another order begins at its first row.
    await expect.poll(() => activeRow(page), patience).toContain('Banerjee')
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  })

  test('a filter is in the address, survives a reload, and the back button removes it', async () => {
    await createPeople(org, 60)
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await page.getByText('60', { exact: true }).waitFor()
    await page.keyboard.press('f')
    await page.getByLabel('Field').selectOption({ label: 'Stage' })
    await page.getByLabel('Value').selectOption('lead')
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Change the filter: Stage is lead' }).waitFor()
    await page.getByText('10', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('Kelly')
    await expect.poll(() => page.url(), patience).toContain('q=Kelly')
    await expect
      .poll(async () => (await names(page)).every((name) => name.includes('Kelly')), patience)
      .toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Change the filter: Stage is lead' }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('Kelly')
    await requireNoFaultsInAllLooks(opened)
    await page.goBack()
    await page.getByText('10', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('60', { exact: true }).waitFor()
    await page.goForward()
    await page.getByRole('button', { name: 'Remove the filter: Stage is lead' }).click()
    await page.getByText('60', { exact: true }).waitFor()
  })

  test('a filter that the server refuses is explained, and can be removed', async () => {
    await createPeople(org, 3)
    const filter = encodeURIComponent('{"and":[{"field":"no_such_field","op":"eq","value":"x"}]}')
    const { page } = await browser.open(`/o/ORG/people?filter=${filter}`, owner)
    await page.getByText('There is no such field').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove the filter' }).click()
    await row(page, 3).waitFor()
  })

  test('among many fields, a person finds the one that becomes a column', async () => {
    for (let n = 1; n <= 20; n += 1)
      await org.post('/fields', { entity: 'contact', key: `area_${n}`, label: `Area ${n}`, type: 'text' })
    await org.post('/contacts', { first_name: 'Ada' })
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await page.getByRole('button', { name: 'Columns' }).click()
    const others = page.getByRole('list', { name: 'Other columns' }).getByRole('checkbox')
    await page.getByLabel('Find a field').fill('area 17')
    await expect.poll(() => others.count(), patience).toBe(1)
    await requireNoFaultsInAllLooks(opened)
    await others.click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Area 17' }).waitFor()
  })

  test('the columns are remembered, also those of defined fields, by which the list is filtered and sorted', async () => {
    await org.post('/fields', { entity: 'contact', key: 'sites', label: 'Sites', type: 'number' })
    for (const sites of [14, 3])
      await org.post('/contacts', { first_name: `With ${sites}`, custom: { sites } })
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Sites' }).check()
    await page.getByRole('checkbox', { name: 'Phone', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Move Sites up' }).click()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')
    const widthOf = async (name: string) =>
      Math.round((await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0)
    const edge = (name: string) => page.getByRole('separator', { name: `Width of ${name}` })
    const before = await widthOf('Title')
    await edge('Title').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => widthOf('Title'), patience).toBe(before + 16)
    const { x = 0, y = 0 } = (await edge('E-mail').boundingBox()) ?? {}
    const wide = await widthOf('E-mail')
    await page.mouse.move(x + 4, y + 10)
    await page.mouse.down()
    await page.mouse.move(x + 104, y + 10, { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => widthOf('E-mail'), patience).toBe(wide + 100)
    await page.reload()
    await page.getByRole('columnheader', { name: 'Sites' }).waitFor()
    expect([await widthOf('Title'), await widthOf('E-mail')]).toEqual([before + 16, wide + 100])
    await edge('Title').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => widthOf('Title'), patience).not.toBe(before + 16)
    expect(await page.getByRole('columnheader', { name: 'Phone' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sites' }).click()
    await expect
      .poll(() => names(page), patience)
      .toEqual([/With 3/, /With 14/].map((name) => expect.stringMatching(name)))
    await page.keyboard.press('f')
    await page.getByLabel('Field').selectOption({ label: 'Sites' })
    await page.getByLabel('Condition').selectOption({ label: 'is more than' })
    await page.getByLabel('Value').fill('10')
    await page.keyboard.press('Enter')
    await page.getByText('1', { exact: true }).waitFor()
    expect(await names(page)).toEqual([expect.stringContaining('With 14')])
  })

  test('changes of another member appear, and rows of long lists do not move by themselves', async () => {
    const ids = await createPeople(org, 130)
    const opened = await browser.open('/o/ORG/people', owner, withClock)
    const { page } = opened
    await row(page, 130).waitFor()
    await org.patch(`/contacts/${ids[129]}`, { job_title: 'Astronomer' })
    await waitToShow(opened, page.getByText('Astronomer'))
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return activeRow(page)
      }, patience)
      .toContain(nameOf(1))
    await org.patch(`/contacts/${ids[0]}`, { job_title: 'Geologist' })
    await waitToShow(opened, page.getByText('Geologist'))
    await org.post('/contacts', { first_name: 'Newcomer' })
    await waitToShow(opened, page.getByText('Other rows were added'))
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByText('Newcomer').first().waitFor()
    await waitToHide(opened, page.getByText('Other rows were added'))
  })

  test('a row whose person was merged meanwhile links to the person who has its data', async () => {
    const ids = await createPeople(org, 3)
    const opened = await browser.open(`/o/ORG/people?peek=${ids[0]}`, owner)
    const { page } = opened
    await page.getByRole('heading', { name: nameOf(1) }).waitFor()
    const body = { entity_type: 'contact', survivor_id: ids[2], loser_ids: [ids[0]], force: true }
    expect((await org.post('/duplicates/merge', body)).status).toBe(200)
    await page.getByText('of this row was merged into').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByText('of this row was merged into').getByRole('link').click()
    await expect.poll(() => page.url(), patience).toContain(`/people/${ids[2]}`)
    await page.getByText('Its record was merged into this').waitFor()
  })

  test('a list keeps its rows while the server does not answer, and says so', async () => {
    await createPeople(org, 5)
    const opened = await browser.open('/o/ORG/people', owner, withClock)
    const { page } = opened
    await row(page, 5).waitFor()
    await page.context().setOffline(true)
    await waitToShow(opened, page.getByText('This list may be old'))
    await row(page, 5).waitFor()
    await requireNoFaults(opened)
    await page.context().setOffline(false)
    await waitToHide(opened, page.getByText('This list may be old'))
    await page.context().setOffline(true)
    await page.getByRole('searchbox', { name: 'Search' }).fill(nameOf(2))
    await waitToShow(opened, page.getByText('The rows are still those of the earlier search or filters'))
    await page.context().setOffline(false)
    await waitToHide(opened, row(page, 5))
    await row(page, 2).waitFor()
  })

  test('a person comes back to the same rows of the list', async () => {
    await createPeople(org, 90)
    const { page } = await browser.open('/o/ORG/people', owner)
    await row(page, 90).waitFor()
    await grid(page).focus()
    await page.keyboard.press('End')
    await row(page, 1).waitFor()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    await page.goBack()
    await row(page, 1).waitFor()
  })

  test('a viewer sees companies, which have columns of their own', async () => {
    await org.post('/companies', { name: 'Acme', domain: 'acme.example', employee_count: 1200 })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const { page } = await browser.open('/o/ORG/companies', viewer)
    await page.getByRole('gridcell', { name: '1,200' }).waitFor()
    expect(await page.getByRole('gridcell', { name: 'acme.example' }).count()).toBe(1)
  })
})
