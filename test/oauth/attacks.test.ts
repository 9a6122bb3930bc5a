import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putMembership } from '../../src/members/memberships.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connectInBrowser, openConsent } from '../support/connect-app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { callback, newVerifier, OauthRequests } from '../support/oauth-requests.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let other: TestOrg
let browser: SignedIn
let requests: OauthRequests
let clientId: string
beforeAll(async () => {
  // Each client address may send 20 requests a second, so each request comes from an address of its own.
  app = await sharedTestApp()
  org = await app.newOrg()
  other = await app.newOrg()
  browser = await newMember(app, org.orgId, 'admin')
  requests = new OauthRequests(app)
  clientId = (await register()).body.client_id
})
afterAll(() => app.close())

const register = (...sent: Parameters<OauthRequests['register']>) => requests.register(...sent)
const token = (form: Record<string, string>) => requests.token(form)
const authorizeUrl = (...sent: Parameters<OauthRequests['authorizeUrl']>) => requests.authorizeUrl(...sent)

async function newCode(changes: Record<string, string | null> = {}) {
  const verifier = newVerifier()
  const back = await connectInBrowser(browser, authorizeUrl(clientId, verifier, changes))
  const code = back.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  return { back, form: { ...form, client_id: clientId } }
}

const newTokens = async (changes = {}) => {
  const { form } = await newCode(changes)
  const { body } = await token(form)
  const refresh = (refresh_token: string) =>
    token({ grant_type: 'refresh_token', refresh_token, client_id: clientId })
  return { ...body, refresh }
}

const statusAt = async (path: string, accessToken: string) =>
  (await app.client(accessToken).post(path, { jsonrpc: '2.0', id: 1, method: 'ping' }, { prefix: '' })).status

describe('authorization', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['an unregistered redirect address', { redirect_uri: 'https://evil.example/callback' }],
    ['another path on this computer', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['another host on this computer', { redirect_uri: 'http://localhost:33418/callback' }],
  ])('an authorization request with %s gets a page and no redirect', async (_name, changes) => {
    const url = authorizeUrl(clientId, newVerifier(), changes)
    const response = await fetch(url, { redirect: 'manual', headers: fromNewAddress() })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await response.text()).toContain('The app was not connected')
  })

  test.each([
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a resource of another server', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ])(
    'an authorization request with %s is refused with $2, and the answer names the issuer',
    async (_name, changes, error) => {
      const back = await connectInBrowser(browser, authorizeUrl(clientId, newVerifier(), changes))
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, iss: app.address, state: 'x' })
    },
  )

  test('an app on this computer may use any port in its redirect address', async () => {
    const { back } = await newCode({ redirect_uri: 'http://127.0.0.1:50123/callback' })
    expect(back.host).toBe('127.0.0.1:50123')
  })

  test.each([
    'http://evil.example/callback',
    'javascript:alert(1)',
    'https://user:password@host.example/',
    'https://host.example/#fragment',
  ])('a registration with %s is refused', async (uri) => {
    expect(await register([uri])).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  })

  test.each([
    ['{"redirect_uris":', 'the body: send an object of JSON in UTF-8'],
    [Buffer.from([0x22, 0xff, 0x22]), 'the body: send an object of JSON in UTF-8'],
    ['{"redirect_uris":"x"}', 'redirect_uris: Invalid input: expected array, received string'],
  ])('a registration with the body %s gets an error in the form of RFC 7591', async (body, text) => {
    const headers = { 'content-type': 'application/json', ...fromNewAddress() }
    const answer = await fetch(`${app.address}/oauth/register`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: text },
    ])
  })

  test('only the person can connect an app to an organization', async () => {
    const url = authorizeUrl(clientId, newVerifier())
    await expect(connectInBrowser(browser, url, { orgId: other.orgId })).rejects.toThrow('membership_missing')
    const viewer = await newMember(app, org.orgId, 'viewer')
    const again = authorizeUrl(clientId, newVerifier())
    await expect(connectInBrowser(viewer, again, { permissions: ['contacts:write'] })).rejects.toThrow(
      'permission_not_grantable',
    )
    const keys = authorizeUrl(clientId, newVerifier(), { scope: 'api_keys:manage' })
    await expect(connectInBrowser(browser, keys, { permissions: ['api_keys:manage'] })).rejects.toThrow(
      'validation_failed',
    )
  })
})

