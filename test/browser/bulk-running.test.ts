import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaultsInAllLooks, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { createPeople, personNumbered } from '../support/console-records.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()
const { first_name, last_name } = personNumbered(1)

describe.runIf(chromium)('changes of all people that run', () => {
  let browser: ConsoleBrowser
  let org: TestOrg
  let owner: SignedIn
  let ids: string[]
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  beforeEach(async () => {
    org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    ids = (await createPeople(org, 3)).sort()
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const barsOf = (page: Page) => page.getByRole('region', { name: /^Change of all people/ })
  const total = async (query: string) => (await org.get(`/contacts?limit=1${query}`)).body.pagination.total

  async function open(): Promise<Opened> {
    const opened = await browser.open('/o/ORG/people', owner)
    await opened.page.getByRole('checkbox', { name: `Select ${first_name} ${last_name}` }).check()
    return opened
  }

  /** Starts a change that adds a tag. Returns its dialog. */
  async function start(page: Page, tag: string) {
    await page.getByRole('button', { name: 'Change all 3' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change all 3 people' })
    await dialog.getByLabel('Tag').fill(tag)
    await dialog.getByRole('button', { name: 'Change all' }).click()
    return dialog
  }

  test('a change is shown also if its dialog was closed before the first answer', async () => {
    const { page } = await open()
    const answers: (() => void)[] = []
    await page.route('**/bulk-changes', async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      await route.continue()
    })
    const question = page.getByRole('dialog', { name: 'Leave before the answer?' })
    const dialog = await start(page, 'autumn')
    await expect.poll(() => answers.length, patience).toBe(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Wait' }).click()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await dialog.waitFor({ state: 'detached' })
    answers[0]?.()
    await barsOf(page).getByText('3 of 3 done. All done.').waitFor()
    await barsOf(page).getByRole('button', { name: 'Close the result' }).click()
    await barsOf(page).waitFor({ state: 'detached' })
    expect(await total('&tag=autumn')).toBe(3)

    await start(page, 'winter')
    await expect.poll(() => answers.length, patience).toBe(2)
    await page.keyboard.press('Escape')
    await question.waitFor()
    answers[1]?.()
    await question.waitFor({ state: 'detached' })
    await dialog.getByText('3 of 3 done. All done.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await barsOf(page).count()).toBe(0)
  })

  test('two changes have a bar each, and one that is stopped says in plain words what it did', async () => {
    const opened = await open()
    const { page } = opened
    await withClient(browser.app, async (client) => {
      await client.query('begin')
      await client.query('select from contact where contact_id = $1 for update', [ids[0]])
      for (const tag of ['autumn', 'winter']) {
        const dialog = await start(page, tag)
        await dialog.getByText('0 of 3 done.').waitFor()
        await dialog.getByRole('button', { name: 'Close' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await page.reload()
      await barsOf(page).nth(1).getByText('0 of 3 done.').waitFor()
      for (const tag of ['autumn', 'winter']) await barsOf(page).getByText(`add the tag “${tag}”`).waitFor()
      await requireNoFaultsInAllLooks(opened)
      await client.query('rollback')
    })
    for (const index of [0, 1]) await barsOf(page).nth(index).getByText('3 of 3 done.').waitFor()
    await barsOf(page).first().getByRole('button', { name: 'Close the result' }).click()
    await barsOf(page).nth(1).waitFor({ state: 'detached' })
    await page.reload()
    await barsOf(page).getByText('3 of 3 done. All done.').waitFor()
    await page.route('**/bulk-changes/*', async (route) => {
      const body = await (await route.fetch()).json()
      Object.assign(body.data, { status: 'canceled', changed: 1, unchanged: 1 })
      await route.fulfill({ json: body })
    })
    await page.reload()
    const words = 'It was stopped. Changed: 1 person. Had the value already: 1 person. Not reached: 1 person.'
    await barsOf(page).getByText(words, { exact: true }).waitFor()
  })

  test('a change shows in another browser of its member, and to other members with the name of its starter', async () => {
    const { page } = await open()
    const other = await newMember(browser.app, org.orgId)
    await withClient(browser.app, async (client) => {
      await client.query('begin')
      await client.query('select from contact where contact_id = $1 for update', [ids[0]])
      const dialog = await start(page, 'autumn')
      await dialog.getByText('0 of 3 done.').waitFor()
      const mine = await browser.open('/o/ORG/people', owner)
      await barsOf(mine.page).getByText('0 of 3 done.').waitFor()
      expect(await barsOf(mine.page).getByText(', by ').count()).toBe(0)
      const home = await browser.open('/o/ORG', other)
      await home.page.getByRole('region', { name: 'Running' }).getByText('0 of 3').waitFor()
      await requireNoFaultsInAllLooks(home)
      await home.page.getByRole('link', { name: 'Change of all people' }).click()
      await barsOf(home.page).getByText(', by ').waitFor()
      await requireNoFaultsInAllLooks(home)
      await client.query('rollback')
      await barsOf(home.page).getByText('3 of 3 done. All done.').waitFor()
      await barsOf(home.page).getByRole('button', { name: 'Close the result' }).click()
      await barsOf(home.page).waitFor({ state: 'detached' })
    })
  })

  test('a change whose progress may not be read can be closed, and the console does not wait for an unknown change', async () => {
    const opened = await open()
    const { page } = opened
    let status = 403
    await page.route('**/bulk-changes/*', (route) =>
      route.fulfill({ status, json: { detail: 'Not for you' } }),
    )
    const dialog = await start(page, 'autumn')
    await dialog.getByText('The change continues. Its progress is read again every 5 s.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await barsOf(page).getByText('The progress could not be read').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await barsOf(page).getByRole('button', { name: 'Close', exact: true }).click()
    await barsOf(page).waitFor({ state: 'detached' })

    status = 404
    await start(page, 'winter')
    await dialog.getByText('The progress could not be read').waitFor()
    expect(await dialog.getByText('is read again').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await barsOf(page).count()).toBe(0)
  })
})
