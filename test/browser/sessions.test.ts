import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { newMember } from '../support/members.ts'

const chromium = chromiumOrSkip()
const password = 'seven green bicycles'

describe.runIf(chromium)('people and their sessions', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  /** A person who joined in the browser with an invitation. */
  async function join(email: string, role: string) {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const invited = await owner.post('/members/invites', { email, role })
    const { url } = invited.body.data as { url: string }
    const opened = await browser.open(url.slice(url.indexOf('/console') + '/console'.length), null)
    const { page } = opened
    await page.getByRole('heading', { name: 'Join Lantern Row' }).waitFor()
    return { org, owner, opened, page, url }
  }

  test('a person joins by an invitation with the keyboard alone, and the invitation works once', async () => {
    const { opened, page, url, owner } = await join('ada@acme.example', 'admin')
    await requireNoFaults(opened)
    await page.getByLabel('Your name').focus()
    await page.keyboard.type('Ada Lovelace')
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/o\//)
    await page.getByText('Ada Lovelace').first().waitFor()
    const again = await browser.open(url.slice(url.indexOf('/console') + '/console'.length), null)
    await again.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    const members = await owner.get('/members')
    expect(members.body.data).toMatchObject([{}, {}])
  })

  test('after the sign-in, a person gets the page that they opened first', async () => {
    const { page, owner } = await join('grace@acme.example', 'admin')
    await page.getByLabel('Your name').fill('Grace')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/o\//)
    const other = await browser.open(`/o/${owner.orgId}/settings/organization`, null)
    await other.page.waitForURL(/sign-in/)
    await other.page.getByLabel('E-mail').fill('grace@acme.example')
    await other.page.getByLabel('Password', { exact: true }).fill('not the password')
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('alert').waitFor()
    expect(await other.page.getByLabel('E-mail').inputValue()).toBe('grace@acme.example')
    await other.page.getByLabel('Password', { exact: true }).fill(password)
    await expect
      .poll(() => other.page.getByRole('button', { name: 'Sign in', exact: true }).isEnabled(), {
        timeout: 30_000,
      })
      .toBe(true)
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/settings\/organization/)
  })

  test('a link to the sign-in never leads to another site', async () => {
    const { page } = await join('eve@acme.example', 'viewer')
    await page.getByLabel('Your name').fill('Eve')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/o\//)
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/o/../../docs']) {
      await page.goto(`/console/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('E-mail').fill('eve@acme.example')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname.startsWith('/console/o/'))
      expect(page.url()).toMatch(new RegExp(`^${browser.app.address}/console/o/[\\w-]+$`))
    }
  })

  test('after a session was revoked, the page asks for the sign-in, keeps the typed text, and saves it', async () => {
    const { page, owner } = await join('lin@acme.example', 'admin')
    await page.getByLabel('Your name').fill('Lin')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/o\//)
    await page.goto(`/console/o/${owner.orgId}/settings/organization`)
    await page.getByLabel('Name').fill('Lantern Row and Sons')
    await browser.app.operate((tx) => tx.run({ text: 'delete from session', values: [] }))
    await browser.app.app.context.forgetMember(await memberIdOf('lin@acme.example'))
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You were signed out').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('The organization was saved').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Lantern Row and Sons')
  })

  const memberIdOf = (email: string) =>
    browser.app.operate(async (tx) => {
      const found = await tx.first<{ member_id: string }>({
        text: 'select member_id from member where email = $1',
        values: [email],
      })
      return found?.member_id ?? ''
    })

  test('a member of an agency switches to a client, and loses access when the link is cut', async () => {
    const { agency, client } = await linkedByInvitation(browser.app)
    const member = await newMember(browser.app, agency.orgId)
    const { page } = await browser.open('/o/ORG', member)
    await page.getByRole('button', { name: /Search or act/ }).click()
    await page.getByRole('option', { name: 'Northwind' }).waitFor()
    await page.keyboard.type('northw')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(client.orgId))
    await client.delete(`/organization/agencies/${agency.orgId}`)
    // The page needs no click: it reads by itself that the person has no access.
    await page.getByRole('heading', { name: 'You have no access to this organization' }).waitFor()
    await page.goto(`/console/o/${agency.orgId}/events`)
    await page.getByRole('table', { name: 'Events' }).waitFor()
  })

  test('test mode is in the URL, and the page shows stripes', async () => {
    const org = await browser.app.newOrg()
    const member = await newMember(browser.app, org.orgId)
    const { page } = await browser.open('/o/ORG/events', member)
    await page.getByRole('switch', { name: 'Test mode' }).click()
    await page.waitForURL(/mode=test/)
    await page.getByRole('note').getByText('Test mode:').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    expect(page.url()).toContain('mode=test')
  })
})
