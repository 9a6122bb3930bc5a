import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, comeBack } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { connect, crmBase } from '../support/crm-sync/crm.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('settings that somebody else changes while a person types', () => {
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

  test('typed rules of calls stay when the provider is saved, and both are stored', async () => {
    const { page } = await browser.open('/o/ORG/settings/voice', owner)
    await page.getByLabel('Most calls at once').fill('7')
    await button(page, 'Change the provider').click()
    await page.getByRole('radio', { name: 'Twilio' }).check()
    await page.getByLabel('Account SID').fill(`AC${'0123456789abcdef'.repeat(2)}`)
    await page.getByLabel('Auth token').fill('twilio-token-0123456789abcdef')
    await button(page, 'Save').last().click()
    await page.getByText('The voice settings are saved.').waitFor()
    await page.getByText('…cdef').first().waitFor()
    expect(await page.getByLabel('Most calls at once').inputValue()).toBe('7')
    await button(page, 'Save').click()
    await page.getByText('The voice settings are saved.').nth(1).waitFor()
    expect((await org.get('/voice/settings')).body.data).toMatchObject({
      ...{ provider: 'twilio', concurrent_call_cap: 7 },
    })
    await org.patch('/voice/settings', { concurrent_call_cap: 9 })
    await comeBack(page, '/voice/settings')
    await expect.poll(() => page.getByLabel('Most calls at once').inputValue(), patience).toBe('9')
  })

  test('the provider of calls can be saved again after somebody else changed it', async () => {
    const opened = await browser.open('/o/ORG/settings/voice', owner)
    const { page } = opened
    await button(page, 'Change the provider').click()
    await page.getByRole('radio', { name: 'Twilio' }).check()
    await page.getByLabel('Account SID').fill(`AC${'0123456789abcdef'.repeat(2)}`)
    await page.getByLabel('Auth token').fill('twilio-token-0123456789abcdef')
    const credentials = { api_key: 'vapi-0123456789abcdef', assistant_id: 'a1', phone_number_id: 'p1' }
    expect((await org.patch('/voice/settings', { provider: 'vapi', credentials })).status).toBe(200)
    await button(page, 'Save').last().click()
    await page.getByText('Somebody else changed the provider').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Save again').click()
    await page.getByText('The voice settings are saved.').waitFor()
    expect((await org.get('/voice/settings')).body.data.provider).toBe('twilio')
  })

  test('typed privacy settings stay when the page reads the settings again, and only they are stored', async () => {
    await org.post('/write-keys', { name: 'Shop' })
    const opened = await browser.open('/o/ORG/settings/tracking', owner)
    const { page } = opened
    const days = page.getByLabel('Days until an event is deleted')
    const before = Number(await days.inputValue())
    await page.getByLabel(/^Respect Do Not Track/).check()
    await org.patch('/tracking/settings', { cookieless: true })
    await comeBack(page, '/tracking/settings')
    expect(await page.getByLabel(/^Respect Do Not Track/).isChecked()).toBe(true)
    await button(page, 'Save').click()
    await page.getByText('Somebody else changed the count of views').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Save').click()
    await page.getByText('The privacy settings were saved').waitFor()
    expect((await org.get('/tracking/settings')).body.data).toMatchObject({
      ...{ retention_days: before, cookieless: true, respect_dnt: true },
    })
  })

  test('what a person types while the page saves stays, and does not count as a change of somebody else', async () => {
    await org.post('/write-keys', { name: 'Blog' })
    const { page } = await browser.open('/o/ORG/settings/tracking', owner)
    const respects = page.getByLabel(/^Respect Do Not Track/)
    const counts = page.getByLabel(/^Count the views/)
    await respects.waitFor()
    const [doesRespect, doesCount] = [await respects.isChecked(), await counts.isChecked()]
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/tracking/settings', async (route) => {
      if (route.request().method() === 'PATCH') await held
      await route.continue()
    })
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await respects.click()
    await button(page, 'Save').click()
    await sent
    await counts.click()
    release()
    await page.getByText('The privacy settings were saved').first().waitFor()
    await expect.poll(() => counts.isChecked(), patience).toBe(!doesCount)
    await button(page, 'Save').click()
    const settings = async () => (await org.get('/tracking/settings')).body.data
    await expect.poll(async () => (await settings()).cookieless, patience).toBe(!doesCount)
    expect((await settings()).respect_dnt).toBe(!doesRespect)
    expect(await counts.isChecked()).toBe(!doesCount)
    expect(await page.getByText('Somebody else changed').count()).toBe(0)
  })

  test('two people change the name and the country of an organization, and both are stored', async () => {
    const { page } = await browser.open('/o/ORG/settings/organization', owner)
    const name = page.getByLabel('Name')
    await name.fill('Lantern Row and Sons')
    await owner.patch('/organization', { default_country: 'FR' })
    await button(page, 'Save').click()
    await page.getByText('The organization was saved.').waitFor()
    const read = async () => (await org.get('/organization')).body.data.acting_on
    expect(await read()).toMatchObject({ name: 'Lantern Row and Sons', default_country: 'FR' })
    await expect.poll(() => page.getByLabel('Country of phone numbers').inputValue(), patience).toBe('FR')
    await name.fill('Lantern Row')
    await button(page, 'Save').click()
    await page.getByText('The organization was saved.').nth(1).waitFor()
    expect(await read()).toMatchObject({ name: 'Lantern Row', default_country: 'FR' })
  })

  test('a name of the organization that somebody else changed meanwhile is replaced only after the page says so', async () => {
    const { page } = await browser.open('/o/ORG/settings/organization', owner)
    const name = page.getByLabel('Name')
    await name.fill('Lantern Row and Sons')
    await owner.patch('/organization', { name: 'Lantern Street' })
    await button(page, 'Save').click()
    await page.getByText('Somebody else changed the name').waitFor()
    const read = async () => (await org.get('/organization')).body.data.acting_on.name
    expect(await read()).toBe('Lantern Street')
    expect(await name.inputValue()).toBe('Lantern Row and Sons')
    await button(page, 'Save again').click()
    await page.getByText('The organization was saved.').waitFor()
    expect(await read()).toBe('Lantern Row and Sons')
    await name.fill('Lantern Row')
    await button(page, 'Save').click()
    await expect.poll(read, patience).toBe('Lantern Row')
    expect(await page.getByText('Somebody else changed').count()).toBe(0)
  })

  test('a team can be saved again after somebody else renamed it', async () => {
    const { data: team } = (await owner.post('/teams', { name: 'North', member_ids: [] })).body
    const opened = await browser.open('/o/ORG/settings/members', owner)
    const { page } = opened
    await button(page, 'Actions for North').click()
    await page.getByRole('menuitem', { name: 'Change' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('North and East')
    const renamed = await owner.patch(`/teams/${team.team_id}`, { name: 'North-West' })
    expect(renamed.status).toBe(200)
    await button(page, 'Save').click()
    await page.getByText('Somebody else changed the name of this team').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Save again').click()
    await page.getByRole('row', { name: 'North and East' }).waitFor()
    const [{ name }] = (await owner.get('/teams')).body.data
    expect(name).toBe('North and East')
  })

  test('the page shows settings of duplicates that somebody else changed, and replaces them only after it says so', async () => {
    const { page } = await browser.open('/o/ORG/settings/duplicates', owner)
    const undoDays = page.getByLabel('Days to undo a merge')
    const threshold = page.getByLabel('Propose from a score of')
    await undoDays.waitFor()
    await owner.patch('/duplicates/settings', { contact: { undo_days: 45 } })
    await comeBack(page, '/duplicates/settings')
    await expect.poll(() => undoDays.inputValue(), patience).toBe('45')
    await undoDays.fill('50')
    await owner.patch('/duplicates/settings', { contact: { undo_days: 60, review_threshold: 0.7 } })
    await button(page, 'Save').click()
    await page.getByText('Somebody else changed the days to undo a merge while you typed').waitFor()
    const read = async () => (await org.get('/duplicates/settings')).body.data.contact
    expect(await read()).toMatchObject({ undo_days: 60, review_threshold: 0.7 })
    await button(page, 'Save again').click()
    await page.getByText('The settings are saved').waitFor()
    expect(await read()).toMatchObject({ undo_days: 50, review_threshold: 0.7 })
    await expect.poll(() => threshold.inputValue(), patience).toBe('0.7')
  })

  test('an open page of a persona, a form and a CRM connection shows what somebody else changes, and an open dialog keeps what was typed', async () => {
    const persona = (await org.post('/personas', { name: 'Mia' })).body.data
    const fields = [{ key: 'email', label: 'E-mail' }]
    const form = (await org.post('/forms', { name: 'Fair', title: 'Fair', fields })).body.data
    const connectionId = await connect(org, { name: 'Trade shows' })
    const things = [
      ['Mia', `personas/${persona.persona_id}`, `/personas/${persona.persona_id}`],
      ['Fair', `forms/${form.form_id}`, `/forms/${form.form_id}`],
      ['Trade shows', `crm/connections/${connectionId}`, `${crmBase}/connections/${connectionId}`],
    ] as const
    const pages = await Promise.all(
      things.map(async ([name, path]) => {
        const { page } = await browser.open(`/o/ORG/${path}`, owner)
        await page.getByRole('heading', { name, exact: true }).waitFor()
        await button(page, 'Edit').click()
        await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Typed')
        return page
      }),
    )
    for (const [, , path] of things) expect((await org.patch(path, { name: 'Theirs' })).status).toBe(200)
    for (const page of pages) {
      await page.locator('h2', { hasText: 'Theirs' }).waitFor()
      expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).toBe('Typed')
    }
  })
})