test('of several answers of a person to one sign-in at once, one counts, and at most one app is connected', async () => {
  const { orgId } = await app.newOrg()
  const admin = await newMember(app, orgId, 'admin')
  const connected = async () => (await admin.get('/connected-apps')).body.data.length
  const allowed = { org_id: orgId, mode: 'live' as const, permissions: ['contacts:read'] }
  const allows = await openConsent(admin, authorizeUrl(clientId, newVerifier()))
  const answers = await Promise.all(Array.from({ length: 5 }, () => allows.allow(allowed)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
  expect(await connected()).toBe(1)
  const { body } = answers.find(({ status }) => status === 200)!
  expect((await allows.visit(body.data.redirect_url)).searchParams.get('code')).toBeTruthy()

  const mixed = await openConsent(admin, authorizeUrl(clientId, newVerifier()))
  const [allow, decline] = await Promise.all([mixed.allow(allowed), mixed.decline()])
  expect([allow.status, decline.status].sort()).toEqual([200, 404])
  expect(await connected()).toBe(allow.status === 200 ? 2 : 1)
})

describe('tokens', () => {
  test('a code works once, for its own client, and with its verifier', async () => {
    const { form } = await newCode()
    expect((await token({ ...form, code_verifier: newVerifier() })).body.error).toBe('invalid_grant')
    const stranger = await register()
    const second = await newCode()
    expect((await token({ ...second.form, client_id: stranger.body.client_id })).body.error).toBe(
      'invalid_grant',
    )
    const third = await newCode()
    const both = await Promise.all([token(third.form), token(third.form)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('the token of an app is refused at every path of the Developer API and of the console', async () => {
    const { access_token } = await newTokens()
    for (const prefix of ['/api/v1', '/v1', '', '/console/api'])
      expect((await app.client(access_token).get('/contacts', { prefix })).status, prefix).toBe(401)
    expect((await app.stranger.get(`/contacts?access_token=${access_token}`)).status).toBe(401)
  })

  test('a token for one address is refused at another address, and an id of another organization is refused', async () => {
    const { access_token } = await newTokens()
    expect(await statusAt('/mcp', access_token)).toBe(200)
    expect(await statusAt(`/mcp/${org.orgId}`, access_token)).toBe(401)
    expect(await statusAt(`/mcp/${other.orgId}`, access_token)).toBe(401)
    const own = await newTokens({ resource: `${app.address}/mcp/${org.orgId}` })
    expect(await statusAt(`/mcp/${org.orgId}`, own.access_token)).toBe(200)
    expect(await statusAt('/mcp', own.access_token)).toBe(401)
  })

  test('five refreshes at once all work, and a refresh token that was used long ago disconnects the app', async () => {
    const { refresh_token, refresh, access_token } = await newTokens()
    const five = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)))
    expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { operate } = app
    await operate((tx) =>
      tx.run(
        sql`update oauth_item set consumed_at = consumed_at - interval '31 seconds' where kind = 'RefreshToken'`,
      ),
    )
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(five[0]!.body.refresh_token)).body.error).toBe('invalid_grant')
    await expect.poll(() => statusAt('/mcp', access_token), within).toBe(401)
  })

  test('if a member is removed or gets a smaller role, the member’s app loses these rights within 2 s, also if the member comes back', async () => {
    const leaving = await newMember(app, org.orgId, 'member')
    const kept = browser
    browser = leaving
    const { access_token, refresh, refresh_token } = await newTokens().finally(() => {
      browser = kept
    })
    const granted = async () => (await callTool(app.client(access_token), 'get_organization')).result.granted
    expect(await granted()).toContain('contacts:write')
    // The admin of the other tests may have used up the requests of this second.
    const admin = await newMember(app, org.orgId, 'admin')
    expect((await admin.patch(`/members/${leaving.memberId}`, { role: 'viewer' })).status).toBe(200)
    await expect.poll(granted, within).not.toContain('contacts:write')
    expect((await admin.delete(`/members/${leaving.memberId}`)).status).toBe(204)
    await expect.poll(() => statusAt('/mcp', access_token), within).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')

    await app.operate((tx) => putMembership(tx, org.orgId, leaving.memberId, 'member'))
    const apps = (await leaving.get('/connected-apps?revoked=true')).body.data
    expect(apps.map((each: { member_id: string }) => each.member_id)).toContain(leaving.memberId)
    expect(await statusAt('/mcp', access_token)).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
  })
})

const within = { timeout: 2_000, interval: 50 }

describe('requests', () => {
  test.each([
    ['an Origin of another site', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
  ])('a request with %s is a 403', async (_name, headers) => {
    const answer = await org.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { prefix: '', headers })
    expect(answer.status).toBe(403)
  })

  test('a list of messages is a 400, and GET is a 405', async () => {
    const list = [{ jsonrpc: '2.0', id: 1, method: 'ping' }]
    expect((await org.post('/mcp', list, { prefix: '' })).status).toBe(400)
    expect((await org.get('/mcp', { prefix: '' })).status).toBe(405)
  })

  test('the answer to a request without a credential says where to sign in', async () => {
    const answer = await app.stranger.post('/mcp', {}, { prefix: '' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain(
      `resource_metadata="${app.address}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  test('a client address can register at most ten apps an hour', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await register([callback], { 'x-forwarded-for': '10.8.0.1' })).status)
    expect(statuses.at(-1)).toBe(429)
  })
})
