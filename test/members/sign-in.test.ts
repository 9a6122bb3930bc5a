import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { Browser, newMember, type SignedIn } from '../support/members.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())

const password = 'seven green bicycles'
let addresses = 0
/** Each browser has its own address, so that they do not share a rate limit. */
const newBrowser = () => new Browser(app.address, null, `10.4.0.${++addresses & 255}`)
const tokenIn = (url: string) => url.slice(url.indexOf('#') + 1)

/** A member who joined with a link and a password. */
async function join(owner: SignedIn, email: string, role = 'member'): Promise<Browser> {
  const invited = await owner.post('/members/invites', { email, role })
  expect(invited.status).toBe(201)
  const browser = newBrowser()
  const joined = await browser.post('/links/use', {
    token: tokenIn(invited.body.data.url),
    name: 'Ada',
    password,
  })
  expect([joined.status, joined.body.data?.member.email]).toEqual([200, email])
  browser.orgId = owner.orgId
  return browser
}

describe('a person who joined with an invitation', async () => {
  const org = await app.newOrg()
  const owner = await newMember(app, org.orgId)
  let joined: Browser
  beforeAll(async () => {
    joined = await join(owner, 'Ada@Acme.example')
  })

  test('a person who joins with an invitation is signed in, with a cookie that scripts and other sites cannot use', async () => {
    const browser = newBrowser()
    const answer = await browser.post('/session', { email: 'ada@acme.example', password })
    expect(answer.body.data).toMatchObject({
      member: { name: 'Ada', email: 'Ada@Acme.example' },
      memberships: [{ org_id: org.orgId, role: 'member', via: 'member' }],
      second_factor: [],
    })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^crosswalk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    expect(answer.text).not.toContain(cookie.slice(10, 53))
    const secure = await newBrowser().post(
      '/session',
      { email: 'ada@acme.example', password },
      { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'crosswalk.example' } },
    )
    expect(secure.headers.getSetCookie()[0]).toMatch(
      /^__Host-crosswalk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    )
  })

  test('a cookie from before the sign-in is never valid after it', async () => {
    const browser = newBrowser()
    const planted = 'A'.repeat(43)
    browser.cookie = `crosswalk=${planted}`
    await browser.post('/session', { email: 'ada@acme.example', password })
    expect(browser.cookie).not.toContain(planted)
    const first = browser.cookie
    await browser.post('/session', { email: 'ada@acme.example', password })
    expect(browser.cookie).not.toBe(first)
    const old = newBrowser()
    old.cookie = first
    expect((await old.get('/session')).status).toBe(401)
    old.cookie = `crosswalk=${planted}`
    expect((await old.get('/session')).status).toBe(401)
  })

  test('over https, a cookie without the prefix __Host- is ignored', async () => {
    const answer = await joined.get('/session', {
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'crosswalk.example' },
    })
    expect(answer.status).toBe(401)
  })

  test('a person lists the sessions, and ends one of them', async () => {
    const browser = newBrowser()
    await browser.post('/session', { email: 'ada@acme.example', password })
    const all = (await browser.get('/sessions')).body.data
    const others = all.filter((session: { is_current: boolean }) => !session.is_current)
    expect(all.length - others.length).toBe(1)
    expect((await browser.delete(`/sessions/${others[0].session_id}`)).status).toBe(204)
    expect((await browser.delete(`/sessions/${others[0].session_id}`)).status).toBe(404)
    const stranger = await newMember(app, org.orgId)
    const [own] = (await stranger.get('/sessions')).body.data
    expect((await browser.delete(`/sessions/${own.session_id}`)).status).toBe(404)
  })

  test('a new password ends all other sessions, and gives this one a new token', async () => {
    const [browser, other] = [newBrowser(), newBrowser()]
    for (const each of [browser, other]) await each.post('/session', { email: 'ada@acme.example', password })
    const before = browser.cookie
    const wrong = await browser.post('/session/password', { password: 'wrong', new_password: password })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_failed'])
    const weak = await browser.post('/session/password', { password, new_password: 'ada@acme.example' })
    expect([weak.status, weak.body.detail[0].loc]).toEqual([422, ['body', 'new_password']])
    const { status } = await browser.post('/session/password', { password, new_password: password })
    expect([status, browser.cookie === before]).toEqual([200, false])
    expect((await other.get('/session')).status).toBe(401)
    expect((await browser.get('/session')).status).toBe(200)
  })

  test('a person must confirm again after 10 minutes that it is them', async () => {
    const admin = await join(owner, 'admin@acme.example', 'admin')
    expect((await admin.post('/api-keys', { name: 'First' })).status).toBe(201)
    await app.operate((tx) =>
      tx.run(sql`
        update session set confirmed_at = now() - interval '10 minutes'
        where member_id = (select member_id from member where email = 'admin@acme.example')`),
    )
    app.app.context.forgetMember((await admin.get('/session')).body.data.member.member_id)
    const refused = await admin.post('/api-keys', { name: 'Second' })
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        detail: expect.stringContaining('/session/confirm'),
        code: 'confirmation_required',
        confirm: ['password'],
      },
    ])
    expect((await admin.get('/api-keys')).status).toBe(200)
    // Nobody confirms a request that is refused anyway.
    expect((await admin.post('/api-keys', { name: '' })).body.detail[0].loc).toEqual(['body', 'name'])
    expect((await admin.post('/session/confirm', { password: 'wrong' })).status).toBe(401)
    expect((await admin.post('/session/confirm', { password })).body.data.confirmed_until).toBeGreaterThan(0)
    const made = await admin.post('/api-keys', { name: 'Second' })
    expect(made.status).toBe(201)
    const { created_by_member_id: maker } = (await admin.get(`/api-keys/${made.body.api_key_id}`)).body
    expect(maker).toBe((await admin.get('/session')).body.data.member.member_id)
  })
})

