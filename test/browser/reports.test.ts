import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { answeredNumber, ownNumber, place } from '../support/simulated-calls.ts'
import { sendBatch } from '../support/tracking-clients.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('reports and timelines', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let contactId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const fields = { first_name: 'Ada', last_name: 'Klein', email: 'ada@example.com' }
    contactId = (await org.post('/contacts', fields)).body.data.contact_id
    await org.post('/notes', { entity_type: 'contact', record_id: contactId, text: 'Wants an offer' })
    const { key } = (await org.post('/write-keys', { name: 'Shop' })).body.data
    const view = (anonymousId: string, path: string, minutesAgo: number, more: object = {}) => ({
      ...{ type: 'page', anonymousId, userId: anonymousId === 'a1' ? 'ada@example.com' : undefined },
      ...{ properties: { path }, timestamp: new Date(Date.now() - minutesAgo * 60_000), ...more },
    })
    const campaign = { name: 'Autumn', source: 'newsletter' }
    await sendBatch(browser.app, key, [
      view('a1', '/pricing', 90, { context: { campaign, page: { referrer: 'https://news.example.org/' } } }),
      view('a1', '/signup', 80),
      view('a2', '/pricing', 50),
      { ...view('a1', '/signup', 70), type: 'track', event: 'Signed Up' },
    ])
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('the page of reports shows visitors, pages and campaigns, and counts a funnel', async () => {
    const opened = await browser.open('/o/ORG/reports', owner)
    const { page } = opened
    const pages = page.getByRole('region', { name: 'Pages' })
    await pages.getByText('/pricing').waitFor()
    expect(await pages.getByRole('listitem').allTextContents()).toEqual(['/pricing2', '/signup1'])
    await page.getByRole('region', { name: 'Campaigns' }).getByText('Autumn').waitFor()
    await page.getByRole('region', { name: 'Referring sites' }).getByText('news.example.org').waitFor()
    const funnel = page.getByRole('region', { name: 'Funnel' })
    const first = funnel.getByRole('group', { name: 'Step 1' })
    await first.getByRole('textbox', { name: 'Path' }).fill('/pricing')
    const second = funnel.getByRole('group', { name: 'Step 2' })
    await second.getByRole('textbox', { name: 'Name' }).fill('Signed Up')
    await funnel.getByRole('button', { name: 'Add a step' }).click()
    const third = funnel.getByRole('group', { name: 'Step 3' })
    await page
      .locator(':focus')
      .and(third.getByRole('textbox', { name: 'Name' }))
      .waitFor()
    await third.getByRole('button', { name: 'Remove step 3' }).click()
    await funnel.getByRole('button', { name: 'Count visitors' }).click()
    const counts = funnel.getByRole('list', { name: 'Visitors of each step' })
    await expect
      .poll(() => counts.getByRole('listitem').allTextContents(), patience)
      .toEqual(['Page is /pricing100% 2', 'Event is Signed Up50% 1'])
    await requireNoFaultsInAllLooks(opened)
    // The content scrolls below the bar, and not the window, which would move the navigation away.
    await page.setViewportSize({ width: 1440, height: 420 })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(420)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('radio', { name: '24 hours' }).check()
    await expect.poll(() => page.url(), patience).toContain('period=day')
  })

  test('while another period loads, the numbers on the page keep the labels of their own period, and a funnel keeps its steps', async () => {
    const opened = await browser.open('/o/ORG/reports?period=week', owner)
    const { page } = opened
    const funnel = page.getByRole('region', { name: 'Funnel' })
    await funnel.getByRole('textbox', { name: 'Path' }).fill('/pricing')
    await funnel.getByRole('textbox', { name: 'Name' }).fill('Signed Up')
    await funnel.getByRole('button', { name: 'Count visitors' }).click()
    const counts = funnel.getByRole('list', { name: 'Visitors of each step' })
    await counts.waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/reports/overview*', async (route) => {
      await gate.promise
      await route.fulfill({ status: 403, json: { detail: 'Not for you', code: 'forbidden' } })
    })
    await page.getByRole('radio', { name: '30 days' }).check()
    await page.getByRole('status').getByText('Loading the chosen period').waitFor()
    expect(await page.getByRole('table', { name: 'Visitors by day' }).count()).toBe(0)
    expect(await page.getByRole('table', { name: 'Visitors by hour' }).count()).toBe(1)
    expect(await counts.count()).toBe(0)
    gate.resolve()
    await page.getByText('Not for you').waitFor()
    await page.getByRole('radio', { name: '7 days' }).check()
    await counts.waitFor()
    expect(await funnel.getByRole('textbox', { name: 'Path' }).inputValue()).toBe('/pricing')
  })

  test('the summary of deals says while another period loads', async () => {
    await org.post('/deals', { name: 'Migration', amount_cents: 100_000, currency: 'EUR' })
    const { page } = await browser.open('/o/ORG/deals?view=summary', owner)
    await page.getByRole('heading', { name: 'Open deals by stage' }).waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/deals/summary*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.getByRole('radio', { name: '3 months' }).check()
    const loading = page.getByRole('status').getByText('Loading the chosen period')
    await loading.waitFor()
    gate.resolve()
    await loading.waitFor({ state: 'detached' })
  })

  test('the page of a person has a timeline with a filter, and where the person came from', async () => {
    const opened = await browser.open(`/o/ORG/people/${contactId}`, owner)
    const { page } = opened
    await page.getByText('First touch').waitFor()
    await page.getByText('newsletter · Autumn').waitFor()
    await page.getByRole('radio', { name: 'Activity' }).check()
    const activity = page.getByRole('region', { name: 'Activity' })
    await activity.getByText('There is no older activity.').waitFor()
    expect(await activity.getByRole('listitem').count()).toBe(5)
    await activity.getByText('Viewed /signup').waitFor()
    await activity.getByText('Wants an offer').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await activity.getByLabel('Show').selectOption('call')
    await activity.getByText('Nothing of this kind happened yet.').waitFor()
    await activity.getByLabel('Show').selectOption('web_event')
    await expect.poll(() => activity.getByRole('listitem').count(), patience).toBe(3)
  })

  test('a call in the timeline of a person leads to the page of the call', async () => {
    await org.post('/voice/numbers', { number: ownNumber })
    const callee = { first_name: 'Grace', last_name: 'Hopper', phone: answeredNumber }
    const { contact_id } = (await org.post('/contacts', callee)).body.data
    const { call_id } = (await place(org)).body
    const { page } = await browser.open(`/o/ORG/people/${contact_id}`, owner)
    await page.getByRole('radio', { name: 'Activity' }).check()
    await page.getByRole('link', { name: 'Call to +1 202 555 0100' }).click()
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
    expect(page.url()).toContain(`/calls/${call_id}`)
  })
})
