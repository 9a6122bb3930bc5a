import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { type Browser, newMember, type SignedIn } from '../support/members.ts'
import { OidcProvider } from '../support/oidc-provider.ts'
import { patience } from '../support/patience.ts'
import { signOnAt } from '../support/single-sign-on.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { newBrowser, put, newSsoOrg, newPerson, signOn } = signOnAt(app, provider)
const orgOf = ({ orgId }: Browser) => orgId ?? ''

test('a provider that fails is asked once for many sign-ins that strangers begin', async () => {
  const hostile = await new OidcProvider().start()
  const { orgId } = await newSsoOrg({ issuer: hostile.issuer })
  await app.operate((tx) => tx.run(sql`update sso set client_id = 'not cached' where org_id = ${orgId}`))
  hostile.misbehavior = { discovery: { issuer: 'https://another.example' } }
  const before = hostile.asked.length
  const startedAt = performance.now()
  const starts = Array.from({ length: 50 }, () => newBrowser().get(`/sso/start?org_id=${orgId}`))
  for (const { status, headers } of await Promise.all(starts))
    expect([status, headers.get('location')]).toEqual([
      303,
      `/console/sign-in#sso_error=sso_provider_unreachable&sso=${orgId}`,
    ])
  // A failure is kept for two seconds.
  const most = 1 + (performance.now() - startedAt) / 2_000
  expect(hostile.asked.length - before).toBeLessThanOrEqual(most)
  await hostile.stop()
})

test('16 requests at once go to the provider of an organization, and other organizations sign in meanwhile', async () => {
  const [slow, usual] = [await newSsoOrg(), await newSsoOrg()]
  const hostile = await new OidcProvider().start()
  const endpoint = { token_endpoint: `${hostile.issuer}/never` }
  await app.operate((tx) =>
    tx.run(sql`update sso set client_id = 'not cached' where org_id = ${orgOf(slow)}`),
  )
  provider.misbehavior = { discovery: endpoint }
  await newBrowser().get(`/sso/start?org_id=${orgOf(slow)}`)
  provider.misbehavior = {}
  const waiting = Array.from({ length: 40 }, async () => {
    const browser = newBrowser()
    const start = await browser.get(`/sso/start?org_id=${orgOf(slow)}`)
    const back = await provider.authorize(start.headers.get('location') ?? '')
    return browser.get(back.pathname.replace('/console/api', '') + back.search)
  })
  await expect.poll(() => hostile.waiting, patience).toBe(16)
  const { to } = await signOn(orgOf(usual), newPerson())
  expect(to).toBe('/console')
  expect(hostile.waiting).toBe(16)
  // The rest gets through as soon as the provider answers.
  await hostile.stop()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(303)
})

test('settings of one organization ask one provider at a time, and settings of another organization are saved meanwhile', async () => {
  const asked: ServerResponse[] = []
  const silent = createServer((_request, response) => asked.push(response))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const owner = await newMember(app, (await app.newOrg()).orgId)
  const waiting = Array.from({ length: 5 }, () => put(owner, { issuer }))
  for (let number = 1; number <= waiting.length; number++) {
    await expect.poll(() => asked.length, patience).toBeGreaterThanOrEqual(number)
    await newSsoOrg()
    expect(asked).toHaveLength(number)
    asked.at(-1)!.writeHead(404).end()
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(422)
  silent.close()
})

test('a client secret that the provider does not accept gets a 422 at its field, and the stored one stays', async () => {
  const owner = await newSsoOrg()
  await signOn(orgOf(owner), newPerson())
  for (const more of [{ client_secret: 'mistyped', is_required: true }, { client_id: 'another' }]) {
    const { status, body } = await put(owner, more)
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'client_secret']])
  }
  expect((await signOn(orgOf(owner), newPerson())).to).toBe('/console')
})

describe('a provider that signs somebody in who is in another organization', () => {
  const join = async (owner: SignedIn, email: string) => {
    const { url } = (await owner.post('/members/invites', { email, role: 'member' })).body.data
    const browser = newBrowser()
    const use = { token: url.split('#')[1], name: 'Ada', password: 'seven green bicycles' }
    const joined = await browser.post('/links/use', use)
    browser.orgId = owner.orgId
    return Object.assign(browser, { memberId: joined.body.data.member.member_id as string })
  }
  /** Somebody who uses another organization, and whom the provider of an organization has signed in. */
  const signedInByBoth = async () => {
    const [sso, other] = [await newSsoOrg(), await newMember(app, (await app.newOrg()).orgId)]
    const person = newPerson()
    const victim = await join(other, person.email)
    const { browser } = await signOn(orgOf(sso), person)
    return { sso, victim, person, browser }
  }

  test('does not end the sessions of the person by many sign-ins', async () => {
    const { sso, victim, person } = await signedInByBoth()
    await app.operate((tx) =>
      tx.run(sql`
        insert into session (session_id, member_id, token_hash, is_partial, user_agent, created_at, seen_at, expires_at,
          sso_org_id)
        select gen_random_uuid(), ${victim.memberId}, sha256(gen_random_uuid()::text::bytea), false, '', now(),
          now() + interval '1 minute', now() + interval '1 day', ${orgOf(sso)}
        from generate_series(1, 99)`),
    )
    const last = await signOn(orgOf(sso), person)
    expect((await last.browser.get('/sessions')).body.data).toHaveLength(100)
    app.app.context.forgetMember(victim.memberId)
    expect((await victim.get('/contacts')).status).toBe(200)
  })

  test('does not use up the requests that the person may send elsewhere', async () => {
    const { victim, browser } = await signedInByBoth()
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sent = await Promise.all(Array.from({ length: 60 }, () => browser.get('/session')))
    expect(sent.map(({ status }) => status)).toContain(429)
    expect((await victim.get('/contacts')).status).toBe(200)
  })

  test('does not show the sessions, the passkeys and the last use of the person elsewhere', async () => {
    const { sso, victim, browser } = await signedInByBoth()
    await app.operate(async (tx) => {
      await tx.run(sql`
        update session set seen_at = now() + interval '1 day'
        where member_id = ${victim.memberId} and sso_org_id is null`)
      await tx.run(sql`
        insert into passkey (passkey_id, member_id, credential_id, public_key, counter, transports, host, is_synced,
          name, created_at)
        values (gen_random_uuid(), ${victim.memberId}, sha256(${victim.memberId}::text::bytea), '', 0, '{}',
          'localhost', false, 'Phone', now())`)
    })
    const sessions = (await browser.get('/sessions')).body.data
    expect(sessions.map((each: { is_current: boolean }) => each.is_current)).toEqual([true])
    expect((await browser.get('/session/passkeys')).body.data).toEqual([])
    const members = (await sso.get('/members')).body.data
    const shown = members.find((each: { member_id: string }) => each.member_id === victim.memberId)
    expect(shown.seen_at).toBeLessThan(Date.now() / 1000 + 3600)
    expect((await victim.get('/sessions')).body.data).toHaveLength(2)
    expect((await victim.get('/session/passkeys')).body.data).toHaveLength(1)
  })
})
