import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened, waitToShow, withClock } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('API keys', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  async function openKeys(): Promise<Opened> {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG/settings/api', owner, withClock)
    await opened.page.getByRole('button', { name: 'New key' }).waitFor()
    return opened
  }

  /** Creates a key in the dialog, and returns its token. */
  async function create({ page }: Opened, name: string, lifetime: string): Promise<string> {
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill(name)
    await page.getByText(lifetime, { exact: true }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    return (await page.locator('dialog code').textContent()) ?? ''
  }

  test('the error of an invalid expiry is shown at its field, and the typed values stay', async () => {
    const opened = await openKeys()
    const { page } = opened
    await page.keyboard.press('c')
    await page.getByLabel('Name').fill('Dialer')
    await page.getByText('Other', { exact: true }).click()
    const days = page.getByLabel('Days, from 1 to 365')
    await days.fill('366')
    await page.keyboard.press('Enter')
    await expect.poll(() => days.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByText(/365/).count()).toBeGreaterThan(1)
    expect(await page.getByLabel('Name').inputValue()).toBe('Dialer')
    await requireNoFaults(opened)
    await days.fill('90')
    await page.keyboard.press('Enter')
    await page.getByText('Copy the token now').waitFor()
  })

  test('a new token is shown once, works, and is nowhere in the page afterwards', async () => {
    const opened = await openKeys()
    const { page } = opened
    const token = await create(opened, 'Website forms', '90 days')
    expect(token).toMatch(/^svc_live_\w+$/)
    await requireNoFaults(opened)
    await page.keyboard.press('Escape')
    await page.getByText('Copy the token first').waitFor()
    const answer = await browser.app.client(token).get('/organization')
    expect([answer.status, answer.body.data.org.org_id]).toEqual([200, owner.orgId])
    await waitToShow(opened, page.getByText('the first request arrived'))
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('rowheader', { name: 'Website forms' }).waitFor()
    const traces = await page.evaluate(() =>
      [
        document.documentElement.outerHTML,
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
      ].join(),
    )
    expect(traces).not.toContain(token)
    const events = await owner.get('/events')
    const [made] = events.body.data.filter(({ type }: { type: string }) => type === 'api_key.created')
    expect(made.actor).toMatchObject({ kind: 'member', id: owner.memberId })
  })

  test('after a rotation with a grace period of 1 hour, both tokens work, and the old key says so and cannot be rotated again', async () => {
    const opened = await openKeys()
    const { page } = opened
    const old = await create(opened, 'Nightly export', 'Never')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: /Nightly export/ }).hover()
    await page.getByRole('button', { name: 'Rotate Nightly export' }).click()
    await page.getByText('1 hour', { exact: true }).click()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const next = (await page.locator('dialog code').textContent()) ?? ''
    expect(next).not.toBe(old)
    for (const token of [old, next])
      expect((await browser.app.client(token).get('/organization')).status).toBe(200)
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('in 1 hr.').waitFor()
    const rows = page.getByRole('row', { name: /Nightly export/ })
    const rotate = page.getByRole('button', { name: 'Rotate Nightly export' })
    const replaced = rows.filter({ hasText: 'replaced by a newer key' })
    expect([await rows.count(), await replaced.count(), await rotate.count()]).toEqual([2, 1, 1])
    expect(await replaced.getByRole('button').allTextContents()).toEqual(['Delete'])
  })

  test('an API key that nobody used for 90 days is marked, unlike a key that was used yesterday', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const keyOf = async (name: string) => (await org.post('/api-keys', { name })).body.api_key_id as string
    const [old, used] = [await keyOf('Old landing page'), await keyOf('Nightly sync')]
    await browser.app.operate((tx) =>
      tx.run(sql`
        update api_key set created_at = now() - interval '120 days',
          last_used_at = case when api_key_id = ${used} then now() - interval '1 day' end
        where api_key_id in (${old}, ${used})`),
    )
    const { page } = await browser.open('/o/ORG/settings/api', await newMember(browser.app, org.orgId))
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Old landing page').getByText('unused for 120 days').waitFor()
    await row('Nightly sync').getByText('yesterday').waitFor()
  })

  test('on a phone, a key can be rotated and deleted', async () => {
    const opened = await openKeys()
    const { page } = opened
    await create(opened, 'Old landing page', 'Never')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Rotate Old landing page' }).waitFor()
    const right = page.getByRole('button', { name: 'Delete Old landing page' })
    expect(await right.boundingBox().then((box) => (box?.x ?? 0) + (box?.width ?? 0))).toBeLessThanOrEqual(
      390,
    )
    await requireNoFaults(opened)
    await right.click()
    await page.getByText('A deleted key cannot come back').waitFor()
  })

  test('a deleted key is refused at once', async () => {
    const opened = await openKeys()
    const { page } = opened
    const token = await create(opened, 'Old landing page', 'Never')
    await page.getByLabel('I have stored it').check()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: /Old landing page/ }).hover()
    await page.getByRole('button', { name: 'Delete Old landing page' }).click()
    await page.getByText('A deleted key cannot come back').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('was deleted').waitFor()
    expect((await browser.app.client(token).get('/organization')).status).toBe(401)
  })
})
