import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { connectInBrowser } from '../support/connect-app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { newVerifier, OauthRequests } from '../support/oauth-requests.ts'
import { OidcProvider } from '../support/oidc-provider.ts'
import { signOnAt } from '../support/single-sign-on.ts'

const app = await startTestApp({ trustProxy: true, outboundAllowPrivate: true })
const provider = await new OidcProvider().start()
afterAll(() => Promise.all([app.close(), provider.stop()]))
const { put, newSsoOrg, newPerson, signOn } = signOnAt(app, provider)
const requests = new OauthRequests(app)
const clientId = (await requests.register()).body.client_id

const domains = ['x.example']
const within = { timeout: 2_000, interval: 50 }

async function connect(browser: SignedIn) {
  const { access_token, refresh_token } = await requests.connect(browser, clientId)
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  return {
    status: async () => (await app.client(access_token).post('/mcp', ping, { prefix: '' })).status,
    refresh: async () => {
      const form = { grant_type: 'refresh_token', refresh_token, client_id: clientId }
      return (await requests.token(form)).body.error
    },
  }
}

test('while single sign-on is required, apps that members connected without it do not work, within 2 s', async () => {
  const owner = await newSsoOrg({ domains })
  const orgId = owner.orgId ?? ''
  const byPassword = await connect(await newMember(app, orgId, 'member'))
  const person = newPerson({ email: `sso-${owner.memberId}@x.example` })
  const { browser } = await signOn(orgId, person)
  await signOn(orgId, person, { browser, more: '&confirm=true' })
  const bySso = await connect(browser as SignedIn)
  expect([await byPassword.status(), await bySso.status()]).toEqual([200, 200])
  expect((await put(owner, { domains, is_required: true })).status).toBe(200)
  await expect.poll(byPassword.status, within).toBe(401)
  expect(await byPassword.refresh()).toBe('invalid_grant')
  expect([await bySso.status(), await bySso.refresh()]).toEqual([200, undefined])
  await app.operateOn(orgId, (tx) =>
    tx.run(sql`update sso set is_required = false where org_id = ${tx.orgId}`),
  )
  await expect.poll(byPassword.status, within).toBe(200)
})

test('a session from an operator’s link cannot connect an app while single sign-on is required', async () => {
  const owner = await newSsoOrg({ domains })
  const orgId = owner.orgId ?? ''
  await signOn(orgId, newPerson({ email: `first-${owner.memberId}@x.example` }))
  const recovered = await newMember(app, orgId, 'owner')
  await app.operate((tx) =>
    tx.run(sql`update session set is_recovery = true where member_id = ${recovered.memberId}`),
  )
  await put(owner, { domains, is_required: true })
  const url = requests.authorizeUrl(clientId, newVerifier())
  await expect(connectInBrowser(recovered, url)).rejects.toThrow('requires single sign-on')
  const { total } = (await recovered.get('/connected-apps')).body.pagination
  expect(total).toBe(0)
})
