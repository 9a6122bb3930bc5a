import { afterAll, describe, expect, test } from 'vitest'
import { operatorLink } from '../../src/members/invite.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { type Browser, newMember, type SignedIn } from '../support/members.ts'
import { OidcProvider } from '../support/oidc-provider.ts'
import { signOnAt } from '../support/single-sign-on.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { newBrowser, settings, put, newSsoOrg, newPerson, signOn } = signOnAt(app, provider)
const password = 'seven green bicycles'
const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)
const orgOf = ({ orgId }: Browser) => orgId ?? ''

/** A member with a password and an address of the provider's domain. */
async function join(owner: SignedIn, email: string, role = 'member') {
  const { url } = (await owner.post('/members/invites', { email, role })).body.data
  const browser = newBrowser()
  const joined = await browser.post('/links/use', { token: tokenIn(url), name: 'Ada', password })
  expect(joined.status).toBe(200)
  browser.orgId = owner.orgId
  return Object.assign(browser, { memberId: joined.body.data.member.member_id as string, email })
}

describe('the settings of single sign-on', () => {
  test('an owner reads, sets, changes and removes the settings of single sign-on, and no answer shows the secret', async () => {
    const owner = await newMember(app, (await app.newOrg()).orgId)
    const orgId = orgOf(owner)
    expect((await owner.get('/sso')).body.data).toEqual({
      redirect_uri: `${app.address}/console/api/sso/callback/${orgId}`,
      sign_in_url: `${app.address}/console/api/sso/start?org_id=${orgId}`,
      connection: null,
    })
    const set = await put(owner, { domains: ['B.example', 'acme.example', 'b.example'] })
    expect([set.status, set.headers.get('etag')]).toEqual([200, '"1"'])
    expect(set.body.data.connection).toEqual({
      ...{ issuer: provider.issuer, client_id: 'crosswalk', domains: ['acme.example', 'b.example'] },
      ...{ newcomer_role: 'member', is_required: false, is_tested: false, version: 1 },
      updated_at: expect.any(Number),
    })
    expect(set.text).not.toContain('secret of the provider')
    const kept = await put(owner, { client_secret: undefined, newcomer_role: null }, { 'if-match': '"1"' })
    expect(kept.body.data.connection).toMatchObject({ newcomer_role: null, version: 2 })
    const old = await put(owner, {}, { 'if-match': '"1"' })
    expect([old.status, old.body.code]).toEqual([409, 'version_conflict'])
    expect((await owner.delete('/sso')).status).toBe(204)
    expect((await owner.delete('/sso')).status).toBe(404)
    const events = (await owner.get('/events?limit=100')).body.data.map(({ type }: { type: string }) => type)
    expect(events.filter((type: string) => type.startsWith('sso.'))).toEqual([
      'sso.removed',
      'sso.updated',
      'sso.updated',
    ])
    const stored = await app.operate((tx) =>
      tx.rows(sql`select from secret where org_id = ${orgId} and name = 'sso'`),
    )
    expect(stored).toEqual([])
  })

  test('the stored secret is sent to no other provider', async () => {
    const owner = await newSsoOrg()
    const other = await new OidcProvider().start()
    for (const more of [{ issuer: other.issuer }, { client_id: 'another' }]) {
      const { status, body } = await put(owner, { ...more, client_secret: undefined })
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'client_secret']])
    }
    await other.stop()
  })

  test.each([
    ['a text that is not a URL', 'login'],
    ['a URL with another protocol', 'ftp://login.example'],
    ['a URL with a fragment', 'https://login.example#x'],
    ['the URL of no provider', 'http://127.0.0.1:1'],
  ])('an issuer that is %s gets a 422 at its field', async (_name, issuer) => {
    const owner = await newMember(app, (await app.newOrg()).orgId)
    const { status, body } = await put(owner, { issuer })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'issuer']])
  })

  test('a discovery document of another issuer is refused', async () => {
    const owner = await newMember(app, (await app.newOrg()).orgId)
    provider.misbehavior = { discovery: { issuer: 'https://evil.example' } }
    const { status, body } = await put(owner)
    provider.misbehavior = {}
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'issuer']])
  })

  test('only owners of the organization itself change single sign-on, after a confirmation', async () => {
    const owner = await newSsoOrg()
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const member = await newMember(app, orgOf(owner), role)
      for (const answer of [await member.get('/sso'), await put(member), await member.delete('/sso')])
        expect([role, answer.status]).toEqual([role, 403])
    }
    const agency = await app.newAgency()
    const agent = await newMember(app, agency.orgId)
    agent.orgId = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const refused = await put(agent)
    expect([refused.status, refused.body.code]).toEqual([403, 'role_too_low'])
    await app.operate((tx) =>
      tx.run(sql`update session set confirmed_at = null where member_id = ${owner.memberId}`),
    )
    app.app.context.forgetMember(owner.memberId)
    for (const answer of [await put(owner), await owner.delete('/sso')])
      expect([answer.status, answer.body.code]).toEqual([403, 'confirmation_required'])
  })

  test('without OUTBOUND_ALLOW_PRIVATE, a provider on a private address or without TLS is refused', async () => {
    const guarded = await startTestApp({ trustProxy: true })
    const owner = await newMember(guarded, (await guarded.newOrg()).orgId)
    for (const issuer of [provider.issuer, provider.issuer.replace('http:', 'https:')]) {
      const { status, body } = await owner.send('PUT', '/sso', { body: settings({ issuer }) })
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'issuer']])
    }
    await guarded.close()
  })
})

