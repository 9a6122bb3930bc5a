import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaultsInAllLooks } from '../support/console-faults.ts'
import { createPeople } from '../support/console-records.ts'
import { areBlocked, withClient } from '../support/direct-sql.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('a change of more people than one request takes', () => {
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
  const total = async (query: string) => (await org.get(`/contacts?limit=1${query}`)).body.pagination.total

  async function selectAll(): Promise<Opened> {
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await button(page, 'Select all 600').click()
    await page.getByText('600 selected').waitFor()
    return opened
  }

  /** Holds the first change until the returned function is called. */
  async function holdFirst(page: Page): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/contacts/batch', async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  test('stops between two requests when the person wants, and says how many are changed', async () => {
    await createPeople(org, 600)
    const opened = await selectAll()
    const { page } = opened
    const release = await holdFirst(page)
    await page.keyboard.press('t')
    await page.getByLabel('Tag', { exact: true }).fill('autumn')
    await page.keyboard.press('Enter')
    await page.getByText('0 of 600 done.').waitFor()
    await requireNoFaultsInAllLooks(opened)
    await button(page, 'Stop').click()
    release()
    await page.getByText('500 people tagged “autumn”. You stopped it: 100 people unchanged.').waitFor()
    expect(await total('&tag=autumn')).toBe(500)
  })

  test('a change of all people is stopped after its dialog was closed and the page loaded again', async () => {
    const ids = (await createPeople(org, 600)).sort()
    const opened = await browser.open('/o/ORG/people', owner)
    const { page } = opened
    const running = page.getByRole('region', { name: /^Change of all people/ })
    const stopped = running.getByText(/^It was stopped/)
    await withClient(browser.app, async (client) => {
      await client.query('begin')
      await client.query('select from contact where contact_id = $1 for update', [ids[250]])
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
      await button(page, 'Change all 600').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Tag').fill('autumn')
      await button(page, 'Change all').click()
      await dialog.getByText('200 of 600 done. What is done stays if you stop it.').waitFor()
      await requireNoFaultsInAllLooks(opened)
      await button(page, 'Close').click()
      await running.getByText('200 of 600 done.').waitFor()
      await page.reload()
      await running.getByText('200 of 600 done.').waitFor()
      await requireNoFaultsInAllLooks(opened)
      await running.getByRole('button', { name: 'Stop' }).click()
      // After 10 s, the step that waits for the contact ends. Then the request to stop waits for nothing.
      await expect
        .poll(async () => (await areBlocked(client, 2)) || (await stopped.count()) > 0, patience)
        .toBe(true)
      await client.query('rollback')
    })
    await stopped.waitFor()
    const changed = await total('&tag=autumn')
    const words = `It was stopped. Changed: ${changed} people. Not reached: ${600 - changed} people.`
    await running.getByText(words, { exact: true }).waitFor()
    expect(changed).toBeLessThan(600)
    await running.getByRole('button', { name: 'Close the result' }).click()
    await running.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('rowheader').first().waitFor()
    expect(await running.count()).toBe(0)
  })

  test('also stops while people are archived, and Undo restores the archived people', async () => {
    await createPeople(org, 600)
    const { page } = await selectAll()
    const release = await holdFirst(page)
    await page.keyboard.press('e')
    await page.getByText('0 of 600 done').waitFor()
    await button(page, 'Stop').click()
    release()
    await page.getByText('500 people archived. You stopped it: 100 people unchanged.').waitFor()
    expect(await total('')).toBe(100)
    await button(page, 'Undo').click()
    await page.getByText('500 people restored.').waitFor()
    expect(await total('')).toBe(600)
  })

  test('says after a failure how many are done', async () => {
    await createPeople(org, 600)
    const { page } = await selectAll()
    let sent = 0
    await page.route('**/contacts/batch', (route) =>
      ++sent > 1 ? route.fulfill({ status: 500, json: { detail: 'Broken' } }) : route.continue(),
    )
    await page.keyboard.press('t')
    await page.getByLabel('Tag', { exact: true }).fill('autumn')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Broken' }).waitFor()
    await page.getByText('500 of 600 done.').waitFor()
    await page.unroute('**/contacts/batch')
    await button(page, 'Add the tag').click()
    await page.getByText('100 people tagged “autumn”.').waitFor()
    expect(await total('&tag=autumn')).toBe(600)
  })
})
