import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('new records', () => {
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

  const field = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })

  test('the dialog says that somebody has the address or the number already, and the dialog of a company that its domain is taken', async () => {
    await org.post('/contacts', { first_name: 'Ada', email: 'ada@acme.example', phone: '+12025550104' })
    await org.post('/companies', { name: 'Acme', domain: 'acme.example' })
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    const known = (name: string) => page.getByRole('dialog').getByRole('link', { name, exact: true })
    await page.getByRole('link', { name: 'Ada', exact: true }).waitFor()
    await page.keyboard.press('c')
    await field(page, 'E-mail').fill('Ada@acme.example')
    await known('Ada').waitFor()
    await page.getByText('A second person may be a duplicate.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await field(page, 'E-mail').fill('grace@acme.example')
    await known('Ada').waitFor({ state: 'detached' })
    await field(page, 'Phone').fill('+1 202 555 0104')
    await known('Ada').waitFor()
    await page.goto(`/console/o/${org.orgId}/companies`)
    await page.getByRole('link', { name: 'Acme', exact: true }).waitFor()
    await page.keyboard.press('c')
    await field(page, 'Domain').fill('acme.example')
    await known('Acme').waitFor()
  })

  test('a new person is linked to a company that exists, or keeps the typed name as a text', async () => {
    const { company_id } = (await org.post('/companies', { name: 'Acme, Inc.' })).body.data
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    const create = async (name: string, company: string, choose: () => Promise<unknown>) => {
      await page.goto(`/console/o/${org.orgId}/people`)
      await page.getByRole('button', { name: 'New person' }).click()
      await field(page, 'First name').fill(name)
      await field(page, 'Company').fill(company)
      await choose()
      await page.getByRole('button', { name: 'Create person' }).click()
      await page.getByRole('heading', { name }).waitFor()
      return (await org.get(`/contacts?first_name=${name}`)).body.data[0]
    }
    const linked = await create('Ada', 'acme', () => page.getByRole('radio', { name: /Acme/ }).check())
    expect(linked).toMatchObject({ company_id, company_name: 'Acme, Inc.' })
    const text = await create('Grace', 'Baker', async () => {
      await page.getByText('is linked to no company').waitFor()
      await requireNoFaultsInAllLooks(opened)
    })
    expect(text).toMatchObject({ company_id: null, company_name: 'Baker' })
    await page.goto(`/console/o/${org.orgId}/people`)
    await page.getByRole('button', { name: 'New person' }).click()
    await field(page, 'Company').fill('a'.repeat(301))
    await page.getByRole('button', { name: 'Create person' }).click()
    await page.getByText('at most 300 characters').waitFor()
    const early = await create('Alan', 'Cole', async () => {})
    expect(early).toMatchObject({ company_id: null, company_name: 'Cole' })
    const changed = await create('Joan', 'acme', async () => {
      await page.getByRole('radio', { name: /Acme/ }).check()
      await field(page, 'Company').fill('Dane')
    })
    expect(changed).toMatchObject({ company_id: null, company_name: 'Dane' })
    const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/\/console\/api\/companies\/search/, async (route) => {
      asked.resolve()
      await found.promise
      await route.continue()
    })
    const byEnter = await create('Mary', 'acme inc', async () => {
      await asked.promise
      await field(page, 'Company').press('Enter')
      found.resolve()
      await page.getByRole('radio', { name: /Acme/ }).waitFor()
      await field(page, 'Company').press('Enter')
      await page.getByRole('radio', { name: /Acme/, checked: true }).waitFor()
    })
    expect(byEnter).toMatchObject({ company_id, company_name: 'Acme, Inc.' })
  })

  test('the check of an import says that rows of the file that match each other count as new there', async () => {
    const { page } = await browser.open('/o/ORG/imports/new', owner)
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    const row = 'Ada,ada@fair.example\n'
    const buffer = Buffer.from(`First name,Email\n${row}${row}`)
    await page.locator('input[type=file]').setInputFiles({ name: 'twice.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('People who are here already').selectOption({ label: 'Update by e-mail address' })
    const becomes = page.getByRole('combobox', { name: '“Email” becomes' })
    const owners = await becomes.getByRole('option', { name: /^Owner/ }).allTextContents()
    expect(owners).toEqual(['Owner: e-mail address', 'Owner: id'])
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('If rows of the file match each other, each of them counts as new here.').waitFor()
    await page.getByRole('button', { name: 'Import 2 people' }).click()
    await page.getByRole('heading', { name: '1 person is imported.' }).waitFor()
    expect((await org.get('/contacts')).body.pagination.total).toBe(1)
  })

  test('a member who sees only own records is offered no other owner', async () => {
    const limited = await newMember(browser.app, org.orgId, 'member')
    await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })
    const { page } = await browser.open('/o/ORG/people', limited)
    await limited.post('/contacts', { first_name: 'Grace' })
    await page.getByRole('button', { name: 'New person' }).click()
    await field(page, 'Owner').getByRole('option', { name: /you/ }).waitFor({ state: 'attached' })
    expect(await field(page, 'Owner').getByRole('option').count()).toBe(1)
    await field(page, 'First name').fill('Ada')
    await page.getByRole('button', { name: 'Create person' }).click()
    await page.getByRole('button', { name: 'Edit Owner' }).click()
    expect(await page.getByRole('combobox', { name: 'Owner' }).getByRole('option').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('checkbox', { name: /Ada/ }).check()
    await page.getByRole('button', { name: /^Change all/ }).click()
    await field(page, 'What changes').selectOption({ label: 'They get an owner' })
    const [first, ...others] = await field(page, 'Owner').getByRole('option').allTextContents()
    expect([first, others.length]).toEqual(['Choose…', 1])
  })

  test('a member who sees only own records is told that a record may exist that the member does not see', async () => {
    const limited = await newMember(browser.app, org.orgId, 'member')
    await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })
    const { contact_id } = (await org.post('/contacts', { first_name: 'Grace' })).body.data
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, limited)
    await page.getByRole('heading', { name: 'This does not exist, or you may not see it' }).waitFor()
    await page.getByText('You see only people that you own.').waitFor()
  })

  test('the page of a deal says that it has people whom a limited member does not see', async () => {
    const limited = await newMember(browser.app, org.orgId, 'member')
    await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })
    const { contact_id } = (await org.post('/contacts', { first_name: 'Grace' })).body.data
    const body = { name: 'Renewal', contact_ids: [contact_id], owner_id: limited.memberId }
    const { deal_id } = (await org.post('/deals', body)).body.data
    const { page } = await browser.open(`/o/ORG/deals/${deal_id}`, limited)
    await page
      .getByText('1 person of this deal is not shown, because your record access is limited.')
      .waitFor()
    expect(await page.getByText('Nobody is linked').count()).toBe(0)
  })

  test('a member who sees the records of teams is offered the owners in these teams', async () => {
    const [limited, mate] = [
      await newMember(browser.app, org.orgId, 'member'),
      await newMember(browser.app, org.orgId, 'member'),
    ]
    await owner.patch(`/members/${limited.memberId}`, { record_access: 'team' })
    const ids = [limited.memberId, mate.memberId]
    expect((await owner.post('/teams', { name: 'North', member_ids: ids })).status).toBe(201)
    for (const first_name of ['Grace', 'Rohan']) await limited.post('/contacts', { first_name })
    const { page } = await browser.open('/o/ORG/people', limited)
    const offered = () =>
      field(page, 'Owner')
        .getByRole('option')
        .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value).sort())
    await page.getByRole('button', { name: 'New person' }).click()
    await expect.poll(offered, patience).toEqual(ids.toSorted())
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Select Grace' }).check()
    await page.getByRole('button', { name: /^Change all/ }).click()
    await field(page, 'What changes').selectOption({ label: 'They get an owner' })
    await expect.poll(offered, patience).toEqual(['', ...ids.toSorted()])
    expect(await field(page, 'Owner').inputValue()).toBe('')
  })
})
