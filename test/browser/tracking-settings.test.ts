import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { sendBatch } from '../support/tracking-clients.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('write keys', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function begin(): Promise<void> {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
  }

  /** The page of a write key that the API created. */
  async function openKey(body: object = {}, member?: SignedIn) {
    await begin()
    const { data } = (await org.post('/write-keys', { name: 'Shop', ...body })).body
    const opened = await browser.open(
      `/o/ORG/settings/tracking/${data.write_key_id}`,
      member ?? owner,
      withClock,
    )
    await opened.page.getByRole('heading', { name: 'Send events' }).waitFor()
    return { opened, page: opened.page, key: data.key as string, id: data.write_key_id as string }
  }

  const keyOf = ({ page }: Opened) => page.getByText(/^wk_(live|test)_\w{28}$/).first()

  test('the keyboard alone creates a write key: errors are at their fields, typed text stays, and its first event appears', async () => {
    await begin()
    const opened = await browser.open('/o/ORG/settings/tracking', owner, withClock)
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await page.getByText('No page sends events yet').waitFor()
    await page.keyboard.press('c')
    await keyboard.requireFocus(page.getByLabel('Name'))
    await page.keyboard.type('Shop')
    for (const [nth, site] of ['https://www.example.com', 'example'].entries()) {
      await keyboard.press(page.getByRole('button', { name: 'Add a site' }))
      await keyboard.requireFocus(page.getByLabel(`Site ${nth + 1}`, { exact: true }))
      await page.keyboard.type(site)
    }
    await keyboard.tick(page.getByLabel(/^Identify/))
    await keyboard.press(page.getByRole('button', { name: 'Limits' }))
    await keyboard.fill(page.getByLabel('Most events a second'), '0')
    await page.keyboard.press('Enter')
    const wrong = [page.getByLabel('Site 2', { exact: true }), page.getByLabel('Most events a second')]
    for (const field of wrong)
      await expect.poll(() => field.getAttribute('aria-invalid'), patience).toBe('true')
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2)
    await requireNoFaultsInTwoThemes(opened)
    await keyboard.press(page.getByRole('button', { name: 'Remove site 2' }))
    await keyboard.fill(page.getByLabel('Most events a second'), '20')
    await keyboard.press(page.getByRole('button', { name: 'Create write key' }))
    await page.getByText('Waiting for the first event').waitFor()
    const [made] = (await org.get('/write-keys')).body.data
    expect(made).toMatchObject({
      ...{ name: 'Shop', origins: ['https://www.example.com'], purposes: ['track'] },
      limits: { events_per_second: 20, events_per_day: 10_000_000 },
    })
    expect(await keyOf(opened).textContent()).toBe(made.key)
    await sendBatch(browser.app, made.key, [{ event: 'Signed Up' }], { origin: 'https://www.example.com' })
    await waitToShow(opened, page.getByText('Events arrive'))
    await waitToShow(opened, page.getByText(/^last event \d+ sec\. ago$/))
    await keyboard.press(page.getByRole('link', { name: 'See what arrives' }))
    await page.getByRole('rowheader', { name: 'Signed Up' }).waitFor()
  })

  test('the displayed code has the write key and the address of this server, and its request is accepted', async () => {
    const { page, key } = await openKey({ origins: ['https://*.example.com'] })
    const code = page.getByRole('region', { name: /^(Crosswalk|Segment|RudderStack|Jitsu|curl)$/ })
    await page.getByRole('radio', { name: 'Crosswalk', checked: true }).waitFor()
    for (const name of ['Crosswalk', 'Segment', 'RudderStack', 'Jitsu', 'curl']) {
      await page.getByText(name, { exact: true }).click()
      await expect.poll(() => code.textContent(), patience).toContain(browser.app.address)
      expect(await code.textContent()).toContain(key)
    }
    const shown = (await code.textContent()) ?? ''
    const headers = Object.fromEntries(
      [...shown.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]) => [name, value]),
    )
    const answer = await browser.app.stranger.post('/v1/track', undefined, {
      prefix: '',
      headers: { ...headers, authorization: `Basic ${btoa(/-u "([^"]+)"/.exec(shown)?.[1] ?? '')}` },
      raw: /-d '([^']+)'/.exec(shown)?.[1] ?? '',
    })
    expect([answer.status, headers.Origin]).toEqual([200, 'https://www.example.com'])
  })

  test('after a rotation both keys work, a second rotation warns that both stop, and a deleted key is refused', async () => {
    const { opened, page, key } = await openKey()
    const rotate = page.getByRole('button', { name: 'Rotate' })
    await rotate.click()
    await page.getByRole('dialog').getByText('30 days').click()
    await requireNoFaults(opened)
    await rotate.last().click()
    await page.getByText('The write key has a new key').waitFor()
    await page.getByText('Old key', { exact: true }).waitFor()
    const next = (await keyOf(opened).textContent()) ?? ''
    expect(next).not.toBe(key)
    for (const working of [key, next]) await sendBatch(browser.app, working, [{ event: 'Seen' }])
    await requireNoFaultsInTwoThemes(opened)
    await rotate.click()
    await page.getByText('both older keys stop at once').waitFor()
    await rotate.last().click()
    await page.getByText('Old key', { exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/Its last event came .* lose their events/).waitFor()
    const last = (await keyOf(opened).textContent()) ?? ''
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('No page sends events yet').waitFor()
    for (const writeKey of [key, next, last]) {
      const event = { writeKey, event: 'Seen', anonymousId: 'a1' }
      expect((await browser.app.stranger.post('/v1/track', event, { prefix: '' })).status).toBe(401)
    }
  })

  test('if somebody else changes a write key during an edit, the page names the change, and both changes are stored', async () => {
    const { page, id } = await openKey()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await org.patch(`/write-keys/${id}`, { origins: ['https://www.example.com'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed the sites').waitFor()
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByRole('heading', { name: 'Web shop' }).waitFor()
    const { data } = (await org.get(`/write-keys/${id}`)).body
    expect(data).toMatchObject({ name: 'Web shop', origins: ['https://www.example.com'] })
  })

  test('the page of a write key that somebody else deleted says that the key does not exist any more', async () => {
    const { opened, page, id } = await openKey()
    expect((await org.delete(`/write-keys/${id}`)).status).toBeLessThan(300)
    await waitToShow(opened, page.getByText('This write key does not exist any more'))
    await requireNoFaultsInTwoThemes(opened)
  })

  test('several sites that are pasted into one line become several lines', async () => {
    const { page, id } = await openKey()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add a site' }).click()
    await page.getByLabel('Site 1', { exact: true }).evaluate((field) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'https://a.example\nhttps://b.example, https://c.example')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.getByLabel('Site 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The write key was saved').waitFor()
    const { data } = (await org.get(`/write-keys/${id}`)).body
    expect(data.origins).toEqual(['https://a.example', 'https://b.example', 'https://c.example'])
  })

  test('dropped and refused events are counted by reason, with advice and the last sample', async () => {
    const { opened, page, key } = await openKey({ origins: ['https://www.example.com'], purposes: ['track'] })
    await page.getByText('No event was dropped, and no request was refused.').waitFor()
    const origin = 'https://www.example.com'
    await sendBatch(browser.app, key, [{ event: 'Seen' }, { event: null }], { origin })
    const stray = { prefix: '', headers: { origin: 'https://shop.example.com' } }
    await browser.app.stranger.post('/v1/track', { writeKey: key, event: 'Seen', anonymousId: 'a1' }, stray)
    const reasons = page.getByRole('list', { name: 'Reasons' })
    await waitToShow(opened, reasons.getByText('no event name'))
    await waitToShow(opened, reasons.getByText('origin not allowed'))
    await reasons.getByText('Send the name of a track event as event.').waitFor()
    await reasons.getByText(/from https:\/\/shop\.example\.com/).waitFor()
    expect(await page.getByText(/^1 event dropped$|^1 request refused$/).count()).toBe(2)
    await requireNoFaultsInTwoThemes(opened)
    await page.getByText('30 days', { exact: true }).click()
    await page.getByRole('table', { name: 'Events by day' }).waitFor({ state: 'attached' })
  })

  test('privacy settings are saved: a shorter retention needs a confirmation, and an invalid one gets an error at its field', async () => {
    await begin()
    await org.post('/write-keys', { name: 'Shop' })
    const opened = await browser.open('/o/ORG/settings/tracking', owner)
    const { page } = opened
    const days = page.getByLabel('Days until an event is deleted')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await days.fill('2000')
    await save.click()
    await expect.poll(() => days.getAttribute('aria-invalid'), patience).toBe('true')
    expect(await days.inputValue()).toBe('2000')
    await days.fill('30')
    await page.getByLabel(/^Count the views of people who refuse analytics/).check()
    await page.getByLabel(/^Respect Do Not Track/).check()
    await save.click()
    await page.getByText('They cannot come back').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Save and delete' }).click()
    await page.getByText('The privacy settings were saved').waitFor()
    expect((await org.get('/tracking/settings')).body.data).toMatchObject({
      ...{ retention_days: 30, cookieless: true, respect_dnt: true },
    })
  })

  test('a sandbox offers only test keys, and a viewer can read keys but gets no actions', async () => {
    await begin()
    const sandbox = (await owner.post('/organization/sandboxes', { name: 'Trial' })).body.data
    const inSandbox = Object.assign(owner, { orgId: sandbox.org_id })
    const made = await browser.open('/o/ORG/settings/tracking', inSandbox)
    await made.page.getByText('No page sends events yet').waitFor()
    await made.page.keyboard.press('c')
    await made.page.getByLabel('Name').fill('Trial')
    expect(await made.page.getByText('Live', { exact: true }).count()).toBe(0)
    await made.page.keyboard.press('Enter')
    await made.page
      .getByText(/^wk_test_/)
      .first()
      .waitFor()
    const { data } = (await org.post('/write-keys', { name: 'Shop' })).body
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const { page } = await browser.open(`/o/ORG/settings/tracking/${data.write_key_id}`, viewer)
    await page.getByText(data.key, { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /Edit|Rotate|Delete/ }).count()).toBe(0)
  })
})
