import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the page of a person', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let ada: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    ada = await newPerson({ first_name: 'Ada', last_name: 'Klein', job_title: 'Director', city: 'Berlin' })
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const newPerson = async (fields: object): Promise<string> =>
    (await org.post('/contacts', fields)).body.data.contact_id
  const read = async (id: string) => (await org.get(`/contacts/${id}`)).body.data
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function openAda(member = owner, prepare?: typeof withClock): Promise<Opened> {
    const opened = await browser.open(`/o/ORG/people/${ada}`, member, prepare)
    await opened.page.getByRole('heading', { name: 'Ada Klein' }).waitFor()
    await opened.page.getByText('There are no older changes').waitFor()
    return opened
  }

  async function edit(page: Page, label: string, text: string): Promise<void> {
    await button(page, `Edit ${label}`).click()
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  }

  test('without a pointer, a person edits a value, restores one, and sees the change in the history', async () => {
    const opened = await openAda()
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await keyboard.press(button(page, 'Edit Title'))
    await keyboard.requireFocus(page.getByRole('textbox', { name: 'Title' }))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Managing Director')
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Enter')
    await page.getByText('Managing Director').first().waitFor()
    await keyboard.requireFocus(button(page, 'Edit Title'))
    await page.getByText(/changed\s+Title/).waitFor()
    expect((await read(ada)).job_title).toBe('Managing Director')
    await keyboard.press(button(page, 'Edit City'))
    await page.keyboard.type('Somewhere')
    await page.keyboard.press('Escape')
    await page.getByText('Berlin').waitFor()
    expect((await read(ada)).city).toBe('Berlin')
  })

  test('what a person types while a value is saved stays, and is saved next', async () => {
    const { page } = await openAda()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/contacts/*', async (route) => {
      if (route.request().method() === 'PATCH') await held
      await route.continue()
    })
    await edit(page, 'City', 'Porto')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.keyboard.press('Enter')
    await sent
    await page.keyboard.type(' Alegre')
    release()
    await page.getByText(/changed\s+City/).waitFor()
    expect(await page.getByRole('textbox', { name: 'City' }).inputValue()).toBe('Porto Alegre')
    await page.keyboard.press('Enter')
    await button(page, 'Edit City').waitFor()
    expect((await read(ada)).city).toBe('Porto Alegre')
  })

  test('defined fields are edited by their type, and a value that does not fit is explained at its field', async () => {
    for (const field of [
      { key: 'sites', label: 'Sites', type: 'number' },
      { key: 'tier', label: 'Tier', type: 'select', options: ['Gold', 'Silver'] },
      { key: 'topics', label: 'Topics', type: 'multi_select', options: ['Ads', 'Search', 'Mail'] },
    ])
      await org.post('/fields', { entity: 'contact', ...field })
    const opened = await openAda()
    const { page } = opened
    await button(page, 'Add Sites').click()
    await page.getByRole('textbox', { name: 'Sites' }).fill('many')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Sites' }).and(page.locator('[aria-invalid]')).waitFor()
    await requireNoFaults(opened)
    await page.getByRole('textbox', { name: 'Sites' }).fill('14')
    await page.keyboard.press('Enter')
    await button(page, 'Edit Sites').waitFor()
    await button(page, 'Add Tier').click()
    await page.getByRole('combobox', { name: 'Tier' }).selectOption('Gold')
    await button(page, 'Save').click()
    await button(page, 'Edit Tier').waitFor()
    await button(page, 'Add Topics').click()
    await page.getByRole('checkbox', { name: 'Search' }).check()
    await requireNoFaults(opened)
    await button(page, 'Save').click()
    await button(page, 'Edit Topics').waitFor()
    expect((await read(ada)).custom).toEqual({ sites: 14, tier: 'Gold', topics: ['Search'] })
  })

  test('if somebody else changes another field meanwhile, the page names it, and saving again keeps both', async () => {
    const { page } = await openAda()
    await edit(page, 'Title', 'Founder')
    await org.patch(`/contacts/${ada}`, { city: 'Hamburg' })
    await page.keyboard.press('Enter')
    await page.getByText(/changed City meanwhile/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Founder')
    await button(page, 'Save again').click()
    await button(page, 'Edit Title').waitFor()
    const { city, job_title } = await read(ada)
    expect({ city, job_title }).toEqual({ city: 'Hamburg', job_title: 'Founder' })
  })

  test.each([
    ['mine', 'You', 'Managing Director'],
    ['theirs', 'Head of Build', 'Head of Build'],
  ] as const)(
    'if two people change the same field, a person chooses %s and sees what was there before',
    async (_, choice, kept) => {
      const other = await newMember(browser.app, org.orgId)
      const opened = await openAda()
      const { page } = opened
      await edit(page, 'Title', 'Managing Director')
      await other.patch(`/contacts/${ada}`, { job_title: 'Head of Build', phone: '+493012345678' })
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: /^Person \d+ changed this while you were typing/ })
      await dialog.getByText('Director', { exact: true }).waitFor()
      await dialog.getByText('+49 30 12345678').waitFor()
      await requireNoFaultsInAllLooks(opened)
      if (choice !== 'You') await dialog.getByText(choice).click()
      await dialog.getByRole('button', { name: 'Save as chosen' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await button(page, 'Edit Title').waitFor()
      await expect.poll(async () => (await read(ada)).job_title, patience).toBe(kept)
      expect((await read(ada)).phone).toBe('+493012345678')
    },
  )

  test('what was typed survives a failed connection, and leaving the page asks first', async () => {
    const { page, context } = await openAda()
    await edit(page, 'Title', 'Typed on a train')
    await context.setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByText('No answer from Crosswalk').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Typed on a train')
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByText('Discard what you typed?').waitFor()
    await button(page, 'Keep editing').click()
    await button(page, 'Save').click()
    await button(page, 'Edit Title').waitFor()
    expect((await read(ada)).job_title).toBe('Typed on a train')
  })

  test('a change of another member appears without a reload', async () => {
    const opened = await openAda(owner, withClock)
    await org.patch(`/contacts/${ada}`, { job_title: 'Astronomer' })
    await waitToShow(opened, opened.page.getByText('Astronomer'))
  })

  test('an old id leads to the record after the merge, which names the id, and one click undoes the merge', async () => {
    const old = await newPerson({ first_name: 'Adah', last_name: 'Klein' })
    const merged = await org.post('/duplicates/merge', {
      ...{ entity_type: 'contact', survivor_id: ada, loser_ids: [old], force: true },
    })
    expect(merged.status).toBe(200)
    const opened = await browser.open(`/o/ORG/people/${old}`, owner)
    const { page } = opened
    await page.getByText('The address had an old id').waitFor()
    expect(page.url()).toContain(`/people/${ada}`)
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Undo the merge of Adah Klein').click()
    await page.getByText('is a record of its own again').waitFor()
    expect((await read(old)).contact_id).toBe(old)
  })

  test('deals and the linked company are shown, and the company lists its people', async () => {
    const { body } = await org.post('/companies', { name: 'Willow Design' })
    const companyId = body.data.company_id
    await org.patch(`/contacts/${ada}`, { company_id: companyId })
    await org.post('/deals', {
      ...{
        name: 'Migration',
        amount_cents: 3_620_000,
        currency: 'EUR',
        contact_ids: [ada],
        company_id: companyId,
      },
    })
    const opened = await openAda()
    const { page } = opened
    await page.getByText('€36,200', { exact: true }).waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('link', { name: 'Willow Design' }).click()
    await page.getByRole('link', { name: 'Ada Klein' }).waitFor()
    await page.getByText('Migration').waitFor()
    await page.getByRole('link', { name: 'All 1' }).click()
    await page
      .getByRole('button', { name: /Linked company/ })
      .first()
      .waitFor()
    await page.getByRole('rowheader', { name: 'Ada Klein' }).waitFor()
  })

  test('people are added to a deal and removed from it, even if somebody else changed the deal meanwhile', async () => {
    const grace = await newPerson({ first_name: 'Grace', last_name: 'Hopper' })
    const { deal_id } = (await org.post('/deals', { name: 'Website', contact_ids: [ada] })).body.data
    const opened = await browser.open(`/o/ORG/deals/${deal_id}`, owner)
    const { page } = opened
    const linked = (name: string) => page.getByRole('region', { name: 'People' }).getByRole('link', { name })
    await linked('Ada Klein').waitFor()
    await org.patch(`/deals/${deal_id}`, { probability: 40 })
    await button(page, 'Add a person').click()
    await page.getByRole('searchbox', { name: 'Person' }).fill('hopp')
    await page.getByRole('radio', { name: /^Grace Hopper/ }).waitFor()
    await page.keyboard.press('Enter')
    await requireNoFaultsInAllLooks(opened)
    await page.keyboard.press('Enter')
    await linked('Grace Hopper').waitFor()
    const stored = async () => (await org.get(`/deals/${deal_id}`)).body.data
    expect(await stored()).toMatchObject({ contact_ids: [ada, grace], probability: 40 })
    await button(page, 'Remove Ada Klein from the deal').click()
    await page.getByText('Ada Klein is removed from the deal.').waitFor()
    await button(page, 'Undo').click()
    await linked('Ada Klein').waitFor()
    expect((await stored()).contact_ids).toEqual([grace, ada])
  })

  test('archiving is undone with one click, and a person erases a record by typing its name', async () => {
    const { page } = await openAda()
    await button(page, 'Archive').click()
    await button(page, 'Undo').click()
    await page.getByText('Ada Klein is restored').waitFor()
    expect((await read(ada)).archived_at).toBeNull()
    await button(page, 'Erase').click()
    const dialog = page.getByRole('dialog', { name: 'Erase Ada Klein?' })
    expect(await dialog.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type “Ada Klein” to confirm').fill('Ada Klein')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await page.getByText('Ada Klein is erased').waitFor()
    expect((await org.get(`/contacts/${ada}`)).status).toBe(404)
  })

  test('a viewer reads everything and is offered no change', async () => {
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const opened = await openAda(viewer)
    const { page } = opened
    expect(await page.getByRole('button', { name: /^(Edit|Add|Archive|Erase)/ }).count()).toBe(0)
    await requireNoFaults(opened)
  })

  test('notes, tasks and the owner are on the page, and the Markdown of a note runs no script and loads no file', async () => {
    const text =
      'Wants **two** seats. <img src="/x.png" onerror="fail()"> [bad](javascript:fail()) [site](https://a.example)'
    await org.post('/notes', { entity_type: 'contact', record_id: ada, text })
    const opened = await openAda()
    const { page } = opened
    const notes = page.getByRole('region', { name: 'Notes' })
    await notes.locator('strong', { hasText: 'two' }).waitFor()
    expect(await notes.getByRole('link').count()).toBe(1)
    expect(await notes.locator('img').count()).toBe(0)
    await button(page, 'Add a note').click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Call *back*')
    await button(page, 'Add note').click()
    await notes.locator('em', { hasText: 'back' }).waitFor()
    await button(page, 'Add a task').click()
    await page.getByLabel('What to do').fill('Send the offer')
    await button(page, 'Create task').click()
    await page.getByText('The task is created.').waitFor()
    const tasks = page.getByRole('region', { name: 'Tasks' })
    await requireNoFaultsInAllLooks(opened)
    await tasks.getByLabel('Complete “Send the offer”').click()
    await page.getByText('“Send the offer” is done.').waitFor()
    expect((await org.get(`/tasks?record_id=${ada}&status=done`)).body.data).toHaveLength(1)
    await button(page, 'Add Owner').click()
    await page.getByRole('combobox', { name: 'Owner' }).selectOption({ index: 1 })
    await button(page, 'Save').click()
    await button(page, 'Edit Owner').waitFor()
    expect((await read(ada)).owner_id).not.toBeNull()
  })
})