describe('links', async () => {
  const org = await app.newOrg({ name: 'Contoso' })
  const owner = await newMember(app, org.orgId)

  const offer = async (email: string, role = 'member') =>
    (await owner.post('/members/invites', { email, role })).body.data
  const use = (token: string, more = {}) =>
    newBrowser().post('/links/use', { token, name: 'Bob', password, ...more })

  test('a link is shown once, and its page says what it is for', async () => {
    const { url } = await offer('open@acme.example', 'viewer')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/invite#[\w-]{27}$/)
    const shown = await newBrowser().post('/links/open', { token: tokenIn(url) })
    expect(shown.body.data).toEqual({
      ...{
        kind: 'invite',
        email: 'open@acme.example',
        role: 'viewer',
        org_name: 'Contoso',
        has_account: false,
        sso_org_id: null,
      },
    })
    const list = await owner.get('/members/links')
    expect(list.text).not.toContain(tokenIn(url))
    expect(list.body.data).toMatchObject([{ kind: 'invite', email: 'open@acme.example' }])
  })

  test('a link works once, also for parallel uses', async () => {
    const { url } = await offer('twice@acme.example')
    const answers = await Promise.all([use(tokenIn(url)), use(tokenIn(url))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const again = await use(tokenIn(url))
    const unknown = await use('A'.repeat(27))
    expect([again.status, again.text]).toEqual([404, unknown.text])
    expect((await newBrowser().post('/links/open', { token: tokenIn(url) })).text).toBe(unknown.text)
  })

  test('a weak password does not use the link up', async () => {
    const { url } = await offer('weak@acme.example')
    for (const weak of [
      'short',
      'weak@acme.example',
      'aaaaaaaaaaaaaaaaaaaa',
      'passwordpassword',
      'ContosoContoso1',
    ]) {
      const answer = await use(tokenIn(url), { password: weak })
      expect([weak, answer.status, answer.body.detail[0].loc]).toEqual([weak, 422, ['body', 'password']])
    }
    expect((await use(tokenIn(url))).status).toBe(200)
  })

  test('an expired, a replaced and a revoked link do not work', async () => {
    const expired = await offer('expired@acme.example')
    await app.operate((tx) =>
      tx.run(sql`update link set expires_at = now() where email = 'expired@acme.example'`),
    )
    const replaced = await offer('replaced@acme.example')
    await offer('replaced@acme.example')
    const revoked = await offer('revoked@acme.example')
    expect((await owner.delete(`/members/links/${revoked.link_id}`)).status).toBe(204)
    for (const { url } of [expired, replaced, revoked]) expect((await use(tokenIn(url))).status).toBe(404)
  })

  test('an invitation of another organization does not replace the password of an account', async () => {
    await join(owner, 'both@acme.example')
    const elsewhere = await newMember(app, (await app.newOrg()).orgId)
    const { url } = (await elsewhere.post('/members/invites', { email: 'both@acme.example', role: 'admin' }))
      .body.data
    const thief = await use(tokenIn(url), { password: 'a new password of a thief' })
    expect([thief.status, thief.body.code]).toEqual([401, 'sign_in_failed'])
    const joined = await use(tokenIn(url))
    expect(joined.body.data.memberships).toHaveLength(2)
  })

  test('a recovery link sets a new password, and ends all sessions', async () => {
    const lost = await join(owner, 'lost@acme.example')
    const { member_id: id } = (await lost.get('/session')).body.data.member
    const { url } = (await owner.post('/members/recovery-links', { member_id: id })).body.data
    expect((await use(tokenIn(url), { password: 'five blue umbrellas' })).status).toBe(200)
    expect((await lost.get('/session')).status).toBe(401)
    const { status } = await newBrowser().post('/session', {
      email: 'lost@acme.example',
      password: 'five blue umbrellas',
    })
    expect(status).toBe(200)
    expect((await use(tokenIn(url))).status).toBe(404)
  })

  test('only the operator recovers a person who is in several organizations', async () => {
    const member = await newMember(app, org.orgId, 'viewer')
    const other = await app.newOrg()
    await app.operate((tx) =>
      tx.run(sql`insert into membership (org_id, member_id, role, created_at)
        values (${other.orgId}, ${member.memberId}, 'owner', now())`),
    )
    const { status, body } = await owner.post('/members/recovery-links', { member_id: member.memberId })
    expect([status, body.code]).toEqual([403, 'recovery_by_operator'])
  })
})
