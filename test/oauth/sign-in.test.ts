import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { auth as oldAuth } from '@modelcontextprotocol/sdk/client/auth.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connectInBrowser } from '../support/connect-app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { OauthHost } from '../support/oauth-host.ts'
import { callback, newVerifier, OauthRequests } from '../support/oauth-requests.ts'

let app: TestApp
let org: TestOrg
let browser: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  browser = await newMember(app, org.orgId, 'member')
})
afterAll(() => app.close())

describe.each([
  ['2026-07-28', auth],
  ['2025-11-25', oldAuth as unknown as typeof auth],
])('a host with the client of %s', (_version, signIn) => {
  test('the host signs in with its own registration, and uses tools in the name of the person', async () => {
    const host = new OauthHost()
    const serverUrl = `${app.address}/mcp`
    expect(await signIn(host, { serverUrl })).toBe('REDIRECT')
    const back = await connectInBrowser(browser, host.sentTo!)
    const authorizationCode = back.searchParams.get('code')!
    expect(
      await signIn(host, {
        serverUrl,
        authorizationCode,
        iss: back.searchParams.get('iss') ?? undefined,
      } as never),
    ).toBe('AUTHORIZED')
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: host }))
    const { structuredContent } = await client.callTool({ name: 'get_organization', arguments: {} })
    expect(structuredContent).toMatchObject({ mode: 'live' })
    await client.close()
  })
})

test.each([
  ['no scope', undefined, ['contacts:read', 'deals:write']],
  ['scopes that the person does not allow', 'companies:write', ['contacts:read']],
])(
  'a host that asks for %s gets the permissions that the person chose',
  async (_case, scope, permissions) => {
    const host = new OauthHost()
    const serverUrl = `${app.address}/mcp`
    await auth(host, { serverUrl, ...(scope === undefined ? {} : { scope }) })
    const asked = new URL(host.sentTo!)
    if (scope === undefined) asked.searchParams.delete('scope')
    const back = await connectInBrowser(browser, asked, { permissions })
    const answer = { authorizationCode: back.searchParams.get('code')!, iss: back.searchParams.get('iss')! }
    expect(await auth(host, { serverUrl, ...answer } as never)).toBe('AUTHORIZED')
    expect((host.tokens() as unknown as { scope: string }).scope.split(' ').toSorted()).toEqual(permissions)
  },
)

test.each([
  ['with a slash at the end', ['/mcp/'], '/mcp'],
  ['without a path', [''], '/mcp'],
  ['with an id in capital letters', ['/mcp/ORG'], '/mcp/org'],
  [
    'of one organization and then of another',
    ['/mcp/org', '/mcp/01a22f7b-2b96-7588-85fc-0d34bad21b48'],
    '/mcp/org',
  ],
])('a host that asks for an address %s is connected after one answer', async (_form, sent, path) => {
  const requests = new OauthRequests(app)
  const client_id = (await requests.register()).body.client_id
  const code_verifier = newVerifier()
  const url = requests.authorizeUrl(client_id, code_verifier, { resource: null })
  const inOrg = (at: string) => at.replace('ORG', org.orgId.toUpperCase()).replace('org', org.orgId)
  const resources = sent.map((at) => app.address + inOrg(at))
  for (const each of resources) url.searchParams.append('resource', each)
  const back = await connectInBrowser(browser, url)
  expect(back.pathname).toBe('/callback')

  const code = back.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', redirect_uri: callback, code, code_verifier }
  const { body } = await requests.token({ ...form, client_id, resource: resources[0]! })
  const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token, resource: resources[0]! }
  const refreshed = await requests.token({ ...again, client_id })
  for (const { access_token } of [body, refreshed.body]) {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await app.client(access_token).post(inOrg(path), ping, { prefix: '' })).status).toBe(200)
  }
})