describe('a session of single sign-on', () => {
  test('a provider that admits a person of another organization does not prevent the recovery there', async () => {
    const [sso, other] = [await newSsoOrg(), await newMember(app, (await app.newOrg()).orgId)]
    const person = newPerson()
    const { memberId } = await join(other, person.email)
    const { browser } = await signOn(orgOf(sso), person)
    expect((await browser.get('/session')).body.data.member.member_id).toBe(memberId)
    const { url } = (await other.post('/members/recovery-links', { member_id: memberId })).body.data
    const recovered = newBrowser()
    const used = await recovered.post('/links/use', { token: tokenIn(url), password })
    const { link_org_id: led, memberships } = used.body.data
    expect([led, memberships.length, memberships[0].org_id]).toEqual([other.orgId, 1, other.orgId])
  })

  test('a session of single sign-on reaches only its organization, and cannot change the account in others', async () => {
    const [sso, other] = [await newSsoOrg(), await newMember(app, (await app.newOrg()).orgId)]
    const person = newPerson()
    const victim = await join(other, person.email, 'owner')
    // The provider of one organization claims that somebody is the owner of another one.
    const { browser } = await signOn(orgOf(sso), person)
    const session = (await browser.get('/session')).body.data
    expect([session.member.member_id, session.memberships.length]).toEqual([victim.memberId, 1])
    browser.orgId = orgOf(other)
    expect((await browser.get('/contacts')).body.code).toBe('membership_missing')
    browser.orgId = orgOf(sso)
    const [own] = (await browser.get('/sessions')).body.data
    const attempts = [
      await browser.post('/session/passkeys/options'),
      await browser.post('/session/passkeys', { name: 'Mine', credential: {} }),
      await browser.post('/session/totp/offer'),
      await browser.send('PUT', '/session/totp', { body: { secret: 'A'.repeat(32), code: '000000' } }),
      await browser.delete('/session/totp'),
      await browser.post('/session/password', { new_password: password }),
      await browser.delete(`/sessions/${own.session_id}`),
    ]
    for (const { status, body } of attempts) expect([status, body.code]).toEqual([403, 'sso_session_limited'])
    const { url } = (await other.post('/members/invites', { email: 'x@acme.example', role: 'admin' })).body
      .data
    await app.operate((tx) =>
      tx.run(sql`update link set email = ${person.email} where email = 'x@acme.example'`),
    )
    const used = await browser.post('/links/use', { token: tokenIn(url) })
    expect([used.status, used.body.code]).toEqual([403, 'sso_session_limited'])
    expect((await victim.get('/contacts')).status).toBe(200)
  })

  test('neither a session of single sign-on nor an admin can change an account that is older than the membership', async () => {
    const [sso, other] = [await newSsoOrg(), await newMember(app, (await app.newOrg()).orgId)]
    const person = newPerson()
    const victim = await join(other, person.email)
    expect((await other.delete(`/members/${victim.memberId}`)).status).toBe(204)
    const { browser } = await signOn(orgOf(sso), person)
    await app.operate((tx) =>
      tx.run(sql`update session set confirmed_at = now() where member_id = ${victim.memberId}`),
    )
    app.app.context.forgetMember(victim.memberId)
    const { body } = await browser.post('/session/passkeys/options')
    expect(body.code).toBe('sso_session_limited')
    const recovery = await sso.post('/members/recovery-links', { member_id: victim.memberId })
    expect([recovery.status, recovery.body.code]).toEqual([403, 'recovery_by_operator'])
  })

  test('a session of single sign-on ends within 2 s when the provider is removed', async () => {
    const owner = await newSsoOrg()
    const { browser } = await signOn(orgOf(owner), newPerson())
    expect((await browser.get('/contacts')).status).toBe(200)
    expect((await owner.delete('/sso')).status).toBe(204)
    await expectWithin(2_000, async () => (await browser.get('/contacts')).status, 401)
  })

  test('a person with single sign-on can delete the last passkey, because another way to sign in is left', async () => {
    const owner = await newSsoOrg()
    const { browser } = await signOn(orgOf(owner), newPerson())
    const { member_id: id } = (await browser.get('/session')).body.data.member
    await app.operate(async (tx) => {
      await tx.run(sql`update session set confirmed_at = now() where member_id = ${id}`)
      await tx.run(sql`
        insert into passkey (passkey_id, member_id, credential_id, public_key, counter, transports, host, is_synced,
          name, created_at)
        values (gen_random_uuid(), ${id}, uuid_send(gen_random_uuid()), '', 0, '{}', 'localhost', false, 'x', now())`)
    })
    app.app.context.forgetMember(id)
    const [{ passkey_id: passkeyId }] = (await browser.get('/session/passkeys')).body.data
    expect((await browser.delete(`/session/passkeys/${passkeyId}`)).status).toBe(204)
  })
})

