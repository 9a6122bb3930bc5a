import { afterAll, describe, expect, test } from 'vitest'
import { consumeLink } from '../../src/members/links.ts'
import { createSetUpLink } from '../../src/members/set-up.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { accept, invite } from '../support/invitations.ts'
import { Browser, newMember, type SignedIn } from '../support/members.ts'

const app = await startTestApp({ trustProxy: true, publicUrl: 'https://crosswalk.example' })
afterAll(() => app.close())

const password = 'seven green bicycles'
const newBrowser = () => new Browser(app.address, null)
const tokenOf = (answer: { body: { data: { url: string } } }) => answer.body.data.url.split('#')[1]
const inviteTo = async (owner: Browser, email: string, role: string) =>
  tokenOf(await owner.post('/members/invites', { email, role }))

describe('an old link', () => {
  test('an old link does not lower the role of a person who became a member in another way', async () => {
    const { orgId } = await app.newOrg()
    const [owner, other] = [await newMember(app, orgId), await newMember(app, (await app.newOrg()).orgId)]
    const token = await inviteTo(owner, other.email, 'viewer')
    await app.operate((tx) =>
      tx.run(sql`
        insert into membership (org_id, member_id, role, created_at)
        values (${orgId}, ${other.memberId}, 'owner', now())`),
    )
    const used = await other.post('/links/use', { token })
    expect([used.status, used.body.code]).toEqual([409, 'member_exists'])
    const members = (await owner.get('/members')).body.data as { member_id: string; role: string }[]
    expect(members.find(({ member_id: id }) => id === other.memberId)?.role).toBe('owner')
  })

  test.each([
    ['KATE@acme.example', 'kate@acme.example'],
    ['\u212Aate@acme.example', 'kate@acme.example'],
    ['"kate"@acme.example', 'kate@acme.example'],
    ['kate@bücher.example', 'kate@xn--bcher-kva.example'],
  ])('a new link for %s replaces the link for the same address in another form: %s', async (one, other) => {
    const owner = await newMember(app, (await app.newOrg()).orgId)
    const replaced = await inviteTo(owner, one, 'viewer')
    const token = await inviteTo(owner, other, 'viewer')
    expect((await newBrowser().post('/links/open', { token: replaced })).status).toBe(404)
    expect((await newBrowser().post('/links/open', { token })).status).toBe(200)
  })

  test('the set-up link is refused if somebody becomes an owner while its password is hashed', async () => {
    const fresh = await startTestApp()
    try {
      const { orgId } = await fresh.newOrg()
      const token = (await fresh.operate(createSetUpLink))?.token ?? ''
      await newMember(fresh, orgId)
      await expect(fresh.operate((tx) => consumeLink(tx, token, 'set_up'))).rejects.toThrow(
        'This link is mistyped, used',
      )
    } finally {
      await fresh.close()
    }
  })
})

/** Addresses that look like ada@acme.example. The first ones are refused, and the others are other people. */
test.each([
  ['a zero-width space', 'a\u200Bda@acme.example', 422],
  ['a mark that turns the direction of the text', '\u202Eada@acme.example', 422],
  ['a fullwidth @', 'ada\uFF20acme.example', 422],
  ['a Cyrillic letter', '\u0430da@acme.example', 201],
  ['a Cyrillic letter in the domain', 'ada@\u0430cme.example', 201],
])('an address with %s never opens the account that it looks like', async (_name, email, status) => {
  const owner = await newMember(app, (await app.newOrg()).orgId)
  const first = await inviteTo(owner, 'ada@acme.example', 'member')
  await newBrowser().post('/links/use', { token: first, name: 'Ada', password })
  const invited = await owner.post('/members/invites', { email, role: 'viewer' })
  expect(invited.status).toBe(status)
  if (status === 201) {
    const opened = await newBrowser().post('/links/open', { token: tokenOf(invited) })
    expect(opened.body.data).toMatchObject({ email, has_account: false })
  }
})

