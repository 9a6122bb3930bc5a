import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { chromiumOrSkip } from '../support/chromium-or-skip.ts'
import { ConsoleBrowser, comeBack, inNewBrowser } from '../support/console.ts'
import { requireNoFaults, requireNoFaultsInTwoThemes } from '../support/console-faults.ts'
import { invite } from '../support/invitations.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { OidcProvider } from '../support/oidc-provider.ts'

const chromium = chromiumOrSkip()

describe.runIf(chromium)('single sign-on', () => {
  let browser: ConsoleBrowser
  let provider: OidcProvider
  let owner: SignedIn
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(chromium ?? '', { outboundAllowPrivate: true })
    provider = await new OidcProvider().start()
    provider.person = {
      ...{ sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' },
    }
    owner = await newMember(browser.app, (await browser.app.newOrg({ name: 'Acme' })).orgId)
  })
  afterEach(() => browser.closeAll())
  afterAll(async () => {
    await browser.close()
    await provider.stop()
  })

  test('an owner sets up single sign-on, a new person signs in and confirms with it, and then it can be required', async () => {
    const settings = await browser.open('/o/ORG/settings/security', owner)
    const { page } = settings
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.getByLabel('Issuer').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client id').fill(provider.clientId)
    await page.getByLabel('Client secret').fill(provider.clientSecret)
    await page.getByLabel('Domains of the e-mail addresses').fill('acme.example, acme.test')
    await page.getByLabel('People of these domains who are not members').selectOption('admin')
    expect(await page.getByRole('checkbox', { name: 'Required' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Single sign-on was saved').waitFor()
    await requireNoFaultsInTwoThemes(settings)

    const newcomer = await browser.open('/sign-in', null)
    await newcomer.page.goto(`${browser.app.address}/console/sign-in#sso=${owner.orgId}`)
    await newcomer.page.reload()
    await newcomer.page.getByRole('link', { name: 'Sign in with your company account' }).click()
    await newcomer.page.waitForURL(/\/o\//)
    await newcomer.page.getByRole('link', { name: 'Settings' }).click()
    await newcomer.page.getByRole('link', { name: 'Members' }).click()
    await newcomer.page.getByRole('button', { name: 'Invite' }).click()
    await newcomer.page.keyboard.type('grace@acme.example')
    await newcomer.page.keyboard.press('Enter')
    const confirm = newcomer.page.getByRole('button', { name: 'Confirm with your company account' })
    await confirm.waitFor()
    await requireNoFaults(newcomer)
    await confirm.click()
    await newcomer.page.getByText('Copy the link now').waitFor()

    await page.reload()
    await page.getByText('in use').waitFor()
    await page.getByRole('checkbox', { name: 'Required' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Single sign-on was saved').waitFor()
  })

  test('typed settings stay when another owner changes single sign-on, and both changes are stored', async () => {
    const { issuer, clientId, clientSecret } = provider
    const connection = {
      ...{ issuer, client_id: clientId, client_secret: clientSecret, domains: ['acme.example'] },
      ...{ newcomer_role: null, is_required: true },
    }
    const put = (body: object) => owner.send('PUT', '/sso', { body })
    expect((await put(connection)).status).toBe(200)
    const { page } = await browser.open('/o/ORG/settings/security', owner)
    const domains = page.getByLabel('Domains of the e-mail addresses')
    await domains.fill('acme.example, acme.test')
    expect((await put({ ...connection, newcomer_role: 'viewer' })).status).toBe(200)
    await comeBack(page, '/sso')
    expect(await domains.inputValue()).toBe('acme.example, acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed the role of new people').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Single sign-on was saved').waitFor()
    expect((await owner.get('/sso')).body.data.connection).toMatchObject({
      ...{ domains: ['acme.example', 'acme.test'], newcomer_role: 'viewer' },
    })
  })

  test('a person whose organization requires single sign-on is offered the provider in place of the organization', async () => {
    const member = await newMember(browser.app, owner.orgId ?? '', 'member')
    await browser.app.operate((tx) =>
      tx.run(
        sql`update member set email = 'kim@acme.example', email_key = 'kim@acme.example' where member_id = ${member.memberId}`,
      ),
    )
    browser.app.app.context.forgetMember(member.memberId)
    const opened = await browser.open('/o/ORG', member)
    await opened.page.getByText('Acme requires single sign-on').waitFor()
    const link = opened.page.getByRole('link', { name: 'Sign in with the account of Acme' })
    expect(await link.getAttribute('href')).toContain(`org_id=${owner.orgId}`)
    await requireNoFaultsInTwoThemes(opened)
  })

  test('an owner who requires single sign-on while signed in without it is warned, and is then asked to sign in with it', async () => {
    const { connection } = (await owner.get('/sso')).body.data
    const { issuer, client_id, domains, newcomer_role } = connection
    const unrequired = { issuer, client_id, domains, newcomer_role, is_required: false }
    expect((await owner.send('PUT', '/sso', { body: unrequired })).status).toBe(200)
    const other = await newMember(browser.app, owner.orgId ?? '')
    await browser.app.operate((tx) =>
      tx.run(
        sql`update member set email = 'joan@acme.example', email_key = 'joan@acme.example' where member_id = ${other.memberId}`,
      ),
    )
    browser.app.app.context.forgetMember(other.memberId)
    const opened = await browser.open('/o/ORG/settings/security', other)
    const { page } = opened
    await page.getByRole('checkbox', { name: 'Required' }).check()
    await page.getByText('You are signed in without it.').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Single sign-on was saved').waitFor()
    await page.getByText('Acme requires single sign-on').waitFor()
    await requireNoFaults(opened)
  })

  test('a person whose only organization requires single sign-on is offered the provider on every page, also of a client', async () => {
    const agency = await browser.app.newAgency('Bright')
    const { body } = await agency.post('/agency/clients', { name: 'Northwind' })
    const member = await newMember(browser.app, agency.orgId, 'member')
    await browser.app.operate(async (tx) => {
      await tx.run(sql`
        update member set email = 'jo@acme.example', email_key = 'jo@acme.example' where member_id = ${member.memberId}`)
      await tx.run(sql`
        insert into sso (org_id, issuer, client_id, domains, is_required, updated_at)
        values (${agency.orgId}, ${provider.issuer}, ${provider.clientId}, '{acme.example}', true, now())`)
    })
    browser.app.app.context.forgetMember(member.memberId)
    for (const [path, title] of [
      ['/', 'Bright requires single sign-on'],
      [`/o/${body.data.org_id}`, 'You have no access to this organization'],
    ] as const) {
      const opened = await browser.open(path, member)
      await opened.page.getByRole('heading', { name: title }).waitFor()
      const link = opened.page.getByRole('link', { name: 'Sign in with the account of Bright' })
      expect(await link.getAttribute('href')).toContain(`org_id=${agency.orgId}`)
      await requireNoFaultsInTwoThemes(opened)
    }
  })

  const password = 'seven green bicycles'

  /** An owner of the organization that requires single sign-on, with a password. The provider knows this person. */
  async function newPerson(sub: string): Promise<string> {
    const email = `${sub}@acme.example`
    const invited = await newMember(browser.app, owner.orgId ?? '')
    await browser.app.operate((tx) =>
      tx.run(sql`
        update member set email = ${email}, email_key = ${email}, password = null
        where member_id = ${invited.memberId}`),
    )
    browser.app.app.context.forgetMember(invited.memberId)
    const set = await invited.post('/session/password', { new_password: password })
    expect(set.status, set.text).toBe(200)
    provider.person = { sub, email, email_verified: true, name: 'Lin Park' }
    return email
  }

  /** Opens the page of an invitation, and signs in with the password, and then with single sign-on. */
  async function openWithSignOn(token: string, email: string) {
    const opened = await browser.open(`/invite#${token}`, null, inNewBrowser)
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Sign in with the account of Acme' }).click()
    return { opened, asked }
  }

  test('after a single sign-on, the link of an invitation continues, and its token is in no address', async () => {
    const agency = await browser.app.newOrg({ name: 'Agency', isAgency: true, key: { isAgency: true } })
    const { token } = await invite(agency)
    const { opened, asked } = await openWithSignOn(token, await newPerson('lin'))
    await opened.page.getByText('Organization: Acme').waitFor()
    expect(asked.filter((address) => address.includes(token))).toEqual([])
  })

  test('after a single sign-on, a person joins another organization with the password of the account', async () => {
    const email = await newPerson('max')
    const other = await newMember(browser.app, (await browser.app.newOrg({ name: 'Beta' })).orgId)
    const { url } = (await other.post('/members/invites', { email, role: 'member' })).body.data
    const { opened } = await openWithSignOn(url.slice(url.indexOf('#') + 1), email)
    const { page } = opened
    await page.getByText('Your single sign-on counts only for the organization').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.waitForURL(new RegExp(`/o/${other.orgId}`))
  })

  test('after a single sign-on, a person without a password reads where to add one before joining another organization', async () => {
    const email = 'zoe@acme.example'
    provider.person = { sub: 'zoe', email, email_verified: true, name: 'Zoe Park' }
    const opened = await browser.open('/sign-in', null)
    const { page } = opened
    await page.goto(`${browser.app.address}/console/sign-in#sso=${owner.orgId}`)
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with your company account' }).click()
    await page.waitForURL(/\/o\//)
    const other = await newMember(browser.app, (await browser.app.newOrg({ name: 'Gamma' })).orgId)
    const { url } = (await other.post('/members/invites', { email, role: 'member' })).body.data
    await page.goto(`${browser.app.address}/console/invite${url.slice(url.indexOf('#'))}`)
    await page.getByText('your account has no password').waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    await requireNoFaultsInTwoThemes(opened)
    await page.getByRole('link', { name: 'Settings, Security' }).click()
    await page.getByRole('button', { name: 'Add a password' }).waitFor()
  })

  test('a person who is invited to an organization that requires single sign-on joins with it, without a password', async () => {
    const { issuer, clientId, clientSecret } = provider
    const org = await newMember(browser.app, (await browser.app.newOrg({ name: 'Birch' })).orgId)
    const connection = {
      ...{ issuer, client_id: clientId, client_secret: clientSecret, domains: ['acme.example'] },
      ...{ newcomer_role: null, is_required: false },
    }
    expect((await org.send('PUT', '/sso', { body: connection })).status).toBe(200)
    await browser.app.operate((tx) =>
      tx.run(sql`update sso set is_required = true where org_id = ${org.orgId}`),
    )
    const email = 'invited@acme.example'
    const { url } = (await org.post('/members/invites', { email, role: 'viewer' })).body.data
    provider.person = { ...provider.person, sub: 'invited', email }
    const opened = await browser.open(`/invite${url.slice(url.indexOf('#'))}`, null)
    await opened.page.getByText('The organization requires single sign-on for this address.').waitFor()
    await requireNoFaultsInTwoThemes(opened)
    await opened.page.getByRole('link', { name: 'Sign in with the account of Birch' }).click()
    await opened.page.waitForURL(new RegExp(`/o/${org.orgId}`))
  })

  test('after single sign-on was removed, a person who joined with an existing account reads how to reach the organization again', async () => {
    const { issuer, clientId, clientSecret } = provider
    const org = await newMember(browser.app, (await browser.app.newOrg({ name: 'Cedar' })).orgId)
    const connection = {
      ...{ issuer, client_id: clientId, client_secret: clientSecret, domains: ['acme.example'] },
      ...{ newcomer_role: 'member', is_required: false },
    }
    expect((await org.send('PUT', '/sso', { body: connection })).status).toBe(200)
    const person = await newMember(browser.app, (await browser.app.newOrg({ name: 'Elm' })).orgId)
    await browser.app.operate((tx) =>
      tx.run(sql`
        insert into membership (org_id, member_id, role, sso_only, created_at)
        values (${org.orgId}, ${person.memberId}, 'member', true, now())`),
    )
    browser.app.app.context.forgetMember(person.memberId)
    const { page } = await browser.open('/o/ORG/settings/security', org)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('People who joined with single sign-on, but had an account before').waitFor()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Single sign-on was removed').waitFor()
    const opened = await browser.open(`/o/${org.orgId}`, person)
    await opened.page.getByRole('link', { name: 'Sign in with the account of Cedar' }).click()
    await opened.page.getByText('ask an owner or admin to remove you and to invite you again').waitFor()
    await requireNoFaults(opened)
  })

  test.each([
    ['sso_not_invited', 'You are not a member of this organization yet'],
    ['sso_expired', 'This sign-in took too long'],
    ['sso_client_refused', 'does not accept the client id or the client secret'],
    ['from_another_version', 'The single sign-on failed'],
  ])('the sign-in page explains the error %s in a sentence, and offers another try', async (code, words) => {
    const opened = await browser.open(`/sign-in#sso_error=${code}&sso=${owner.orgId}`, null)
    await opened.page.getByText(words).waitFor()
    await opened.page.getByRole('link', { name: 'Sign in with your company account' }).waitFor()
    await requireNoFaults(opened)
  })
})
