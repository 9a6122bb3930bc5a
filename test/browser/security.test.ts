import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, type Opened } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { openWithDevice } from '../support/console-passkeys.ts'
import { newMember, type SignedIn } from '../support/members.ts'

const chromium = chromiumOrSkip()
const password = 'nine purple umbrellas'

describe.runIf(chromium)('signing in, and its settings', () => {
  let browser: ConsoleBrowser
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '')
    owner = await newMember(browser.app, (await browser.app.newOrg({ name: 'Lantern Row' })).orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(() => browser.close())

  const tokenOf = (answer: { body: { data: { url: string } } }) => answer.body.data.url.split('#')[1]

  async function toSecurity({ page }: Opened): Promise<void> {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByText('this browser').waitFor()
  }

  async function signOut({ page }: Opened): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  /** Opens the settings in a browser in which a member used a recovery link. */
  async function recover({ memberId }: SignedIn): Promise<Opened> {
    const offered = await owner.post('/members/recovery-links', { member_id: memberId })
    const opened = await browser.open(`/recovery#${tokenOf(offered)}`, null)
    await opened.page.getByLabel('New password').fill(password)
    await opened.page.keyboard.press('Enter')
    await toSecurity(opened)
    return opened
  }

  /** Ends the 10 minutes in which the session counts as confirmed. */
  async function outlast(email: string): Promise<void> {
    const member = await browser.app.operate((tx) =>
      tx.first(sql<{ member_id: string }>`
        update session s set confirmed_at = null from member m
        where m.member_id = s.member_id and m.email = ${email} returning s.member_id`),
    )
    browser.app.app.context.forgetMember(member?.member_id ?? '')
  }

  test('a person joins with a passkey, signs in with it by keyboard, and confirms with it', async () => {
    const email = 'nina@lantern.example'
    const invited = await owner.post('/members/invites', { email, role: 'admin' })
    const opened = await openWithDevice(browser, `/invite#${tokenOf(invited)}`, null)
    const { page } = opened
    await page.getByLabel('Your name').fill('Nina Park')
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    await toSecurity(opened)
    await page.getByText('You have no password').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await signOut(opened)
    const focused = page.getByRole('button', { name: 'Continue with a passkey' })
    await expect.poll(() => focused.evaluate((button) => button === document.activeElement)).toBe(true)
    await requireNoFaults(opened)
    await page.keyboard.press('Enter')
    await toSecurity(opened)
    await outlast(email)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('button', { name: 'Confirm with a passkey' }).waitFor()
    expect(await page.locator('dialog input').count()).toBe(0)
    await requireNoFaults(opened)
    await page.keyboard.press('Enter')
    await page.getByText('Set up an authenticator app').waitFor()
  })

  test('a passkey that the person chooses in the autofill of the e-mail field signs them in', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '')
    const { page } = await openWithDevice(browser, '/o/ORG/settings/security', member, true)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('rowheader', { name: 'Chrome on Linux' }).first().waitFor()
    const used = page.waitForResponse((response) => response.url().endsWith('/session/passkey'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect((await used).status()).toBe(200)
    await page.waitForURL(/\/o\//)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  test('an unknown passkey in the autofill is refused with an error text, and the page stays open', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '')
    const { page } = await openWithDevice(browser, '/o/ORG/settings/security', member, true)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('rowheader', { name: 'Chrome on Linux' }).first().waitFor()
    await browser.app.operate((tx) => tx.run(sql`delete from passkey where member_id = ${member.memberId}`))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username webauthn')
  })

  test('after an authenticator app is added, a sign-in with the password asks for a code, and recovery codes are shown once', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '')
    const opened = await recover(member)
    const { page } = opened
    await page.getByRole('button', { name: 'Set up' }).click()
    const secret = (await page.locator('dialog code').textContent()) ?? ''
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('12')
    await page.keyboard.press('Enter')
    await page.getByText('Type the six digits that the app shows.').waitFor()
    await code.fill('000000')
    await page.keyboard.press('Enter')
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
    await requireNoFaultsInTwoThemes(opened)
    await code.fill(new TOTP({ secret: secret.replaceAll(' ', '') }).generate())
    await page.keyboard.press('Enter')
    await page.getByText('Store the recovery codes now').waitFor()
    const codes = await page.getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    await requireNoFaultsInTwoThemes(opened)
    await page.keyboard.press('Escape')
    await page.getByText('Store the codes first').waitFor()
    await page.getByLabel('I have stored them').check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(await page.content()).not.toContain(codes[0])
    await signOut(opened)
    await page.getByLabel('E-mail').fill(member.email)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await code.fill('12')
    await page.keyboard.press('Enter')
    await page.getByText('Type the six digits that the app shows, or a recovery code.').waitFor()
    await code.fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/o\//)
    await toSecurity(opened)
    await page.getByText('9 recovery codes are left').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await outlast(member.email)
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByText('Your earlier codes stop working').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('button', { name: 'Make new codes' }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill('not the right one')
    await page.keyboard.press('Enter')
    await page.getByText('The password is wrong').waitFor()
    await requireNoFaults(opened)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Your earlier codes no longer work').waitFor()
    const renewed = await page.getByRole('listitem').allTextContents()
    expect(renewed.filter((each) => !codes.includes(each))).toHaveLength(10)
    await page.getByLabel('I have stored them').check()
    await page.keyboard.press('Escape')
    await page.getByText('10 recovery codes are left').waitFor()
  })

  test('a passkey is added, renamed and deleted; a second one for the same device is refused with an error text', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '')
    const opened = await openWithDevice(browser, '/o/ORG/settings/security', member)
    const { page } = opened
    const add = async () => {
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await add()
    await page.getByRole('rowheader', { name: 'Chrome on Linux' }).first().waitFor()
    await add()
    await page.getByText('This device already has a passkey').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Chrome on Linux' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Work laptop' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Work laptop' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('You have no passkey').waitFor()
    await requireNoFaults(opened)
  })

  test('ending a session signs that browser out', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '')
    const recovery = await recover(member)
    const second = await browser.open('/sign-in', null)
    await second.page.getByLabel('E-mail').fill(member.email)
    await second.page.getByLabel('Password').fill(password)
    await second.page.keyboard.press('Enter')
    await toSecurity(second)
    await second.page.getByRole('button', { name: 'End the session' }).click()
    await second.page.getByRole('button', { name: 'End session' }).click()
    await second.page.getByText('The session ended').waitFor()
    await recovery.page.reload()
    await recovery.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('at an IP address, the sign-in page offers its address at localhost', async () => {
    const opened = await browser.open('/sign-in', null)
    const link = opened.page.getByRole('link', { name: 'this page at localhost' })
    const address = `${browser.app.address.replace('127.0.0.1', 'localhost')}/console/sign-in`
    await expect.poll(() => link.getAttribute('href')).toBe(address)
    expect(await opened.page.getByRole('button', { name: 'Continue with a passkey' }).count()).toBe(0)
    await requireNoFaultsInTwoThemes(opened)
  })
})
