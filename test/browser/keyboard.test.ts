import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSetUpLink } from '../../src/members/set-up.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults } from '../support/console-faults.ts'
import { Keyboard } from '../support/console-keyboard.ts'
import { openWithDevice } from '../support/console-passkeys.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { Browser, newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()
const password = 'seven green bicycles'

describe.runIf(chromium)('without a pointer', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const newKey = (page: Page) => page.getByRole('button', { name: 'New key' })

  // This test comes first, because it needs an installation without an owner.
  test('the set-up link makes the first owner with a passkey, and then no longer works', async () => {
    const offered = await browser.app.operate(createSetUpLink)
    const path = `/set-up#${offered?.token}`
    const opened = await openWithDevice(browser, path, null)
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await page.getByRole('heading', { name: 'Set up Crosswalk' }).waitFor()
    await requireNoFaults(opened)
    await keyboard.requireFocus(page.getByLabel('Your name'))
    await page.keyboard.type('Ada Lovelace')
    await keyboard.fill(page.getByLabel('E-mail'), 'ada@lantern.example')
    await keyboard.press(button(page, 'Continue with a passkey'))
    await page.getByText('Name your organization').waitFor()
    await keyboard.fill(page.getByLabel('Organization'), 'Lantern Row')
    await keyboard.press(button(page, 'Continue with a passkey'))
    await page.waitForURL(/\/console\/o\//)
    await page.getByText('Ada Lovelace').first().waitFor()
    await page.getByText('owner', { exact: true }).waitFor()
    expect(await browser.app.operate(createSetUpLink)).toBeNull()
    for (const used of [path, `/set-up#${'A'.repeat(27)}`]) {
      const again = await browser.open(used, null)
      await again.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
      expect(await again.page.getByText('It was used, revoked or replaced').count()).toBe(1)
    }
  })

  test('a person skips the navigation, and leaves the search for the list with Escape or Enter', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    await org.post('/contacts', { first_name: 'Ada', last_name: 'Klein' })
    const opened = await browser.open('/o/ORG/people', await newMember(browser.app, org.orgId))
    const { page } = opened
    const keyboard = new Keyboard(opened)
    const list = page.getByRole('grid', { name: 'People' })
    await list.waitFor()
    await keyboard.press(button(page, 'Skip to the page'))
    await keyboard.requireFocus(page.getByRole('main'))
    await page.keyboard.press('Tab')
    await keyboard.requireFocus(page.getByRole('main').getByRole('button').first())
    for (const key of ['Escape', 'Enter']) {
      await page.keyboard.press('/')
      await keyboard.requireFocus(page.getByRole('searchbox', { name: 'Search' }))
      await page.keyboard.press(key)
      await keyboard.requireFocus(list)
    }
    await requireNoFaults(opened)
  })

  test('Tab leads past the other proposals to the values, and arrows open another proposal', async () => {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const pairs = ['Ada', 'Grace', 'Rohan'].map((name) => ({
      first_name: name,
      email: `${name}@harbor.example`,
    }))
    const ids = await createRecords(
      org,
      'contact',
      ...pairs,
      ...pairs.map((one) => ({ ...one, city: 'Leeds' })),
    )
    await findAmong(browser.app, org, 'contact', ids)
    const opened = await browser.open('/o/ORG/duplicates', await newMember(browser.app, org.orgId))
    const { page } = opened
    const keyboard = new Keyboard(opened)
    const proposals = page.getByRole('navigation', { name: 'Proposals' }).getByRole('button')
    await page.getByRole('radio', { name: /^City: keep/ }).waitFor()
    await keyboard.reach(proposals.first())
    for (const [key, index] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
    ] as const) {
      await page.keyboard.press(key)
      await keyboard.requireFocus(proposals.nth(index))
      expect(await proposals.nth(index).getAttribute('aria-current')).toBe('true')
    }
    await page.keyboard.press('Tab')
    await keyboard.requireFocus(button(page, 'Previous'))
    await requireNoFaults(opened)
  })

  async function openKeys(): Promise<[Opened, SignedIn]> {
    const org = await browser.app.newOrg({ name: 'Lantern Row' })
    const owner = await newMember(browser.app, org.orgId)
    const opened = await browser.open('/o/ORG/settings/api', owner)
    await newKey(opened.page).waitFor()
    return [opened, owner]
  }

  /** Copies the secret in the open dialog, closes the dialog, and returns the secret. */
  async function store(opened: Opened, keyboard: Keyboard): Promise<string> {
    const { page } = opened
    await page.getByText('Copy the token now').waitFor()
    const token = (await page.locator('dialog code').textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.getByText('Copy the token first').waitFor()
    await keyboard.tick(page.getByLabel('I have stored it'))
    await keyboard.press(button(page, 'Close'))
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    return token
  }

  test('an API key with an invalid expiry is corrected and created, and the focus returns', async () => {
    const [opened] = await openKeys()
    const { page } = opened
    const keyboard = new Keyboard(opened)
    await keyboard.press(newKey(page))
    await keyboard.requireFocus(page.getByLabel('Name'))
    await page.keyboard.type('Dialer')
    await keyboard.choose(page.getByLabel('Other', { exact: true }), {
      from: page.getByLabel('90 days', { exact: true }),
    })
    const days = page.getByLabel('Days, from 1 to 365')
    await keyboard.fill(days, '366')
    await page.keyboard.press('Enter')
    await expect.poll(() => days.getAttribute('aria-invalid')).toBe('true')
    await keyboard.fill(days, '90')
    await keyboard.press(button(page, 'Create key'))
    const token = await store(opened, keyboard)
    expect((await browser.app.client(token).get('/organization')).status).toBe(200)
    expect(await page.content()).not.toContain(token)
    await page.getByRole('rowheader', { name: 'Dialer' }).waitFor()
    await keyboard.requireFocus(newKey(page))
  })

  test('an API key is rotated with a grace period of 1 hour, and only the newer key can be rotated again', async () => {
    const [opened, owner] = await openKeys()
    const { page } = opened
    const keyboard = new Keyboard(opened)
    const made = await owner.post('/api-keys', { name: 'Nightly export' })
    await page.reload()
    const rotate = page.getByRole('button', { name: 'Rotate Nightly export' })
    await keyboard.press(rotate)
    await keyboard.choose(page.getByLabel('1 hour', { exact: true }), {
      from: page.locator('dialog input[type=radio]:checked'),
    })
    await keyboard.press(button(page, 'Rotate'))
    const token = await store(opened, keyboard)
    for (const working of [made.body.api_key_token, token])
      expect((await browser.app.client(working).get('/organization')).status).toBe(200)
    await page.getByText('in 1 hr.').waitFor()
    await page.getByText('replaced by a newer key').waitFor()
    expect(await rotate.count()).toBe(1)
  })

  describe('after the session was revoked while a person types', () => {
    let person: SignedIn
    let keyboard: Keyboard
    let opened: Opened
    const emailOf = (name: string) => `${name}-${person.memberId}@lantern.example`

    /** Creates a member with a password who is not signed in. */
    async function withPassword(orgId: string, email: string): Promise<void> {
      const owner = await newMember(browser.app, orgId)
      const { body } = await owner.post('/members/invites', { email, role: 'admin' })
      const token = body.data.url.split('#')[1]
      const used = await new Browser(browser.app.address, null).post('/links/use', {
        token,
        name: 'Lin',
        password,
      })
      expect(used.status).toBe(200)
    }

    /** Types into the settings, ends the session, and saves. The page then asks to sign in. */
    async function loseSession(): Promise<Page> {
      const { orgId } = await browser.app.newOrg({ name: 'Lantern Row' })
      person = await newMember(browser.app, orgId, 'admin')
      for (const name of ['lin', 'mae']) await withPassword(orgId, emailOf(name))
      opened = await browser.open(`/sign-in?next=/o/${orgId}/settings/organization`, null)
      keyboard = new Keyboard(opened)
      const { page } = opened
      await keyboard.requireFocus(page.getByLabel('E-mail'))
      await page.keyboard.type(emailOf('lin'))
      await keyboard.fill(page.getByLabel('Password', { exact: true }), password)
      await page.keyboard.press('Enter')
      await page.waitForURL(/settings\/organization/)
      await keyboard.fill(page.getByLabel('Name'), 'Lantern Row and Sons')
      const lin = await memberOf('lin')
      await browser.app.operate((tx) =>
        tx.run({ text: 'delete from session where member_id = $1', values: [lin] }),
      )
      browser.app.app.context.forgetMember(lin)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText('You were signed out').waitFor()
      return page
    }

    async function memberOf(name: string): Promise<string> {
      const found = await browser.app.operate((tx) =>
        tx.first<{ member_id: string }>({
          text: 'select member_id from member where email = $1',
          values: [emailOf(name)],
        }),
      )
      return found?.member_id ?? ''
    }

    test('a person whose session ended signs in above the page, and the typed text is saved', async () => {
      const page = await loseSession()
      await keyboard.requireFocus(page.getByRole('dialog').getByLabel('Password', { exact: true }))
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await page.getByText('The organization was saved').waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('Lantern Row and Sons')
      await keyboard.requireFocus(page.getByLabel('Name'))
      await requireNoFaults(opened)
    })

    test('a person who has become a viewer meanwhile reads that they may not save', async () => {
      const page = await loseSession()
      const owner = await newMember(browser.app, person.orgId ?? '')
      const changed = await owner.patch(`/members/${await memberOf('lin')}`, { role: 'viewer' })
      expect(changed.status).toBe(200)
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => button(page, 'Save').count()).toBe(0)
      expect((await owner.get('/organization')).body.data.acting_on.name).toBe('Lantern Row')
    })

    test('another person who signs in gets a new page without the text of the first person', async () => {
      const page = await loseSession()
      await keyboard.fill(page.getByRole('dialog').getByLabel('E-mail'), emailOf('mae'))
      await keyboard.fill(page.getByRole('dialog').getByLabel('Password', { exact: true }), password)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Lantern Row')
    })
  })

  test('when the link to a client is cut, the tab of the client shows this, and the tab of the agency works', async () => {
    const { agency, client } = await linkedByInvitation(browser.app)
    const member = await newMember(browser.app, agency.orgId)
    const tabs = [await browser.open('/o/ORG', member), await browser.open('/o/ORG', member)] as const
    const [{ page: first }, { page: second }] = tabs
    const keyboard = new Keyboard(tabs[1])
    await button(second, 'Sign out').waitFor()
    await second.keyboard.press('Control+K')
    await keyboard.requireFocus(second.getByRole('searchbox', { name: 'Search' }))
    await second.keyboard.type('northw')
    await second.getByRole('option', { name: 'Northwind' }).waitFor()
    await second.keyboard.press('Enter')
    await second.waitForURL(new RegExp(client.orgId))
    await client.delete(`/organization/agencies/${agency.orgId}`)
    await second.getByRole('heading', { name: 'You have no access to this organization' }).waitFor()
    await new Keyboard(tabs[0]).press(first.getByRole('link', { name: 'Events', exact: true }))
    await first.getByRole('table', { name: 'Events' }).waitFor()
  })
})
