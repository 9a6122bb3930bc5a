import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { connectInBrowser } from '../support/connect-app.ts'
import { runAsOwner } from '../support/database.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { callback, newVerifier, OauthRequests } from '../support/oauth-requests.ts'
import { exchange } from '../support/raw-http.ts'

let app: TestApp
let org: TestOrg
let browser: SignedIn
let requests: OauthRequests
let clientId: string
beforeAll(async () => {
  app = await startTestApp({ trustProxy: true })
  org = await app.newOrg()
  browser = await newMember(app, org.orgId, 'admin')
  requests = new OauthRequests(app)
  clientId = (await requests.register()).body.client_id
})
afterAll(() => app.close())

const newTokens = () => requests.connect(browser, clientId)

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const statusAt = async (path: string, accessToken: string) =>
  (await app.client(accessToken).post(path, ping, { prefix: '' })).status
const within = { timeout: 2_000, interval: 50 }

test.each(['read', 'allowed', 'declined'])(
  'a sign-in that somebody else began cannot be %s in the browser of a person',
  async (how) => {
    const begun = await fetch(requests.authorizeUrl(clientId, newVerifier()), {
      redirect: 'manual',
      headers: fromNewAddress(),
    })
    const path = `/connect/${begun.headers.get('location')!.split('/').at(-1)}`
    const before = (await org.get('/connected-apps')).body.pagination.total
    const allowed = { org_id: org.orgId, permissions: ['contacts:write'] }
    const answer =
      how === 'read'
        ? await browser.get(path)
        : how === 'allowed'
          ? await browser.post(`${path}/allow`, allowed)
          : await browser.post(`${path}/decline`)
    expect([answer.status, answer.body.code]).toEqual([404, 'object_not_found'])
    expect(answer.text).toContain('began in another browser')
    expect((await org.get('/connected-apps')).body.pagination.total).toBe(before)
  },
)

