import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { type Misbehavior, OidcProvider } from '../support/oidc-provider.ts'
import { signOnAt } from '../support/single-sign-on.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { newBrowser, newSsoOrg, newPerson, goTo, comeBack, signOn } = signOnAt(app, provider)
const failed = (fault: string) => `/console/sign-in#sso_error=${fault}`

describe('single sign-on', () => {
  test('single sign-on signs a new person in with the default role, and finds the same person later', async () => {
    const { orgId } = await newSsoOrg()
    const person = newPerson()
    const more = `&return_to=${encodeURIComponent('/console/o/1/contacts?q=a#top')}`
    const { browser, to } = await signOn(orgId, person, { more })
    expect(to).toBe('/console/o/1/contacts?q=a#top')
    const session = (await browser.get('/session')).body.data
    expect(session).toMatchObject({
      member: { email: person.email, name: 'Ada Lovelace', has_password: false, passkeys: 0 },
      memberships: [{ org_id: orgId, role: 'member', via: 'member' }],
      ...{ sso_org_id: orgId, sso_required: [], confirmed_until: null, second_factor: [] },
    })
    const again = await signOn(orgId, { ...person, email: 'new-name@acme.example' })
    expect(again.to).toBe('/console')
    const { member } = (await again.browser.get('/session')).body.data
    expect(member.member_id).toBe(session.member.member_id)
  })

  test('a person who accepts an invitation with single sign-on gets its record access', async () => {
    const owner = await newSsoOrg()
    const person = newPerson()
    const invitation = { email: person.email, role: 'member', record_access: 'own' }
    expect((await owner.post('/members/invites', invitation)).status).toBe(201)
    const { browser } = await signOn(owner.orgId, person)
    expect((await browser.get('/session')).body.data.memberships).toMatchObject([{ record_access: 'own' }])
  })

  test('single sign-on gives an invited person the role of the invitation, and refuses others if there is no default role', async () => {
    const owner = await newSsoOrg({ newcomer_role: null })
    const person = newPerson()
    expect((await signOn(owner.orgId, person)).to).toBe(failed('sso_not_invited'))
    await owner.post('/members/invites', { email: person.email, role: 'viewer' })
    const { browser } = await signOn(owner.orgId, person)
    expect((await browser.get('/session')).body.data.memberships).toMatchObject([{ role: 'viewer' }])
    expect((await owner.get('/members/links')).body.data).toEqual([])
    const { member_id: id } = (await browser.get('/session')).body.data.member
    expect((await owner.delete(`/members/${id}`)).status).toBe(204)
    expect((await signOn(owner.orgId, person)).to).toBe(failed('sso_not_invited'))
  })

  test.each<[string, Record<string, unknown>]>([
    ['a NUL', { sub: 'a\0b' }],
    ['300 characters', { sub: 'x'.repeat(300) }],
    ['so many characters that no index holds it', { sub: randomBytes(6_000).toString('hex') }],
  ])('single sign-on refuses an answer whose subject has %s', async (_name, more) => {
    const { orgId } = await newSsoOrg()
    const { browser, to } = await signOn(orgId, newPerson(more))
    expect([to, browser.cookie]).toEqual([failed('sso_invalid'), null])
  })

  test('a name from the provider with a NUL, line breaks and invisible characters is stored without them', async () => {
    const { orgId } = await newSsoOrg()
    const { browser } = await signOn(orgId, newPerson({ name: 'Ada\0\u202E\nLovelace ' }))
    expect((await browser.get('/session')).body.data.member.name).toBe('Ada Lovelace')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an unverified e-mail address', { email_verified: false }, 'sso_email_unverified'],
    ['an e-mail address whose email_verified is a text', { email_verified: 'true' }, 'sso_email_unverified'],
    ['no email_verified', { email_verified: undefined }, 'sso_email_unverified'],
    ['no e-mail address', { email: undefined }, 'sso_email_unverified'],
    ['another domain', { email: 'eve@evil.example' }, 'sso_domain_not_allowed'],
    ['a subdomain', { email: 'eve@sub.acme.example' }, 'sso_domain_not_allowed'],
    ['a domain in the local part', { email: '"a@acme.example"@evil.example' }, 'sso_domain_not_allowed'],
    ['a longer domain', { email: 'eve@acme.example.evil.example' }, 'sso_domain_not_allowed'],
  ])('single sign-on refuses a person with %s', async (_name, more, fault) => {
    const { orgId } = await newSsoOrg()
    const { browser, to } = await signOn(orgId, newPerson(more))
    expect([to, browser.cookie]).toEqual([failed(fault), null])
  })

  test.each<[string, Misbehavior, string]>([
    ['of another issuer', { iss: 'https://evil.example' }, 'sso_invalid'],
    ['without the issuer that the provider announces', { iss: null }, 'sso_invalid'],
    ['with an error', { error: 'access_denied' }, 'sso_refused'],
    ['with a token of another issuer', { token: { iss: 'https://evil.example' } }, 'sso_invalid'],
    ['with a token for another client', { token: { aud: 'another' } }, 'sso_invalid'],
    ['with a token of another sign-in', { token: { nonce: 'replayed' } }, 'sso_invalid'],
    ['with a token without a nonce', { token: { nonce: undefined } }, 'sso_invalid'],
    ['with an expired token', { token: { exp: 1_000_000_000 } }, 'sso_invalid'],
    ['with a forged token', { forges: true }, 'sso_invalid'],
  ])('single sign-on refuses an answer %s', async (_name, misbehavior, fault) => {
    const { orgId } = await newSsoOrg()
    const { browser, to } = await signOn(orgId, newPerson(), { misbehavior })
    expect([to, browser.cookie]).toEqual([failed(fault), null])
  })

  test('a failed single sign-on says that the provider refused the client secret, and leads to another try', async () => {
    const other = await new OidcProvider().start()
    const at = signOnAt(app, other)
    const { orgId } = await at.newSsoOrg()
    other.clientSecret = 'rotated'
    other.person = at.newPerson()
    const browser = at.newBrowser()
    const { answer } = await at.comeBack(browser, await at.goTo(orgId ?? '', browser))
    expect(answer.headers.get('location')).toBe(`${failed('sso_client_refused')}&sso=${orgId}`)
    await other.stop()
  })

  test('an answer of the provider is accepted once, in its browser, with its state, for its organization, within 10 minutes', async () => {
    const [first, second] = [await newSsoOrg(), await newSsoOrg()]
    provider.person = newPerson()
    const fresh = async () => {
      const browser = newBrowser()
      return { browser, back: await goTo(first.orgId ?? '', browser) }
    }
    const used = await fresh()
    expect((await comeBack(used.browser, used.back)).to).toBe('/console')
    // Repeat it in the browser of the first use, with its cookie.
    expect((await comeBack(used.browser, used.back)).to).toBe(failed('sso_expired'))

    const stolen = await fresh()
    expect((await comeBack(newBrowser(), stolen.back)).to).toBe(failed('sso_expired'))
    const other = await fresh()
    expect((await comeBack(other.browser, stolen.back)).to).toBe(failed('sso_expired'))

    const wrongState = await fresh()
    wrongState.back.searchParams.set('state', 'A'.repeat(43))
    expect((await comeBack(wrongState.browser, wrongState.back)).to).toBe(failed('sso_expired'))

    const wrongOrg = await fresh()
    wrongOrg.back.pathname = wrongOrg.back.pathname.replace(first.orgId ?? '', second.orgId ?? '')
    expect((await comeBack(wrongOrg.browser, wrongOrg.back)).to).toBe(failed('sso_expired'))

    // The code belongs to another sign-in.
    const codes = [await fresh(), await fresh()] as const
    codes[0].back.searchParams.set('code', codes[1].back.searchParams.get('code') ?? '')
    expect((await comeBack(codes[0].browser, codes[0].back)).to).toBe(failed('sso_invalid'))

    const late = await fresh()
    await app.operate((tx) => tx.run(sql`update sso_attempt set expires_at = now()`))
    expect((await comeBack(late.browser, late.back)).to).toBe(failed('sso_expired'))
  })

  test.each([
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '\\\\evil.example',
    '/console/../../evil',
    '/console/api/session',
    '/consolex',
    'javascript:alert(1)',
    '/console\n//evil.example',
  ])('single sign-on redirects only to the console: %s', async (returnTo) => {
    const { orgId } = await newSsoOrg()
    const path = `/sso/start?org_id=${orgId}&return_to=${encodeURIComponent(returnTo)}`
    const { status, headers, body } = await newBrowser().get(path)
    expect([status, headers.get('location'), body.detail[0].loc]).toEqual([422, null, ['query', 'return_to']])
  })

  test('a link of another site leads to the sign-in page, which asks first', async () => {
    const { orgId } = await newSsoOrg()
    for (const site of ['cross-site', 'same-site']) {
      const { status, headers } = await newBrowser().get(`/sso/start?org_id=${orgId}`, {
        headers: { 'sec-fetch-site': site },
      })
      expect([status, headers.get('location')]).toEqual([303, `/console/sign-in#sso=${orgId}`])
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  test('a sign-in for an organization without a provider gets an error', async () => {
    const { orgId } = await app.newOrg()
    const none = await newBrowser().get(`/sso/start?org_id=${orgId}`)
    expect([none.status, none.headers.get('location')]).toEqual([303, failed('sso_not_set_up')])
    const gone = await new OidcProvider().start()
    const owner = await newSsoOrg({ issuer: gone.issuer })
    await gone.stop()
    await app.operate((tx) =>
      tx.run(sql`update sso set client_id = 'not cached' where org_id = ${owner.orgId}`),
    )
    const lost = await newBrowser().get(`/sso/start?org_id=${owner.orgId}`)
    expect(lost.headers.get('location')).toMatch(failed('sso_provider_unreachable'))
  })

  test('an address that the provider gave to another person does not open the account, until the member is removed', async () => {
    const owner = await newSsoOrg()
    const { orgId } = owner
    const person = newPerson()
    const { browser } = await signOn(orgId, person)
    const successor = { ...person, sub: `successor of ${person.sub}` }
    expect((await signOn(orgId, successor)).to).toBe(failed('sso_other_account'))
    const { member_id: id } = (await browser.get('/session')).body.data.member
    expect((await owner.delete(`/members/${id}`)).status).toBe(204)
    expect((await signOn(orgId, successor)).to).toBe('/console')
    expect((await signOn(orgId, person)).to).toBe(failed('sso_other_account'))
  })

  test('a new sign-in of the same person at the provider confirms a session', async () => {
    const { orgId } = await newSsoOrg({ newcomer_role: 'admin' })
    const person = newPerson()
    const { browser } = await signOn(orgId, person)
    const refused = await browser.post('/api-keys', { name: 'X' })
    expect([refused.status, refused.body.confirm]).toEqual([403, ['sso']])
    const more = '&confirm=true&return_to=/console/keys'
    const confirm = (who: object, misbehavior = {}) =>
      signOn(orgId, { ...who }, { browser, more, misbehavior })
    const old = Math.floor(Date.now() / 1000) - 3_600
    expect((await confirm(person, { token: { auth_time: old } })).to).toBe(failed('sso_invalid'))
    expect((await confirm(person, { token: { auth_time: undefined } })).to).toBe(failed('sso_invalid'))
    expect((await confirm(newPerson())).to).toBe(failed('sso_other_person'))
    expect((await browser.post('/api-keys', { name: 'X' })).status).toBe(403)
    expect((await confirm(person)).to).toBe('/console/keys')
    expect((await browser.post('/api-keys', { name: 'X' })).status).toBe(201)
    const nobody = await newBrowser().get(`/sso/start?org_id=${orgId}&confirm=true`)
    expect(nobody.headers.get('location')).toMatch(failed('sso_expired'))
  })

  test('the provider of another organization cannot confirm a session', async () => {
    const person = await newMember(app, (await app.newOrg()).orgId)
    await app.operate((tx) =>
      tx.run(sql`
        update session set confirmed_at = now() - interval '11 minutes' where member_id = ${person.memberId}`),
    )
    const { orgId: ownOrg, email } = person
    const { orgId } = await newSsoOrg({ domains: ['x.example'] })
    const start = await person.get(`/sso/start?org_id=${orgId}&confirm=true`)
    if (start.headers.get('location')?.startsWith(provider.issuer))
      await signOn(orgId, newPerson({ email }), { browser: person, more: '&confirm=true' })
    person.orgId = ownOrg
    const act = await person.post('/api-keys', { name: 'X' })
    expect([act.status, act.body.code]).toEqual([403, 'confirmation_required'])
    expect(start.headers.get('location')).toMatch(failed('sso_expired'))
  })

  test('single sign-on gives no access to somebody who registered the address before', async () => {
    const thief = newBrowser()
    const eve = await newMember(app, (await app.newOrg()).orgId)
    const person = newPerson()
    const { url } = (await eve.post('/members/invites', { email: person.email, role: 'member' })).body.data
    const password = 'seven green bicycles'
    await thief.post('/links/use', { token: url.split('#')[1], name: 'Ada', password })
    const { orgId } = await newSsoOrg()
    await signOn(orgId, person)
    const signedIn = await newBrowser().post('/session', { email: person.email, password })
    const reached = signedIn.body.data.memberships.map(({ org_id: id }: { org_id: string }) => id)
    expect(reached).not.toContain(orgId)
  })

  test('single sign-on of an agency gives access to the agency and its clients, and to nothing else', async () => {
    const agency = await app.newAgency()
    const owner = await newMember(app, agency.orgId)
    const { put } = signOnAt(app, provider)
    expect((await put(owner)).status).toBe(200)
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const { browser } = await signOn(agency.orgId, newPerson())
    const { memberships } = (await browser.get('/session')).body.data
    expect(memberships).toMatchObject([{ via: 'member' }, { org_id: client, via: 'agency' }])
  })

  test('if an agency requires single sign-on, a password reaches neither it nor its clients, and the refusal names the agency', async () => {
    const agency = await app.newAgency('Bright')
    const owner = await newMember(app, agency.orgId)
    const { put } = signOnAt(app, provider)
    expect((await put(owner)).status).toBe(200)
    await signOn(agency.orgId, newPerson())
    const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const [member, limited] = [
      await newMember(app, agency.orgId, 'member'),
      await newMember(app, agency.orgId, 'member'),
    ]
    await app.operate(async (tx) => {
      for (const { memberId } of [member, limited]) {
        const email = `${memberId}@acme.example`
        await tx.run(
          sql`update member set email = ${email}, email_key = ${email} where member_id = ${memberId}`,
        )
      }
      await tx.run(sql`update membership set record_access = 'own' where member_id = ${limited.memberId}`)
    })
    expect((await put(owner, { is_required: true })).status).toBe(200)
    const refused = (browser: typeof member) => browser.get('/contacts', { headers: { 'x-org-id': client } })
    const { status, body } = await refused(member)
    expect([status, body]).toEqual([
      403,
      {
        code: 'sso_required',
        detail: 'You reach this organization through Bright, which requires single sign-on; sign in with it',
        sso: [{ org_id: agency.orgId, org_name: 'Bright' }],
      },
    ])
    expect((await refused(limited)).body.code).toBe('membership_missing')
  })
})