describe('required single sign-on', () => {
  test('required single sign-on ends other ways for the people of its domains within 2 s, with the reason, and not for others', async () => {
    const owner = await newSsoOrg()
    const member = await join(owner, newPerson().email)
    const outsider = await join(owner, `out-${member.memberId}@other.example`)
    await signOn(orgOf(owner), newPerson())
    expect((await member.get('/contacts')).status).toBe(200)
    expect((await put(owner, { is_required: true })).status).toBe(200)
    await expectWithin(2_000, async () => (await member.get('/contacts')).body.code, 'sso_required')
    const { memberships, sso_required: required } = (await member.get('/session')).body.data
    expect([memberships, required]).toEqual([[], [{ org_id: orgOf(owner), org_name: 'Acme' }]])
    const refused = await newBrowser().post('/session', { email: member.email, password })
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        detail: expect.stringContaining('requires single sign-on'),
        code: 'sso_required',
        sso: [{ org_id: orgOf(owner), org_name: 'Acme' }],
      },
    ])
    const wrong = await newBrowser().post('/session', { email: member.email, password: 'wrong' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed'])
    expect((await outsider.get('/contacts')).status).toBe(200)
    expect((await newBrowser().post('/session', { email: outsider.email, password })).status).toBe(200)
    const signed = await signOn(orgOf(owner), { ...newPerson(), email: member.email })
    expect((await signed.browser.get('/contacts')).status).toBe(200)
  })

  test('an owner can end the requirement while the provider is away, and cannot begin it', async () => {
    const away = await new OidcProvider().start()
    const { settings, put, newSsoOrg, newPerson, signOn } = signOnAt(app, away)
    const owner = await newSsoOrg()
    await signOn(orgOf(owner), newPerson())
    const { client_secret: _, ...kept } = settings({ is_required: true })
    expect((await owner.send('PUT', '/sso', { body: kept })).status).toBe(200)
    await away.stop()
    const eased = await owner.send('PUT', '/sso', { body: { ...kept, is_required: false } })
    expect([eased.status, eased.body.data?.connection.is_required]).toEqual([200, false])
    expect((await owner.send('PUT', '/sso', { body: kept })).status).toBe(422)
    expect((await put(owner)).status).toBe(422)
  })

  test('required single sign-on does not affect a person’s other organizations', async () => {
    const [owner, other] = [await newSsoOrg(), await newMember(app, (await app.newOrg()).orgId)]
    const { email } = newPerson()
    const member = await join(owner, email)
    const { url } = (await other.post('/members/invites', { email, role: 'member' })).body.data
    expect((await member.post('/links/use', { token: tokenIn(url) })).status).toBe(200)
    await signOn(orgOf(owner), newPerson())
    await put(owner, { is_required: true })
    const browser = newBrowser()
    const { memberships, sso_required: required } = (await browser.post('/session', { email, password })).body
      .data
    expect(memberships.map(({ org_id: id }: { org_id: string }) => id)).toEqual([other.orgId])
    expect(required).toMatchObject([{ org_id: orgOf(owner) }])
  })

  test('if single sign-on is required, an owner can still get in with a recovery link of the operator, and with no other link', async () => {
    const owner = await newSsoOrg()
    const locked = await join(owner, newPerson().email, 'owner')
    await signOn(orgOf(owner), newPerson())
    await put(owner, { is_required: true })
    const { url } = (await owner.post('/members/recovery-links', { member_id: locked.memberId })).body.data
    const byAdmin = newBrowser()
    const weak = await byAdmin.post('/links/use', { token: tokenIn(url), password })
    expect(weak.body.data.memberships).toEqual([])
    const { token } = await app.operateOn(orgOf(owner), (tx) =>
      operatorLink(tx, tx, { email: locked.email, role: 'owner' }),
    )
    const { data: events } = (await owner.get(`/events?object_id=${locked.memberId}&actor_kind=operator`))
      .body
    expect(events).toMatchObject([{ type: 'member.recovery_offered' }])
    const recovered = newBrowser()
    const used = await recovered.post('/links/use', { token, password })
    expect(used.body.data.memberships).toMatchObject([{ org_id: orgOf(owner), role: 'owner' }])
    recovered.orgId = orgOf(owner)
    expect((await recovered.send('PUT', '/session/totp', { body: {} })).status).toBe(422)
    expect((await put(recovered, { is_required: false })).status).toBe(200)
    expect((await newBrowser().post('/session', { email: locked.email, password })).status).toBe(200)
  })
})
