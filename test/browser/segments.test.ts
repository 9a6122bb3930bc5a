import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, comeBack, type Opened } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { createPeople } from '../support/console-records.ts'
import { connect, crmBase } from '../support/crm-sync/crm.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('segments in lists', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { outboundAllowPrivate: true })
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const open = (path: string, member = owner): Promise<Opened> => browser.open(`/o/ORG${path}`, member)
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const menu = (page: Page) => button(page, /^Segment:/)
  const item = (page: Page, name: string | RegExp) =>
    page
      .getByRole('menu', { name: 'Segments' })
      .getByRole('menuitem', { name })
      .or(page.getByRole('menuitemradio', { name }))
  const lead = { field: 'lifecycle_stage', op: 'eq', value: 'lead' }
  const create = async (entity: string, name: string, selection: object): Promise<string> =>
    (await org.post('/segments', { entity, name, ...selection })).body.data.segment_id
  const total = (page: Page, number: string) => page.locator('header').getByText(number, { exact: true })

  test('without a pointer, a person saves filters as a segment, opens it again, and changes, renames and deletes it', async () => {
    await createPeople(org, 60)
    const opened = await open('/people')
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await total(page, '60').waitFor()
    await page.keyboard.press('f')
    await page.getByLabel('Field').selectOption({ label: 'Stage' })
    await page.getByLabel('Value').selectOption('lead')
    await keyboard.press(button(page, 'Apply'))
    await keyboard.press(button(page, 'Save as segment'))
    await page.getByText('All people with: Stage is lead.').waitFor()
    await page.keyboard.type('Leads')
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Enter')
    await button(page, 'Segment: Leads').waitFor()
    expect(page.url()).toMatch(/\?segment=[\da-f-]+$/)
    // The button that opened the dialog is gone.
    await keyboard.requireFocus(page.getByRole('grid'))
    await page.reload()
    await button(page, 'Change the filter: Stage is lead').waitFor()
    await total(page, '10').waitFor()

    await page.keyboard.press('v')
    await item(page, /^Leads.*\D10$/).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')
    await keyboard.requireFocus(menu(page))

    await page.getByRole('searchbox', { name: 'Search' }).fill('Kelly')
    await page.getByText('Changed', { exact: true }).waitFor()
    await expect.poll(() => page.url(), patience).toContain('edited=true')
    await page.reload()
    await button(page, 'Change the filter: Stage is lead').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await keyboard.press(button(page, 'Save'))
    await page.getByText('“Leads” is saved.').waitFor()
    const [stored] = (await org.get('/segments')).body.data.segments
    expect(stored).toMatchObject({ name: 'Leads', q: 'Kelly', filter: { and: [lead] } })

    await page.keyboard.press('v')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Leads named Kelly')
    await page.keyboard.press('Enter')
    await button(page, 'Segment: Leads named Kelly').waitFor()

    const { segment_id } = stored
    const endpoint = { url: 'https://crm.example.com/leads', types: ['contact.*'], segment_id }
    const { endpoint_id } = (await org.post('/webhooks/endpoints', endpoint)).body.data
    await page.keyboard.press('v')
    await item(page, 'Delete').click()
    const dialog = page.getByRole('dialog', { name: 'Delete “Leads named Kelly”?' })
    await dialog.getByRole('link', { name: 'crm.example.com/leads' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Escape')
    await org.patch(`/webhooks/endpoints/${endpoint_id}`, { segment_id: null })
    await page.keyboard.press('v')
    await item(page, 'Delete').click()
    await dialog.getByText('No webhook endpoint uses it.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await total(page, '60').waitFor()
    expect((await org.get('/segments')).body.data.segments).toEqual([])
  })

  test('300 people of a segment are pushed to a CRM from the list with 5 clicks', async () => {
    const ids = await createPeople(org, 310)
    const connectionId = await connect(org, { name: 'Trade shows' })
    const items = ids.slice(0, 300).map((contact_id) => ({ contact_id, source: 'fair' }))
    await org.post('/contacts/batch', { items })
    await create('contact', 'From the fair', { filter: { field: 'source', value: 'fair' } })
    const { page } = await open('/people')
    let clicks = 0
    const click = async (control: ReturnType<typeof button>) => {
      clicks += 1
      await control.click()
    }
    await click(menu(page))
    await click(item(page, /^From the fair/))
    await total(page, '300').waitFor()
    await click(menu(page))
    await click(item(page, 'Push to CRM'))
    await page.getByRole('region', { name: 'Sample' }).waitFor()
    await click(button(page, 'Push 300 people'))
    await page.getByText('300 of 300 people').waitFor()
    expect(clicks).toBeLessThanOrEqual(5)
    const sandbox = `${crmBase}/connections/${connectionId}/sandbox?limit=1`
    await expect.poll(async () => (await org.get(sandbox)).body.pagination.total, patience).toBe(300)
  })

  /** Opens a segment, and changes what the list shows. */
  async function changeLeads() {
    await createPeople(org, 12)
    const id = await create('contact', 'Leads', { filter: lead })
    const { page } = await open(`/people?segment=${id}`)
    await total(page, '2').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('Kelly')
    await page.getByText('Changed', { exact: true }).waitFor()
    return { page, id }
  }
  const changeByAnother = (id: string) =>
    org.patch(`/segments/${id}`, { filter: { field: 'city', value: 'Paris' } })
  /** The first save is refused, and changes nothing. The second one replaces the other change. */
  async function saveTwice(page: Page, id: string) {
    await button(page, 'Save').click()
    await page.getByText('somebody else changed “Leads” meanwhile').waitFor()
    expect((await org.get(`/segments/${id}`)).body.data.q).toBeNull()
    await button(page, 'Save').click()
    await page.getByText('“Leads” is saved.').waitFor()
    const { q, filter } = (await org.get(`/segments/${id}`)).body.data
    expect([q, filter]).toEqual(['Kelly', lead])
  }

  test('a change that another member saved meanwhile is not overwritten without a question', async () => {
    const { page, id } = await changeLeads()
    await changeByAnother(id)
    await saveTwice(page, id)
  })

  test('a change that another member saved is not overwritten either if the page has read it already', async () => {
    const { page, id } = await changeLeads()
    await changeByAnother(id)
    await comeBack(page, '/segments', 'Paris')
    await saveTwice(page, id)
  })

  test('a save that failed does not overwrite what another member saves before the next try', async () => {
    const { page, id } = await changeLeads()
    await page.route('**/segments/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { detail: 'Broken' } })
        : route.continue(),
    )
    await changeByAnother(id)
    await button(page, 'Save').click()
    await page.getByText('Not saved:').waitFor()
    await page.unroute('**/segments/*')
    await saveTwice(page, id)
  })

  test('a name that another member gave the segment meanwhile is replaced only after the dialog says so', async () => {
    const id = await create('contact', 'Leads', { filter: lead })
    const { page } = await open(`/people?segment=${id}`)
    await menu(page).click()
    await item(page, 'Rename').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Warm leads')
    await org.patch(`/segments/${id}`, { name: 'Hot leads' })
    await page.keyboard.press('Enter')
    await dialog.getByText('Somebody else changed the name of this segment').waitFor()
    expect((await org.get(`/segments/${id}`)).body.data.name).toBe('Hot leads')
    await dialog.getByRole('button', { name: 'Rename again' }).click()
    await button(page, 'Segment: Warm leads').waitFor()
  })

  test('a double click on Save creates one segment, also while the segments are read again', async () => {
    const { page } = await changeLeads()
    const creations: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/segments')) creations.push(request.url())
    })
    await menu(page).click()
    await item(page, 'Save as a new segment').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Kelly')
    let isReading = false
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/segments?*', async (route) => {
      isReading = true
      await held
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => creations.length > 0 && isReading, patience).toBe(true)
    await dialog.getByRole('button', { name: 'Save' }).dispatchEvent('click')
    answer()
    await button(page, 'Segment: Kelly').waitFor()
    expect(creations).toHaveLength(1)
  })

  test('a list and a push whose segment somebody deletes say so, and do not say that the server is away', async () => {
    await createPeople(org, 3)
    await connect(org)
    const id = await create('contact', 'Leads', {})
    const { page: push } = await open(`/crm/push?segment=${id}`)
    await button(push, 'Push 3 people').waitFor()
    const { page } = await open(`/people?segment=${id}`)
    await total(page, '3').waitFor()
    await org.delete(`/segments/${id}`)
    await page.getByText('This segment does not exist any more').waitFor()
    expect(await page.getByText('Crosswalk does not answer').count()).toBe(0)
    await button(push, 'Push 3 people').click()
    await push.getByText('Nobody is pushed: the segment or the CRM was deleted meanwhile.').waitFor()
  })

  test('a board whose segment somebody deletes says so, and does not say that the server is away', async () => {
    const { body } = await org.post('/deals', { name: 'Website', source: 'fair' })
    const id = await create('deal', 'From the fair', { filter: { field: 'source', value: 'fair' } })
    const { page } = await open(`/deals?segment=${id}`)
    await page.getByText('Website').waitFor()
    await org.delete(`/segments/${id}`)
    await org.patch(`/deals/${body.data.deal_id}`, { amount_cents: 100_000, currency: 'EUR' })
    await page
      .getByText('This segment does not exist any more')
      .or(page.getByText('Crosswalk does not answer'))
      .waitFor()
    expect(await page.getByText('Crosswalk does not answer').count()).toBe(0)
    await button(page, 'Show all deals').click()
    await page.getByText('€1,000').first().waitFor()
    expect(await page.getByText('Crosswalk does not answer').count()).toBe(0)
  })

  test('the board and the list of deals show a segment, and a viewer changes none', async () => {
    const deal = { amount_cents: 100_000, currency: 'EUR' }
    await org.post('/deals', { ...deal, name: 'Website', source: 'fair' })
    await org.post('/deals', { ...deal, name: 'Shop' })
    const id = await create('deal', 'From the fair', { filter: { field: 'source', value: 'fair' } })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const opened = await open('/deals', viewer)
    const { page } = opened
    await page.getByText('Shop').waitFor()
    await menu(page).click()
    await item(page, /^From the fair/).waitFor()
    expect(await item(page, /Save|Rename|Delete/).count()).toBe(0)
    await item(page, /^From the fair/).click()
    await expect.poll(() => page.getByText('Shop').count(), patience).toBe(0)
    await page.getByText('Website').waitFor()
    await page.getByText('List', { exact: true }).click()
    await page.getByRole('rowheader', { name: 'Website' }).waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await button(page, 'Remove the filter: Source is fair').click()
    await page.getByRole('rowheader', { name: 'Shop' }).waitFor()
    expect(await button(page, /^Save/).count()).toBe(0)
    await org.delete(`/segments/${id}`)
    await page.goto(`/console/o/${org.orgId}/deals?view=list&segment=${id}`)
    await page.getByText('This segment does not exist any more').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Show all deals').click()
    await page.getByRole('rowheader', { name: 'Shop' }).waitFor()
  })

  test('a segment whose field got another type is saved again without a change of its filter', async () => {
    const field = { entity: 'contact', key: 'score', label: 'Score', type: 'text' }
    const { field_id } = (await org.post('/fields', field)).body.data
    const id = await create('contact', 'Twelve', { filter: { field: 'custom.score', op: 'eq', value: '12' } })
    await org.patch(`/fields/${field_id}`, { type: 'number' })
    const { page } = await open(`/people?segment=${id}`)
    const problem = page.getByText('Check the filter, and save it again.')
    await problem.waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await problem.waitFor({ state: 'detached' })
    expect((await org.get(`/segments/${id}`)).body.data.problem).toBeNull()
  })
})
