import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, inNewBrowser } from '../support/console.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

/** A phone network: 1.6 Mbit/s and 150 ms for each request. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 }

/** The largest sum of layout shifts that nobody notices. Google calls 0.1 good. */
const shiftMax = 0.02

describe.runIf(chromium)('at 1.6 Mbit/s and 150 ms', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    for (let key = 0; key < 12; key++) await org.post('/api-keys', { name: `Key ${key}` })
    await org.post('/organization/sandboxes', { name: 'Trial' })
    const url = 'https://receiver.example/hooks'
    expect((await org.post('/webhooks/endpoints', { url, types: ['contact.*'] })).status).toBe(201)
    owner = await newMember(browser.app, org.orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function slowDown(page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', slow)
    await page.addInitScript(() => {
      const shifts: object[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) =>
        shifts.push(...list.getEntries().map((entry) => entry.toJSON())),
      ).observe({ type: 'layout-shift', buffered: true })
    })
  }

  /** Requires that the layout does not shift, except after input. */
  async function requireStill(page: Page): Promise<void> {
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; hadRecentInput: boolean }[] }).shifts,
    )
    const unasked = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
    const sum = unasked.reduce((total, { value }) => total + value, 0)
    expect(sum, JSON.stringify(unasked)).toBeLessThanOrEqual(shiftMax)
  }

  test('a person can type into the sign-in page as soon as it is shown, and its layout does not shift', async () => {
    const requests: string[] = []
    const { page } = await browser.open('', null, async (opened) => {
      opened.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await slowDown(opened)
    })
    await page.getByLabel('E-mail').fill('ada@acme.example')
    await page.getByText('Lost your password?').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@acme.example')
    await requireStill(page)
    expect(requests.filter((path) => path.endsWith('.js') || path === '/console/api/session')).toHaveLength(1)
  })

  test.each([
    ['/o/ORG', 'This week'],
    ['/o/ORG/events', 'API key created'],
    ['/o/ORG/usage', 'Call minutes'],
    ['/o/ORG/settings/organization', 'Country of phone numbers'],
    ['/o/ORG/settings/api', 'Key 11'],
    ['/o/ORG/settings/webhooks', 'contact.*'],
    ['/o/ORG/settings/sandboxes', 'Trial'],
    ['/o/ORG/settings/members', 'There is no open link'],
    ['/o/ORG/settings/security', 'this browser'],
  ])('%s loads without layout shifts', async (path, text) => {
    const { page } = await browser.open(path, owner, slowDown)
    await page.getByText(text).last().waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count(), patience).toBe(0)
    await requireStill(page)
  })

  test('the tag that a person types while its dialog loads archives nobody', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/contacts', { first_name: 'Ada' })
    const { page } = await browser.open(
      '/o/ORG/people',
      await newMember(browser.app, org.orgId),
      inNewBrowser,
    )
    await page.getByRole('checkbox', { name: 'Select Ada' }).check()
    await page.getByRole('region', { name: 'Selection' }).waitFor()
    const { promise: isWanted, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/assets/*', async (route) => {
      await isWanted
      await route.continue()
    })
    await page.keyboard.press('t')
    await page.keyboard.type('expo fair')
    load()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tag').fill('expo fair')
    await page.keyboard.press('Enter')
    await page.getByText('1 person tagged “expo fair”.').waitFor()
    expect((await org.get('/contacts')).body.data).toMatchObject([{ tags: ['expo fair'] }])
  })

  test('a person edits a second field while the first one is saved: it keeps the focus, and both are stored', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const fields = { first_name: 'Ada', job_title: 'Director', city: 'Berlin' }
    const id = (await org.post('/contacts', fields)).body.data.contact_id
    const { page } = await browser.open(`/o/ORG/people/${id}`, await newMember(browser.app, org.orgId))
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const save = async (name: string, text: string) => {
      await button(`Edit ${name}`).click()
      await field(name).fill(text)
      await page.keyboard.press('Enter')
    }
    /** Holds the answer to the next change, and resolves once the server stored it. */
    const holdAnswer = async () => {
      const [isStored, isWanted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let isFirst = true
      await page.route('**/console/api/contacts/*', async (route) => {
        if (route.request().method() !== 'PATCH' || !isFirst) return route.continue()
        isFirst = false
        const response = await route.fetch()
        isStored.resolve()
        await isWanted.promise
        await route.fulfill({ response })
      })
      return { isStored: isStored.promise, release: isWanted.resolve }
    }
    const first = await holdAnswer()
    await save('Title', 'Owner')
    await first.isStored
    await button('Edit City').click()
    await field('City').fill('Po')
    first.release()
    await button('Edit Title').waitFor()
    await page.keyboard.type('rto')
    await page.keyboard.press('Enter')
    await button('Edit City').waitFor()
    expect((await org.get(`/contacts/${id}`)).body.data).toMatchObject({ job_title: 'Owner', city: 'Porto' })

    const second = await holdAnswer()
    await save('Title', 'Founder')
    await second.isStored
    await save('City', 'Rome')
    second.release()
    await button('Edit City').waitFor()
    expect((await org.get(`/contacts/${id}`)).body.data).toMatchObject({ job_title: 'Founder', city: 'Rome' })
    expect(await page.getByText('meanwhile').count()).toBe(0)
  })

  test('an API key is created over a slow network', async () => {
    const { page } = await browser.open('/o/ORG/settings/api', owner, slowDown)
    await page.getByText('Key 11').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill('From a train')
    await page.keyboard.press('Enter')
    await page.getByText('Copy the token now').waitFor()
    expect((await owner.get('/api-keys')).body.keys.map(({ name }: { name: string }) => name)).toContain(
      'From a train',
    )
  })
})