describe('a sandbox', () => {
  async function newSandbox(): Promise<[owner: SignedIn, sandbox: string]> {
    const org = await app.newOrg()
    const { org_id: sandbox } = (await org.post('/organization/sandboxes', { name: 'Play' })).body.data
    return [await newMember(app, org.orgId), sandbox]
  }

  test('a sandbox gets no members of its own, because their acts would have real effects', async () => {
    const [owner, sandbox] = await newSandbox()
    owner.orgId = sandbox
    const refused = await owner.post('/members/invites', { email: 'eve@acme.example', role: 'owner' })
    expect([refused.status, refused.body.code]).toEqual([403, 'not_in_sandbox'])
  })

  test('requests in a sandbox have test mode, even for a member whom an earlier version added', async () => {
    const [, sandbox] = await newSandbox()
    const member = await newMember(app, sandbox)
    await member.post('/contacts', { first_name: 'Ada' }, { headers: { 'x-mode': 'live' } })
    const [event] = (await member.get('/events?type=contact.created')).body.data
    expect(event.mode).toBe('test')
  })
})

describe('an API key that an admin made', () => {
  test('an API key that an admin made can neither link nor unlink an agency, nor can a key that it creates', async () => {
    const [agency, org] = [await app.newAgency(), await app.newOrg()]
    const admin = await newMember(app, org.orgId, 'admin')
    const made = await admin.post('/api-keys', { name: 'Everything' })
    const key = app.client(made.body.api_key_token)
    const next = app.client((await key.post('/api-keys', { name: 'Next' })).body.api_key_token)
    const rotated = await admin.post(`/api-keys/${org.apiKeyId}/rotate`, { grace_seconds: 3600 })
    const { token } = await invite(agency)
    for (const each of [key, next, app.client(rotated.body.api_key_token)]) {
      const refused = await accept(each, token)
      expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
    }
    expect((await accept(org, token)).status).toBe(201)
    const cut = await next.delete(`/organization/agencies/${agency.orgId}`)
    expect([cut.status, cut.body.code]).toEqual([403, 'role_too_low'])
    expect((await org.delete(`/organization/agencies/${agency.orgId}`)).status).toBe(200)
  })
})

test('a person has at most 100 sessions, and the least recently used sessions end first', async () => {
  const member = await newMember(app, (await app.newOrg()).orgId)
  await app.operate((tx) =>
    tx.run(sql`
      insert into session (session_id, member_id, token_hash, is_partial, user_agent, created_at, seen_at, expires_at)
      select gen_random_uuid(), ${member.memberId}, sha256(n::text::bytea), n % 2 = 0, 'Attacker', now(),
        now() - interval '1 hour', now() + interval '1 day'
      from generate_series(1, 10000) n`),
  )
  const { url } = (await member.post('/members/invites', { email: 'max@acme.example', role: 'viewer' })).body
    .data
  const browser = newBrowser()
  await browser.post('/links/use', { token: url.split('#')[1], name: 'Max', password })
  await app.operate((tx) =>
    tx.run(sql`
      update session set member_id = (select member_id from member where email = 'max@acme.example')
      where user_agent = 'Attacker'`),
  )
  expect((await newBrowser().post('/session', { email: 'max@acme.example', password })).status).toBe(200)
  const { data } = (await browser.get('/sessions')).body
  expect(data).toHaveLength(100)
  expect(data.filter((each: { user_agent: string }) => each.user_agent !== 'Attacker')).toHaveLength(2)
})

test('a write whose page came over plain HTTP is refused, even from an old browser', async () => {
  const send = (origin: string) =>
    app.stranger.post(
      '/session',
      { email: 'nobody@acme.example', password: 'wrong' },
      {
        prefix: '/console/api',
        headers: { 'x-forwarded-host': 'crosswalk.example', 'x-forwarded-proto': 'https', origin },
      },
    )
  expect((await send('http://crosswalk.example')).body.code).toBe('cross_site_request')
  expect((await send('https://crosswalk.example')).body.code).toBe('sign_in_failed')
})
