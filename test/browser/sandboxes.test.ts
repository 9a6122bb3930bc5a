import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('sandboxes', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function openSandboxes(): Promise<Opened> {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG/settings/sandboxes', owner, withClock)
    await opened.page.getByText('There is no sandbox yet').waitFor()
    return opened
  }

  /** Creates a sandbox by keyboard alone, and returns the token of its key. */
  async function create({ page }: Opened, name: string): Promise<string> {
    await page.keyboard.press('c')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await page.getByText('Copy the token now').waitFor()
    return (await page.locator('dialog code').textContent()) ?? ''
  }

  async function closeSecret({ page }: Opened): Promise<void> {
    await page.keyboard.press('Escape')
    await page.getByText('Copy the token first').waitFor()
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
  }

  test('the empty page explains how to create a sandbox, and has no fault in both themes and widths', async () => {
    const opened = await openSandboxes()
    await requireNoFaultsInTwoThemes(opened)
  })

  test('a sandbox is created by keyboard, its token is shown once, and it opens in the console', async () => {
    const opened = await openSandboxes()
    const { page } = opened
    const token = await create(opened, 'Trial of the import')
    await requireNoFaults(opened)
    await closeSecret(opened)
    expect(await page.content()).not.toContain(token)
    const row = page.getByRole('row', { name: /Trial of the import/ })
    await waitToShow(opened, row.getByText('ready'))
    await requireNoFaultsInTwoThemes(opened)
    const answer = await browser.app.client(token).get('/contacts?limit=1')
    expect([answer.status, answer.body.pagination.total]).toEqual([200, 300])
    await page.getByRole('button', { name: 'Open Trial of the import' }).click()
    await page.getByRole('button', { name: 'Trial of the import', exact: true }).waitFor()
    const { org } = (await browser.app.client(token).get('/organization')).body.data
    expect(page.url()).toContain(org.org_id)
    await page.getByRole('note').getByText('Sandbox: ').waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Sandboxes', exact: true }).click()
    await page.getByText('This is a sandbox').waitFor()
    expect(await page.getByRole('button', { name: 'New sandbox' }).count()).toBe(0)
  })

  test('the error of an invalid number of days is shown at its field, and the typed values stay', async () => {
    const opened = await openSandboxes()
    const { page } = opened
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill('Trial')
    const days = page.getByLabel('Days until it is deleted')
    await days.fill('31')
    await page.keyboard.press('Enter')
    await expect.poll(() => days.getAttribute('aria-invalid'), patience).toBe('true')
    expect(await page.getByLabel('Name').inputValue()).toBe('Trial')
    await requireNoFaults(opened)
  })

  test('a sandbox is deleted only after its name is typed, and its token is refused then', async () => {
    const opened = await openSandboxes()
    const { page } = opened
    // A page shows two spaces as one, and nothing for the mark between them.
    const token = await create(opened, 'Old \u200E trial')
    await closeSecret(opened)
    await page.getByRole('button', { name: 'Delete Old' }).click()
    const field = page.getByLabel('to confirm')
    await field.fill('Old')
    const button = page.getByRole('button', { name: 'Delete', exact: true })
    expect(await button.isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    await requireNoFaults(opened)
    await field.fill('Old trial')
    await page.keyboard.press('Enter')
    await page.getByText('There is no sandbox yet').waitFor()
    await expect
      .poll(async () => (await browser.app.client(token).get('/organization')).status, patience)
      .toBe(401)
  })

  test('a viewer sees the sandboxes, but no button that creates or deletes one', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/organization/sandboxes', { name: 'Trial' })
    const viewer = await newMember(browser.app, org.orgId, 'viewer')
    const opened = await browser.open('/o/ORG/settings/sandboxes', viewer)
    const { page } = opened
    await page.getByRole('rowheader', { name: 'Trial' }).waitFor()
    expect(await page.getByRole('button', { name: /New sandbox|Delete/ }).count()).toBe(0)
    await requireNoFaults(opened)
  })
})
