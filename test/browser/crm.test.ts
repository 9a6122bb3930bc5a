import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { createPeople } from '../support/console-records.ts'
import { connect, crmBase, leadsOf } from '../support/crm-sync/crm.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the pages of the CRM', () => {
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

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const open = (path: string, member = owner): Promise<Opened> => browser.open(`/o/ORG/crm${path}`, member)
  const figure = (page: Page, name: string) =>
    page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')

  /** Counts the clicks of a person. */
  function countClicks() {
    let clicks = 0
    const counted = async (act: Promise<unknown>) => {
      clicks += 1
      await act
    }
    return {
      click: (control: Locator) => counted(control.click()),
      /** Opening a list and choosing a line of it are two clicks. */
      choose: async (control: Locator, label: string) => {
        clicks += 1
        await counted(control.selectOption({ label }))
      },
      get count() {
        return clicks
      },
    }
  }

  test('the page of a push says that the CRM in its address is not connected any more', async () => {
    await createPeople(org, 1)
    await connect(org, { name: 'Trade shows' })
    const opened = await open('/push?connection=01a226ec-3cba-7141-9877-1c70b9bd7725')
    await opened.page.getByText('This push would go to Trade shows').waitFor()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('the list of pushes shows older ones on request', async () => {
    const connection_id = await connect(org, { name: 'Trade shows' })
    const body = { connection_id, filter: { tag: 'nobody' } }
    for (let push = 0; push < 51; push++)
      expect((await org.post(`${crmBase}/leads/push`, body)).status).toBe(202)
    const { page } = await open('')
    const rows = page.getByRole('table', { name: 'Pushes' }).getByRole('row')
    await expect.poll(() => rows.count(), patience).toBe(51)
    await button(page, 'Show older pushes').click()
    await expect.poll(() => rows.count(), patience).toBe(52)
  })

  test('300 people of a segment are pushed with at most 5 clicks, after a preview of the count and of a sample', async () => {
    const ids = await createPeople(org, 310)
    const connection_id = await connect(org, { name: 'Trade shows' })
    const items = ids.slice(0, 300).map((contact_id) => ({ contact_id, source: 'fair' }))
    await org.post('/contacts/batch', { items })
    const filter = { field: 'source', value: 'fair' }
    await org.post('/segments', { entity: 'contact', name: 'From the fair', filter })
    const opened = await open('')
    const { page } = opened
    const person = countClicks()
    await person.click(page.getByRole('link', { name: 'Push people' }))
    await page.getByText('310', { exact: true }).first().waitFor()
    await person.choose(page.getByRole('combobox', { name: 'Who' }), 'From the fair')
    await button(page, 'Push 300 people').waitFor()
    await expect.poll(() => figure(page, 'become new Leads').textContent(), patience).toBe('300')
    const sample = page.getByRole('region', { name: 'Sample' })
    expect(await sample.getByRole('row').count()).toBe(6)
    expect(await sample.textContent()).toContain('person-300@lantern.example')
    await requireNoFaultsInTwoThemes(opened)
    await person.click(button(page, 'Push 300 people'))
    await page.getByText('300 of 300 people').waitFor()
    await page.getByText('done', { exact: true }).waitFor()
    expect(person.count).toBeLessThanOrEqual(5)
    expect(await figure(page, 'Created').textContent()).toBe('300')
    expect(
      (await org.get(`${crmBase}/connections/${connection_id}/sandbox?limit=1`)).body.pagination.total,
    ).toBe(300)
    await requireNoFaultsInTwoThemes(opened)
  })

  test('a large push needs its number typed, and a push that grew since the count leads to the new count', async () => {
    const ids = await createPeople(org, 13)
    const connection_id = await connect(org, { name: 'Trade shows' })
    const opened = await open('')
    const { page } = opened
    await button(page, 'Change the limit').click()
    await page.getByLabel('Ask for the number').fill('10')
    await page.keyboard.press('Enter')
    await page.getByText('A push of more than 10 people needs').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await button(page, 'Push to CRM').click()
    await page.getByText('13 people that you selected').waitFor()
    const push = button(page, 'Push 13 people')
    await push.waitFor()
    expect(await push.isDisabled()).toBe(true)
    const field = page.getByLabel('Type 13 to confirm the number')
    await field.fill('12')
    expect(await push.isDisabled()).toBe(true)
    await field.fill('13')
    expect(await push.isDisabled()).toBe(false)
    await requireNoFaultsInTwoThemes(opened)

    // Ten people need no confirmation. Before the push, an eleventh person gets the tag of the ten.
    const tagged = ids.slice(0, 10).map((contact_id) => ({ contact_id, tags: ['vip'] }))
    await org.post('/contacts/batch', { items: tagged })
    const filter = encodeURIComponent('{"field":"tag","value":"vip"}')
    await page.goto(`/console/o/${owner.orgId}/crm/push?filter=${filter}`)
    await button(page, 'Push 10 people').waitFor()
    await org.patch(`/contacts/${ids[10]}`, { tags: ['vip'] })
    await button(page, 'Push 10 people').click()
    await page.getByText('Nobody was pushed.').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('link', { name: 'Review the new count' }).click()
    await page.getByLabel('Type 11 to confirm the number').fill('11')
    await page.getByText('Tags is vip').waitFor()
    await button(page, 'Push 11 people').click()
    await page.getByText('11 of 11 people').waitFor()
    await expect.poll(async () => (await leadsOf(org, connection_id)).length, patience).toBe(11)
  })

  test('a CRM is connected, repaired and pushed to; a refused person is retried, and no secret is shown', async () => {
    const espo = await EspoStandIn.start()
    try {
      const opened = await open('')
      const { page } = opened
      await button(page, 'Connect a CRM').first().click()
      const dialog = page.getByRole('dialog', { name: 'Connect a CRM' })
      await dialog.getByRole('radio', { name: 'EspoCRM' }).check()
      await dialog.getByLabel('API key of an API user').fill(espo.credentials.api_key)
      await button(page, 'Connect').last().click()
      await dialog.getByText('This field is empty').waitFor()
      await requireNoFaultsInTwoThemes(opened)
      await dialog.getByLabel('Address of EspoCRM').fill(espo.credentials.url)
      await dialog.getByLabel('Name (optional)').fill('Showroom')
      await button(page, 'Connect').last().click()
      await page.getByText('A push of Leads would work').waitFor()
      expect(await page.content()).not.toContain(espo.credentials.api_key)

      // EspoCRM does not have this field: the test of the connection says so, and how to repair it.
      await button(page, 'Change fields').click()
      await button(page, 'Add a field').click()
      // Some browsers choose with each arrow key: only the last choice counts.
      for (const label of ['First name', 'Last name', 'Source'])
        await page.getByLabel('Field', { exact: true }).selectOption({ label })
      expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(1)
      await page.getByRole('textbox', { name: 'Source' }).fill('cSource')
      await button(page, 'Save').click()
      await page.getByText('A push of Leads would fail').waitFor()
      await page.getByText('The CRM field cSource, where source goes, is not there').first().waitFor()
      const isFocused = () => button(page, 'Change fields').evaluate((one) => one === document.activeElement)
      await expect.poll(isFocused, patience).toBe(true)
      await requireNoFaultsInTwoThemes(opened)
      await page.getByRole('link', { name: 'Push people' }).click()
      await page.getByText('Showroom would refuse this push.').waitFor()
      await page.getByRole('link', { name: /problem|Open the connection/ }).click()
      await button(page, 'Change fields').click()
      await button(page, 'Send Source to its default field').click()
      await button(page, 'Save').click()
      await page.getByText('A push of Leads would work').waitFor()

      const people = [
        { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@x.example', job_title: 'x'.repeat(101) },
        { first_name: 'Grace', last_name: 'Hopper', email: 'grace@x.example' },
      ]
      const { body } = await org.post('/contacts/batch', { items: people })
      await page.getByRole('link', { name: 'Push people' }).click()
      await button(page, 'Push 2 people').click()
      await page.getByText('done in part').waitFor()
      const row = page.getByRole('row', { name: 'Ada Lovelace' })
      await row.getByText('title is too long: at most 100 characters').waitFor()
      await requireNoFaultsInTwoThemes(opened)
      await org.patch(`/contacts/${body.data[0].contact_id}`, { job_title: 'Founder' })
      await button(page, 'Retry the one that failed').click()
      await page.getByText('1 of 1 person').waitFor()
      await page.getByText('done', { exact: true }).waitFor()
      expect(espo.all()).toHaveLength(2)
    } finally {
      await espo.server.close()
    }
  })

  test('while a push is sent, it cannot be counted and sent again; its page says if its progress cannot be read', async () => {
    await createPeople(org, 3)
    const espo = await EspoStandIn.start()
    const { credentials } = espo
    await connect(org, { provider: 'espocrm', credentials, name: 'Showroom' })
    await espo.server.close()
    const { page } = await open('/push')
    const answer = Promise.withResolvers<void>()
    await page.route('**/leads/push', async (route) => {
      await answer.promise
      await route.continue()
    })
    const sent = page.waitForRequest('**/leads/push')
    await button(page, 'Push 3 people').click()
    await sent
    expect(await button(page, 'Count again').isDisabled()).toBe(true)
    answer.resolve()
    await page.getByText('waits for the CRM').waitFor()
    await page.route('**/crm-sync/jobs/*', (route) => route.abort())
    await page.getByText('Crosswalk does not answer. The push continues.').waitFor()
    await page.unroute('**/crm-sync/jobs/*')
    await page.getByText('Crosswalk does not answer.').waitFor({ state: 'detached' })
    await button(page, 'Cancel the push').click()
    await page.getByText('canceled', { exact: true }).waitFor()
  })

  test('a push waits while the CRM is away, and is canceled; a viewer starts none', async () => {
    await createPeople(org, 3)
    const espo = await EspoStandIn.start()
    const { credentials } = espo
    const connection_id = await connect(org, { provider: 'espocrm', credentials, name: 'Showroom' })
    await espo.server.close()
    const { job_id } = (await org.post(`${crmBase}/leads/push`, { connection_id })).body
    const opened = await open(`/jobs/${job_id}`)
    const { page } = opened
    await page.getByText('waits for the CRM').waitFor()
    await page.getByText('The push waits and tries again by itself.').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await button(page, 'Cancel the push').click()
    await page.getByText(/^(canceled|stopping)$/).waitFor()
    await expect
      .poll(async () => (await org.get(`${crmBase}/jobs/${job_id}`)).body.status, patience)
      .toBe('canceled')
    await page.getByText('canceled', { exact: true }).waitFor()

    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const other = await open('', viewer)
    await other.page.getByRole('link', { name: 'Leads to Showroom' }).waitFor()
    expect(await other.page.getByRole('link', { name: 'Push people' }).count()).toBe(0)
    expect(await button(other.page, 'Connect a CRM').count()).toBe(0)
    await other.page.getByRole('link', { name: 'Showroom', exact: true }).click()
    await other.page.getByText('Your role may read connections, but not test them.').waitFor()
    expect(await button(other.page, 'Edit').count()).toBe(0)
  })
})
