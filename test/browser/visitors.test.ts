import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { sendBatch } from '../support/tracking-clients.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('visitors', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let key: string
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    key = (await org.post('/write-keys', { name: 'Shop' })).body.data.key
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const send = (...events: object[]) =>
    sendBatch(
      browser.app,
      key,
      events.map((event) => ({ type: 'page', ...event })),
    )
  const view = (path: string, minutesAgo: number, more: object = {}) => ({
    ...{ context: { page: { path }, session_id: 's1' } },
    ...{ timestamp: new Date(Date.now() - minutesAgo * 60_000), ...more },
  })

  test('the list links to the page of a visitor with its sessions and events', async () => {
    const campaign = { source: 'newsletter', name: 'Autumn' }
    await send(view('/pricing', 9, { context: { page: { path: '/pricing' }, session_id: 's1', campaign } }))
    await send(view('/thanks', 4, { userId: 'user-7' }))
    await send({ anonymousId: 'a2' })
    const opened = await browser.open('/o/ORG/visitors', owner)
    const { page } = opened
    await page.getByRole('rowheader').nth(1).waitFor()
    await page.getByText('claimed').waitFor()
    await page.getByText('newsletter · Autumn').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('link', { name: 'user-7' }).click()
    const sessions = page.getByRole('table', { name: 'Sessions' })
    await sessions.getByText('/pricing → /thanks').waitFor()
    const events = page.getByRole('table', { name: 'Events' })
    await expect
      .poll(() => events.getByRole('rowheader').allTextContents(), patience)
      .toEqual(['Page view/thanks', 'Page view/pricing'])
    await requireNoFaultsInAllLooks(opened)
  })

  test('a visitor whose user id is the id of a contact has the name of the contact', async () => {
    const { body } = await org.post('/contacts', { first_name: 'Ada', last_name: 'Byron' })
    const { contact_id: contactId } = body.data
    await sendBatch(browser.app, org.token ?? '', [
      { type: 'identify', userId: contactId, anonymousId: 'a1' },
    ])
    const opened = await browser.open('/o/ORG/visitors', owner)
    const { page } = opened
    await page.getByRole('link', { name: 'Ada Byron' }).click()
    await page.getByRole('heading', { name: 'Ada Byron' }).waitFor()
    await page.getByText('is Ada Byron').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.getByRole('link', { name: 'Open Ada Byron' }).click()
    await expect.poll(() => page.url(), patience).toContain(`/people/${contactId}`)
  })

  test('the filter by user id is in the URL', async () => {
    await send({ anonymousId: 'a1', userId: 'user-7' }, { anonymousId: 'a2', userId: 'user-8' })
    const { page } = await browser.open('/o/ORG/visitors', owner)
    await page.getByRole('link', { name: 'user-8' }).waitFor()
    await page.getByLabel('User id, as the page sends it').fill('user-7')
    await expect.poll(() => page.getByRole('rowheader').count(), patience).toBe(1)
    expect(page.url()).toContain('user=user-7')
    await page.getByLabel('User id, as the page sends it').fill('nobody')
    await page.getByText('No visitor has this user id').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'user-8' }).waitFor()
  })

  test('a person with the permission erases a visitor, and other people see no button', async () => {
    await send({ anonymousId: 'a1', userId: 'user-7' })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const looked = await browser.open('/o/ORG/visitors', viewer)
    await looked.page.getByRole('link', { name: 'user-7' }).click()
    await looked.page.getByRole('table', { name: 'Events' }).waitFor()
    expect(await looked.page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
    const { page } = await browser.open('/o/ORG/visitors', owner)
    await page.getByRole('link', { name: 'user-7' }).click()
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByText('The visitor was erased.').waitFor()
    await page.getByText('Nobody visited yet').waitFor()
    expect((await org.get('/visitors')).body.data.visitors).toEqual([])
  })
})
