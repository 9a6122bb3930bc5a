import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { simulatedCalls } from '../support/simulated-calls.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a day, a time or a time zone', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const openIn = (timezoneId: string, path: string, member: SignedIn) =>
    browser.open(path, member, async (page) => {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId })
    })

  test.each(['Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Honolulu'])(
    'is the same one in %s',
    async (timezoneId) => {
      const org = await browser.app.newOrg({ name: 'Lantern Row' })
      const owner = await newMember(browser.app, org.orgId)
      const { body } = await org.post('/deals', { name: 'Renewal', expected_close_on: '2027-06-30' })
      const { page } = await openIn(timezoneId, `/o/ORG/deals/${body.data.deal_id}`, owner)
      const field = page
        .getByRole('definition')
        .filter({ has: page.getByRole('button', { name: 'Edit Expected close' }) })
      await expect.poll(() => field.innerText(), patience).toContain('Jun 30, 2027')
    },
  )

  test('a time of a defined field is shown, typed and filtered in the time zone of the browser', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    await org.post('/fields', { entity: 'contact', key: 'demo', label: 'Demo', type: 'datetime' })
    const body = { first_name: 'Ada', custom: { demo: '2026-12-31T23:30:00Z' } }
    const { contact_id } = (await org.post('/contacts', body)).body.data
    const { page } = await openIn('Europe/Berlin', `/o/ORG/people/${contact_id}`, owner)
    await page.getByText('Jan 1, 2027, 12:30').waitFor()
    await page.getByRole('button', { name: 'Edit Demo' }).click()
    const time = page.getByLabel('Demo', { exact: true })
    expect(await time.inputValue()).toBe('2027-01-01T00:30')
    await time.fill('2027-01-05T10:30')
    await page.keyboard.press('Enter')
    await page.getByText('Jan 5, 2027, 10:30').waitFor()
    expect((await org.get(`/contacts/${contact_id}`)).body.data.custom.demo).toBe('2027-01-05T09:30:00Z')

    await org.patch(`/contacts/${contact_id}`, body)
    const { page: list } = await openIn('Europe/Berlin', '/o/ORG/people', owner)
    const filter = async (condition: string, day: string) => {
      await list.getByRole('button', { name: 'Filter F' }).click()
      await list.getByLabel('Field').selectOption({ label: 'Demo' })
      await list.getByLabel('Condition').selectOption({ label: condition })
      await list.getByLabel('Day').fill(day)
      await list.getByRole('button', { name: 'Apply' }).click()
      await list
        .getByRole('button', { name: `Change the filter: Demo ${condition} Jan` })
        .last()
        .waitFor()
    }
    await filter('since', '2027-01-01')
    await filter('before', '2027-01-02')
    await list.getByRole('rowheader', { name: 'Ada' }).waitFor()
    await filter('before', '2027-01-01')
    await list.getByText('Nobody matches these filters').waitFor()
  })

  test('a filter by a day shows its time to a person in another time zone, where the day does not begin then', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    await org.post('/contacts', { first_name: 'Ada' })
    // Midnight in Berlin, on the day on which the summer time begins.
    const filter = { field: 'created_at', op: 'gte', value: Date.parse('2026-03-28T23:00:00Z') / 1000 }
    const path = `/o/ORG/people?filter=${encodeURIComponent(JSON.stringify({ and: [filter] }))}`
    const words = async (timezoneId: string) => {
      const { page } = await openIn(timezoneId, path, owner)
      return page.getByRole('button', { name: 'Change the filter: Created since' }).innerText()
    }
    expect(await words('Europe/Berlin')).toMatch(/since\s+Mar 29, 2026$/)
    expect(await words('America/New_York')).toMatch(/since\s+Mar 28, 2026, 7:00\sPM$/)
  })

  test('the time zone of a call is said to be that of the computer, until the person types another zone', async () => {
    const org = await simulatedCalls(browser.app).caller()
    const owner = await newMember(browser.app, org.orgId)
    const hours = { calling_hours: { start: '09:00', end: '18:00' } }
    expect((await org.patch('/voice/settings', hours)).status).toBe(200)
    const { page } = await openIn('Europe/Berlin', '/o/ORG/calls?call=%2B', owner)
    const zone = page.getByLabel('Time zone of the person')
    const own = page.getByText(
      'This is the time zone of your computer: change it if the person is elsewhere.',
    )
    await own.waitFor()
    expect(await zone.inputValue()).toBe('Europe/Berlin')
    await zone.fill('America/New_York')
    await own.waitFor({ state: 'detached' })
    await page.getByText('by the clock of the person').waitFor()
  })

  test('a half-typed day is not saved', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const body = { name: 'Renewal', expected_close_on: '2027-06-30' }
    const { deal_id } = (await org.post('/deals', body)).body.data
    const { page } = await browser.open(`/o/ORG/deals/${deal_id}`, owner)
    await page.getByRole('button', { name: 'Edit Expected close' }).click()
    const day = page.getByLabel('Expected close', { exact: true })
    await day.press('Backspace')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await day.evaluate((field: HTMLInputElement) => field.validity.badInput)).toBe(true)
    await day.fill('2027-07-31')
    await page.keyboard.press('Enter')
    await page.getByText('Jul 31, 2027').waitFor()
    const { data } = (await org.get(`/events?object_id=${deal_id}&type=deal.updated`)).body
    expect(data).toHaveLength(1)
  })
})
