import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToHide, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { sendBatch } from '../support/tracking-clients.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('web events', () => {
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

  const open = (search = '') => browser.open(`/o/ORG/web-events${search}`, owner, withClock)
  /** Sends events one after another: events of one request are received at the same time. */
  const send = async (...events: object[]) => {
    for (const event of events) await sendBatch(browser.app, key, [event])
  }
  const row = ({ page }: Opened, name: string) => page.getByRole('rowheader', { name, exact: true })
  const names = ({ page }: Opened) => page.getByRole('rowheader').allTextContents()

  test('without a write key, the page of web events links to the settings', async () => {
    const opened = await open()
    await opened.page.getByText('No event arrived yet').waitFor()
    await new Keyboard(opened).press(opened.page.getByRole('link', { name: 'Open Settings → Tracking' }))
    await opened.page.getByRole('heading', { name: 'Tracking' }).waitFor()
  })

  test('a member who may not read them is told so, without a live stream or an export', async () => {
    const member = await newMember(browser.app, org.orgId, 'member')
    const limited = await owner.send('PATCH', `/members/${member.memberId}`, {
      body: { record_access: 'own' },
    })
    expect(limited.status, limited.text).toBe(200)
    for (const [path, act] of [
      ['web-events', 'Pause'],
      ['calls/suppressions', 'Export'],
    ] as const) {
      const { page } = await browser.open(`/o/ORG/${path}`, member)
      await page.getByText('You may not do this').waitFor()
      expect(await page.getByRole('button', { name: act }).count()).toBe(0)
    }
  })

  test('new events appear automatically, newest first, except while the list is paused', async () => {
    const opened = await open()
    const { page } = opened
    await page.getByText('No event arrived yet').waitFor()
    await send({ event: 'First' })
    await waitToShow(opened, row(opened, 'First'))
    await send({ event: 'Second' })
    await waitToShow(opened, row(opened, 'Second'))
    expect(await names(opened)).toEqual(['Second', 'First'])
    await page.keyboard.press('p')
    await page.getByText('Paused', { exact: true }).waitFor()
    await send({ event: 'Third' })
    await page.clock.fastForward(30_000)
    expect(await names(opened)).toEqual(['Second', 'First'])
    await page.getByRole('button', { name: 'Resume' }).click()
    await row(opened, 'Third').waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
  })

  test('the keyboard opens an event, which pauses the list, and then the other events of its visitor', async () => {
    await send(
      { event: 'Visited', anonymousId: 'a2' },
      { type: 'page', context: { page: { path: '/pricing' }, locale: 'en-US' } },
      { event: 'Signed Up', userId: 'user-7', properties: { plan: 'pro' } },
    )
    const opened = await open()
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await keyboard.press(page.getByRole('button', { name: 'Signed Up' }))
    await page.getByText('Paused while an event is open').waitFor()
    await expect.poll(() => page.getByLabel('Properties').textContent(), patience).toContain('"plan": "pro"')
    await requireNoFaultsInTwoThemes(opened)
    await send({ event: 'Later' })
    await page.clock.fastForward(30_000)
    expect(await row(opened, 'Later').count()).toBe(0)
    await keyboard.press(page.getByRole('button', { name: 'Only this visitor' }))
    await expect.poll(() => page.url(), patience).toContain('visitor=')
    await keyboard.press(page.getByRole('button', { name: 'Signed Up' }))
    await waitToShow(opened, row(opened, 'Later'))
    expect(await names(opened)).toEqual(['Later', 'Signed Up', 'Page view/pricing'])
  })

  test('a filter closes the open event, so that new events appear again', async () => {
    await send({ event: 'Visited' }, { event: 'Signed Up' })
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Signed Up' }).click()
    await page.getByText('Paused while an event is open').waitFor()
    await page.getByLabel('Call').selectOption('Page')
    await page.getByText('No event matches these filters').waitFor()
    await send({ type: 'page', name: 'Home' })
    await waitToShow(opened, row(opened, 'Home'))
  })

  test('the filters are in the URL, and the mode filter of events does not change the mode of the console', async () => {
    const test = (await org.post('/write-keys', { name: 'Staging', mode: 'test' })).body.data.key
    await send({ event: 'Signed Up' }, { type: 'page', name: 'Home' })
    await sendBatch(browser.app, test, [{ event: 'Tried' }])
    const opened = await open()
    const { page } = opened
    await row(opened, 'Tried test').waitFor()
    await page.getByLabel('Mode', { exact: true }).selectOption('Test')
    await expect.poll(() => names(opened), patience).toEqual(['Triedtest'])
    await page.getByLabel('Mode', { exact: true }).selectOption('Live')
    await page.getByLabel('Name, as the page sends it').fill('Signed Up')
    await waitToShow(opened, page.getByRole('button', { name: 'Clear filters' }))
    await page.clock.fastForward(1_000)
    await expect.poll(() => names(opened), patience).toEqual(['Signed Up'])
    await page.getByLabel('Call').selectOption('Page')
    await page.getByText('No event matches these filters').waitFor()
    expect(page.url()).toMatch(
      /events=live.*name=Signed.Up.*type=page|type=page.*name=Signed.Up.*events=live/,
    )
    await page.reload()
    await page.getByText('No event matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row(opened, 'Home').waitFor()
    expect(await page.getByLabel('Name, as the page sends it').inputValue()).toBe('')
    await page.getByLabel('Test mode').check()
    await expect.poll(() => names(opened), patience).toEqual(['Triedtest'])
  })

  test('a button loads older events, and a failed poll shows an error and keeps the list', async () => {
    await sendBatch(
      browser.app,
      key,
      Array.from({ length: 60 }, (_, nth) => ({ event: `Event ${nth}` })),
    )
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Show older events' }).click()
    await page.getByText('There are no older events').waitFor()
    expect(new Set(await names(opened)).size).toBe(60)
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.route('**/tracking/events*', (route) => route.abort())
    await page.getByRole('button', { name: 'Resume' }).click()
    await waitToShow(opened, page.getByText('No answer, trying again'))
    expect(await page.getByRole('rowheader').count()).toBe(50)
    await page.unroute('**/tracking/events*')
    await waitToHide(opened, page.getByText('No answer, trying again'))
  })

  test('a failed read of older events says so, and is tried again on request', async () => {
    await sendBatch(
      browser.app,
      key,
      Array.from({ length: 60 }, (_, nth) => ({ event: `Event ${nth}` })),
    )
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Show older events' }).waitFor()
    await page.route('**/tracking/events*cursor=*', (route) => route.abort())
    await page.getByRole('button', { name: 'Show older events' }).click()
    await page.getByText('The next page could not be read.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await page.unroute('**/tracking/events*cursor=*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('There are no older events').waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(60)
  })

  test('the switch of the mode keeps the filters', async () => {
    const opened = await open()
    const { page } = opened
    await page.getByLabel('Name, as the page sends it').fill('Signed Up')
    await expect.poll(() => page.url(), patience).toContain('name=Signed')
    await page.getByLabel('Test mode').check()
    await expect.poll(() => page.url(), patience).toContain('mode=test')
    expect(page.url()).toContain('name=Signed')
    expect(await page.getByLabel('Name, as the page sends it').inputValue()).toBe('Signed Up')
  })

  test('a page whose first answer failed keeps the error while it polls again', async () => {
    let requests = 0
    let isSilent = false
    const opened = await browser.open('/o/ORG/web-events', owner, async (page) => {
      await withClock(page)
      await page.route('**/tracking/events*', async (route) => {
        requests += 1
        const json = { detail: 'Something broke', code: 'invalid_request' }
        if (!isSilent) await route.fulfill({ status: 400, json })
      })
    })
    const { page } = opened
    const error = page.getByRole('alert').getByText('Something broke')
    await waitToShow(opened, error)
    const again = page.getByRole('button', { name: 'Try again' })
    await again.focus()
    isSilent = true
    const before = requests
    await expect
      .poll(async () => {
        await page.clock.fastForward(1_000)
        return requests
      }, patience)
      .toBeGreaterThan(before)
    await page.clock.fastForward(1_000)
    expect(await error.isVisible()).toBe(true)
    await new Keyboard(opened).requireFocus(again)
  })
})
