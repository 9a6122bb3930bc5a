import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('the consent of a person', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('a member records on the page that somebody denied phone calls, and takes it back', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const { body } = await org.post('/contacts', { first_name: 'Ada', last_name: 'Klein' })
    const path = `/contacts/${body.data.contact_id}`
    const consent = async () => (await org.get(path)).body.data.consent
    const owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open(`/o/ORG/people/${body.data.contact_id}`, owner)
    const { page } = opened
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Add Phone consent').click()
    const field = page.getByRole('combobox', { name: 'Phone consent' })
    await field.selectOption('denied')
    await field.press('Enter')
    await button('Edit Phone consent').waitFor()
    await page.getByText(/changed\s+Consent/).waitFor()
    expect(await consent()).toEqual({ email: 'unknown', phone: 'denied' })
    await requireNoFaultsInAllLooks(opened)
    await button('Edit Phone consent').click()
    await field.selectOption('')
    await field.press('Enter')
    await button('Add Phone consent').waitFor()
    expect(await consent()).toEqual({ email: 'unknown', phone: 'unknown' })
  })
})
