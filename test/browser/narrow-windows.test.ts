import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('pages in a window that is narrow, or becomes narrow', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    const org = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    owner = await newMember(browser.app, org.orgId)
    await org.post('/agency/clients', { name: 'Northwind' })
  })
  afterAll(() => browser.close())

  test('the list of settings shows the open page after a window became narrow', async () => {
    const { page } = await browser.open('/o/ORG/settings/security', owner)
    const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Security' })
    await link.waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const rightEdge = async () => {
      const box = await link.boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    await expect.poll(rightEdge, patience).toBeLessThanOrEqual(390)
  })

  test('a right-to-left name that does not fit shows its beginning, on the left side of its column', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const last_name = 'آل سعود بن عبد العزيز بن محمد '.repeat(4).trim()
    await org.post('/contacts', { first_name: 'محمد', last_name, email: 'long@harbor.example' })
    await org.post('/contacts', { first_name: 'שרה', email: 'short@harbor.example' })
    const { page } = await browser.open('/o/ORG/people', await newMember(browser.app, org.orgId))
    const names = page.getByRole('rowheader').getByRole('link')
    await expect.poll(() => names.count(), patience).toBe(2)
    const edges = await names.evaluateAll((links) =>
      links.map((link) => {
        const first = new Range()
        first.setStart(link.firstChild as Text, 0)
        first.setEnd(link.firstChild as Text, 1)
        const [whole, letter] = [link.getBoundingClientRect(), first.getBoundingClientRect()]
        return { isShown: letter.left >= whole.left && letter.right <= whole.right + 1, end: letter.right }
      }),
    )
    expect(edges.map(({ isShown }) => isShown)).toEqual([true, true])
    const [short, long] = edges
    expect(short?.end).toBeLessThan(long?.end ?? 0)
  })

  test('on a phone, the list of clients shows names of 25 letters in full', async () => {
    const agency = await browser.app.newAgency('Bright')
    const names = ['Northwind Traders Germany', 'Northwind Traders Austria']
    for (const name of names) await agency.post('/agency/clients', { name })
    const { page } = await browser.open('/o/ORG/clients', await newMember(browser.app, agency.orgId))
    await page.setViewportSize({ width: 390, height: 844 })
    for (const name of names) {
      const link = page.getByRole('rowheader').getByRole('link', { name })
      await expect.poll(() => link.evaluate((box) => box.scrollWidth - box.clientWidth), patience).toBe(0)
    }
  })

  test('on a phone, a long name of the organization leaves the switches of the navigation in the window', async () => {
    const name = 'Lantern Row Gesellschaft mit beschränkter Haftung & Co. Kommanditgesellschaft'
    const org = await browser.app.newOrg({ name })
    const { page } = await browser.open('/o/ORG', await newMember(browser.app, org.orgId))
    await page.getByRole('link', { name: 'Visitors', exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Navigation' }).click()
    const box = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
    expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  })

  test('below 1,101 px a button opens the navigation beside the page, and a click on the page closes it', async () => {
    const opened = await browser.open('/o/ORG/clients', owner)
    const { page } = opened
    const link = page.getByRole('link', { name: 'Visitors', exact: true })
    await link.waitFor()
    await page.setViewportSize({ width: 1000, height: 800 })
    await link.waitFor({ state: 'hidden' })
    const button = page.getByRole('button', { name: 'Navigation' })
    await button.click()
    await link.waitFor()
    await requireNoFaults(opened)
    await page.mouse.click(900, 700)
    await link.waitFor({ state: 'hidden' })
    await button.click()
    await link.click()
    await page.getByRole('heading', { name: 'Visitors' }).waitFor()
    await link.waitFor({ state: 'hidden' })
  })

  test('the page scrolls the rows of a table in a low window, and the end of the list comes after the last row', async () => {
    const org = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    for (let n = 1; n <= 12; n++) await org.post('/agency/clients', { name: `Client ${n}` })
    const { page } = await browser.open('/o/ORG/clients', await newMember(browser.app, org.orgId))
    await page.setViewportSize({ width: 844, height: 390 })
    const end = page.getByText('There are no more clients')
    await end.waitFor()
    const last = page.getByRole('row').last()
    const gap = async () => {
      const [row, text] = await Promise.all([last.boundingBox(), end.boundingBox()])
      return (text?.y ?? 0) - (row?.y ?? 0) - (row?.height ?? 0)
    }
    await expect.poll(gap, patience).toBeGreaterThanOrEqual(0)
    await end.scrollIntoViewIfNeeded()
    const head = page.getByRole('columnheader', { name: 'Client' })
    await expect.poll(async () => (await head.boundingBox())?.y ?? -1, patience).toBeGreaterThanOrEqual(40)
  })

  test('a table in a narrow window leaves out columns that are optional, and does not scroll sideways', async () => {
    const { page } = await browser.open('/o/ORG/clients', owner)
    const name = page.getByRole('rowheader', { name: 'Northwind' })
    const last = page.getByRole('columnheader', { name: 'Not delivered' })
    await last.waitFor()
    await page.setViewportSize({ width: 800, height: 900 })
    await last.waitFor({ state: 'hidden' })
    expect((await name.boundingBox())?.width).toBeGreaterThanOrEqual(100)
    await page.getByRole('columnheader', { name: 'Webhooks' }).waitFor()
    const overhang = () =>
      page
        .getByRole('table')
        .evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : null))
    expect(await overhang()).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await last.waitFor()
  })

  test('a narrow table keeps the column by which its rows are sorted', async () => {
    const { page } = await browser.open('/o/ORG/clients?sort=-webhooks_failed', owner)
    const last = page.getByRole('columnheader', { name: 'Not delivered' })
    await last.waitFor()
    await page.setViewportSize({ width: 800, height: 900 })
    await page.getByRole('columnheader', { name: 'Webhooks' }).waitFor({ state: 'hidden' })
    await last.waitFor()
  })

  test('a window that is narrow because its page is enlarged to 200 % still exports lists', async () => {
    for (const path of ['/people', '/companies', '/deals?view=list']) {
      const { page } = await browser.open(`/o/ORG${path}`, owner)
      const exporting = page.getByRole('button', { name: 'Export' })
      await page.setViewportSize({ width: 640, height: 400 })
      await exporting.waitFor()
      const box = await exporting.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(640)
    }
  })
})
