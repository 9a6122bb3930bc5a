import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('pages say exactly what is wrong', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  let endpointId: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/api-keys', { name: 'Website forms' })
    const url = 'https://crm.example.com/crosswalk'
    endpointId = (await org.post('/webhooks/endpoints', { url, types: ['*'] })).body.data.endpoint_id
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  test('while the server fails, the page of a link does not say that the link is unusable', async () => {
    const { page } = await browser.open('/sign-in', null)
    const failure = { status: 500, json: { detail: 'Something broke', code: 'internal_error' } }
    await page.route('**/console/api/links/open', (route) => route.fulfill(failure), { times: 1 })
    await page.goto('/console/invite#AAAAAAAAAAAAAAAAAAAAAAAAAAA')
    await page.getByText('Crosswalk could not answer').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  })

  test('if a person opens so many pages that the rate limit is reached, a page waits and shows no error', async () => {
    let asked = 0
    const { page } = await browser.open('/o/ORG/usage', owner, (refused) =>
      refused.route(/console\/api\/session$/, (route) =>
        ++asked === 1
          ? route.fulfill({
              status: 429,
              headers: { 'retry-after': '0' },
              json: { detail: 'Too many requests', code: 'rate_limit_exceeded' },
            })
          : route.continue(),
      ),
    )
    await page.getByText('Call minutes').first().waitFor()
    expect(asked).toBeGreaterThan(1)
  })

  test('an empty field and an invalid address get error texts in plain words', async () => {
    const { page } = await browser.open('/o/ORG/settings/members', owner)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail').fill('ada')
    await page.getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('An email address must have an @-sign.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Organization' }).click()
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This field is empty.', { exact: true }).waitFor()
  })

  test('on a phone, the list of events shows who made each change', async () => {
    const { page } = await browser.open('/o/ORG/events', owner)
    await page.setViewportSize({ width: 390, height: 844 })
    const row = page.getByRole('row', { name: /webhook endpoint created/ })
    const { actor } = (await owner.get('/events?type=webhook_endpoint.created')).body.data[0]
    const who = row.getByText(actor.name, { exact: true })
    await who.waitFor()
    const { x, width } = (await who.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
  })

  test('a list of events that is longer than the window can be scrolled with the keyboard', async () => {
    const opened = await browser.open('/o/ORG/events', owner)
    await opened.page.setViewportSize({ width: 1440, height: 240 })
    await opened.page.getByRole('table', { name: 'Events' }).waitFor()
    await requireNoFaults(opened, ['scrollable-region-focusable'])
  })

  test('the console offers no invitation to a sandbox, because a sandbox has no members of its own', async () => {
    const sandbox = await owner.post('/organization/sandboxes', { name: 'Play' })
    const { page } = await browser.open(`/o/${sandbox.body.data.org_id}/settings/members`, owner)
    await page.getByText('This organization has no members of its own').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
  })

  test('the name in an event leads to the events of this API key or person alone', async () => {
    const opened = await browser.open('/o/ORG/events', owner)
    const { page } = opened
    const { data } = (await owner.get('/events?actor_kind=api_key&limit=1')).body
    const { id, name } = data[0].actor
    const who = page.getByRole('link', { name, exact: true })
    await who.first().click()
    const field = page.getByLabel('Key or person id')
    await expect.poll(() => field.inputValue()).toBe(id)
    expect(await page.getByText('Crosswalk', { exact: true }).count()).toBe(0)
    const { total } = (await owner.get(`/events?actor_id=${id}&limit=1`)).body.pagination
    await expect.poll(() => who.count()).toBe(Math.min(total, 50))
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => field.inputValue()).toBe('')
  })

  test('an event about a member, a key, an endpoint or another setting names it, and an event of a deleted key shows the id of the key', async () => {
    const { api_key_id: gone } = (await owner.post('/api-keys', { name: 'Gone' })).body
    await owner.post('/api-keys', { name: 'Nightly export' })
    await owner.delete(`/api-keys/${gone}`)
    await owner.post('/write-keys', { name: 'Shop' })
    await owner.post('/personas', { name: 'Mia' })
    await owner.post('/forms', { name: 'Fair', title: 'Fair', fields: [{ key: 'email', label: 'E-mail' }] })
    await owner.post('/fields', { entity: 'contact', key: 'region', label: 'Region', type: 'text' })
    await owner.post('/deals/close-reasons', { label: 'Too late', outcome: 'lost' })
    await owner.post('/segments', { entity: 'contact', name: 'Northern', filter: null })
    await owner.post('/integrations/crm-sync/connections', { provider: 'sandbox', name: 'Trial CRM' })
    // A person who left is named by what the person did.
    const leaver = await newMember(browser.app, owner.orgId ?? '', 'admin')
    await leaver.post('/segments', { entity: 'contact', name: 'Southern', filter: null })
    const { name: left } = (await owner.get('/events?limit=1')).body.data[0].actor
    await owner.delete(`/members/${leaver.memberId}`)
    const { page } = await browser.open('/o/ORG/events', owner)
    const about = (what: string, object: string) =>
      page.getByRole('row', { name: new RegExp(`${what} .*${object}`) }).first()
    for (const [what, object] of [
      ['API key created', 'Nightly export'],
      ['API key deleted', gone],
      ['write key created', 'Shop'],
      ['persona created', 'Mia'],
      ['form created', 'Fair'],
      ['field created', 'Region'],
      ['close reason created', 'Too late'],
      ['segment created', 'Northern'],
      ['CRM connection created', 'Trial CRM'],
      ['webhook endpoint created', 'https?://'],
      ['member removed', left],
    ] as const)
      await about(what, object).waitFor()
  })

  test('events are filtered by an object id once it is complete', async () => {
    const { page } = await browser.open('/o/ORG/events', owner)
    const [table, field] = [page.getByRole('table', { name: 'Events' }), page.getByLabel('Object id')]
    await table.waitFor()
    await field.fill('01a1fe49')
    await page.getByText('Paste the whole id').waitFor()
    expect(await table.isVisible()).toBe(true)
    await field.fill('01a1fe49-a370-7040-bfb4-6c917db78a2c')
    await page.getByText('No event matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await table.waitFor()
    expect(await field.inputValue()).toBe('')
  })

  test('the days of the statistics are days in UTC, whatever the time zone of the browser', async () => {
    const { page } = await browser.open(`/o/ORG/settings/webhooks/${endpointId}`, owner, async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' })
    })
    await page.getByText('30 days', { exact: true }).click()
    const days = page.getByRole('table', { name: 'Requests by day' }).getByRole('rowheader')
    const today = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    await expect.poll(() => days.last().textContent(), patience).toBe(today.format())
  })

  test('usage links only to pages that the person may read', async () => {
    const linksOf = async (member: SignedIn) => {
      const { page } = await browser.open('/o/ORG/usage', member)
      await page.getByText('Call minutes', { exact: true }).first().waitFor()
      return page.getByRole('main').getByRole('link').allTextContents()
    }
    expect(await linksOf(owner)).toEqual(['API keys', 'Calls', 'Webhooks', 'Events'])
    const links = await linksOf(await newMember(browser.app, owner.orgId ?? '', 'viewer'))
    expect(links).not.toContain('API keys')
    expect(links).toContain('Calls')
  })

  test('the hidden tables of charts do not make a page longer', async () => {
    const { page } = await browser.open('/o/ORG/usage?period=week', owner)
    await page.setViewportSize({ width: 1440, height: 2000 })
    await page.getByRole('table', { name: 'Requests by hour', exact: true }).waitFor({ state: 'attached' })
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
    expect(beyond).toBe(0)
  })
})