describe('tokens', () => {
  test('a client cannot revoke a token of another client, and its own revoked token stops working within 2 s', async () => {
    const { access_token } = await newTokens()
    const stranger = await requests.register()
    expect(await requests.revoke(stranger.body.client_id, access_token)).toBe(200)
    expect(await statusAt('/mcp', access_token)).toBe(200)
    expect(await requests.revoke(clientId, access_token)).toBe(200)
    await expect.poll(() => statusAt('/mcp', access_token), within).toBe(401)
  })

  test('an app that revokes its access token is not listed any more', async () => {
    const other = await app.newOrg()
    const connected = async (): Promise<number> => (await other.get('/connected-apps')).body.pagination.total
    const { access_token } = await requests.connect(await newMember(app, other.orgId, 'admin'), clientId)
    expect(await connected()).toBe(1)
    expect(await requests.revoke(clientId, access_token)).toBe(200)
    await expect.poll(connected, within).toBe(0)
  })

  test('a token that a refresh stores after its grant ended is refused', async () => {
    const { access_token } = await newTokens()
    await app.operate((tx) =>
      tx.run(sql`
        delete from oauth_item where kind = 'Grant' and grant_id = (
          select grant_id from oauth_item where id_hash = ${hash('sha256', access_token, 'buffer')})`),
    )
    expect(await statusAt('/mcp', access_token)).toBe(401)
  })

  test('a second use of a code revokes the tokens of the first use, and the app is not listed any more', async () => {
    const other = await app.newOrg()
    const connected = async (): Promise<number> => (await other.get('/connected-apps')).body.pagination.total
    const { access_token, form } = await requests.connect(
      await newMember(app, other.orgId, 'admin'),
      clientId,
    )
    expect(await statusAt('/mcp', access_token)).toBe(200)
    expect((await requests.token(form)).body.error).toBe('invalid_grant')
    await expect.poll(() => statusAt('/mcp', access_token), within).toBe(401)
    await expect.poll(connected, within).toBe(0)
  })

  test('a token request cannot change the resource of its code', async () => {
    const verifier = newVerifier()
    const back = await connectInBrowser(browser, requests.authorizeUrl(clientId, verifier))
    const code = back.searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', redirect_uri: callback, client_id: clientId, code }
    const resource = `${app.address}/mcp/${org.orgId}`
    const { body } = await requests.token({ ...form, code_verifier: verifier, resource })
    expect(body.error).toBe('invalid_target')
  })

  test('a token in the query, or next to a second Authorization header, is a 401', async () => {
    const { access_token } = await newTokens()
    const asked = `/mcp?access_token=${access_token}`
    expect((await app.stranger.post(asked, ping, { prefix: '' })).status).toBe(401)
    const body = JSON.stringify(ping)
    const { statuses } = await exchange(
      app.address,
      `POST /mcp HTTP/1.1\r\nHost: ${new URL(app.address).host}\r\nAuthorization: Bearer ${access_token}\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    expect(statuses).toEqual([401])
  })
})

test('the app of a person of an agency works in a client while the two are linked, and in no other organization', async () => {
  const agency = await app.newAgency()
  const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
  const person = await newMember(app, agency.orgId, 'admin')
  const verifier = newVerifier()
  const url = requests.authorizeUrl(clientId, verifier)
  await expect(connectInBrowser(person, url, { orgId: org.orgId })).rejects.toThrow('membership_missing')
  const back = await connectInBrowser(person, requests.authorizeUrl(clientId, verifier), { orgId: client })
  const form = { grant_type: 'authorization_code', redirect_uri: callback, client_id: clientId }
  const code = back.searchParams.get('code') ?? ''
  const { access_token } = (await requests.token({ ...form, code, code_verifier: verifier })).body
  const headers = { 'x-target-org-id': agency.orgId }
  const save = { name: 'save_contacts', arguments: { items: [{ first_name: 'Of the client' }] } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: save }
  const saved = await app.client(access_token).post('/mcp', body, { prefix: '', headers })
  expect(saved.text).toContain('created')
  expect((await agency.get('/contacts')).body.pagination.total).toBe(0)
  await agency.delete(`/agency/clients/${client}`)
  await expect.poll(() => statusAt('/mcp', access_token), within).toBe(401)
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client))
  await expect.poll(() => statusAt('/mcp', access_token), within).not.toBe(401)
})

test.each(['%0d%0aSet-Cookie:%20x=1', '%22,x=%22', 'no-id'])(
  'a request to /mcp/%s gets a 401 without injected headers or parameters',
  async (orgId) => {
    const answer = await app.stranger.post(`/mcp/${orgId}`, ping, { prefix: '' })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer resource_metadata="[^"]+", scope="[^"]+"$/,
    )
  },
)

test.each([
  { client_name: 'Cl\u0000aude' },
  { client_name: '\ud800' },
  { client_uri: 'https://x.example/\u0000' },
])('a registration with %j is refused', async (metadata) => {
  const { status, body } = await requests.register([callback], fromNewAddress(), metadata)
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
})

test('invisible characters are removed from the name of an app', async () => {
  const { body } = await requests.register([callback], fromNewAddress(), {
    client_name: 'Cl\u200baude\u202e',
  })
  expect(body).toMatchObject({ client_name: 'Claude' })
})

test.each([
  ['state', '\u0000'],
  ['client_id', '\u0000'],
  ['resource', '\u0000'],
  ['code_challenge', '\u0000'],
])('NUL in the parameter %s is a 400', async (name, value) => {
  const url = requests.authorizeUrl(clientId, newVerifier(), { [name]: `x${value}` })
  expect((await fetch(url, { redirect: 'manual', headers: fromNewAddress() })).status).toBe(400)
})

test.each([
  ['redirect_uri', 'redirect_uri has more than 2000 characters', `http://127.0.0.1/${'x'.repeat(2_000)}`],
  ['client_id', 'client_id has more than 2000 characters', `https://x.example/${'x'.repeat(2_000)}`],
  ['resource', 'resource has more than 2000 characters', `https://x.example/${'x'.repeat(2_000)}`],
  ['state', 'The parameters have more than 8192 characters', 'x'.repeat(8_200)],
])('a parameter %s that is too long is a 400, and is not stored', async (name, why, value) => {
  const stored = `select count(*)::int as items from oauth_item where kind = 'Interaction'`
  const before = await runAsOwner(app.databaseUrl, stored)
  const url = requests.authorizeUrl(clientId, newVerifier(), { [name]: value })
  const answer = await fetch(url, { redirect: 'manual', headers: fromNewAddress() })
  expect([answer.status, (await answer.json()).detail]).toEqual([400, expect.stringContaining(why)])
  expect(await runAsOwner(app.databaseUrl, stored)).toEqual(before)
})

test('a state of 6,000 characters comes back to the app', async () => {
  const state = 'x'.repeat(6_000)
  const url = requests.authorizeUrl(clientId, newVerifier(), { state })
  expect((await connectInBrowser(browser, url)).searchParams.get('state')).toBe(state)
})

describe('registrations', () => {
  test('registrations from a /64 of IPv6 count as registrations from one address', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await requests.register([callback], { 'x-forwarded-for': `2001:db8:1:2::${n}` })).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('if the table is full, unused registrations are deleted after an hour, and used ones stay', async () => {
    await requests.connect(browser, clientId)
    const fill = (age: string) =>
      app.operate((tx) =>
        tx.run(sql`
          insert into oauth_client (client_id, metadata, network, created_at, last_used_at)
          select gen_random_uuid()::text, '{}', 'flood', now() - ${age}::interval, now() - ${age}::interval
          from generate_series(1, 10000)`),
      )
    await fill('1 minute')
    expect((await requests.register()).body.error).toBe('temporarily_unavailable')
    await app.operate((tx) => tx.run(sql`delete from oauth_client where network = 'flood'`))
    await app.operate((tx) =>
      tx.run(sql`update oauth_client set created_at = created_at - interval '2 hours', last_used_at = case
        when last_used_at = created_at then last_used_at - interval '2 hours' else last_used_at end`),
    )
    await fill('2 hours')
    expect((await requests.register()).status).toBe(201)
    await app.operate((tx) => tx.run(sql`delete from oauth_client where network = 'flood'`))
    expect((await requests.connect(browser, clientId)).access_token).toBeDefined()
  })
})
