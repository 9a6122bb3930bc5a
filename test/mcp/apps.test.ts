import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { callback, OauthRequests } from '../support/oauth-requests.ts'
import { exchange } from '../support/raw-http.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let admin: SignedIn
let requests: OauthRequests
let clientId: string
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  await org.post('/voice/numbers', { number: from })
  requests = new OauthRequests(app)
  clientId = (await requests.register()).body.client_id
})
afterAll(() => app.close())
// A person may send 50 requests a second, so each test has its own.
beforeEach(async () => {
  admin = await newMember(app, org.orgId, 'admin')
})

const from = '+14155550100'
const call = { to_number: '+12025550123', from_number: from }
const all = ['contacts:read', 'contacts:write', 'voice:read', 'voice:write']
const within = { timeout: 2_000, interval: 50 }

async function connected(person = admin, mode: 'live' | 'test' = 'live'): Promise<TestClient> {
  const tokens = await requests.connect(person, clientId, { permissions: all, mode })
  return app.client(tokens.access_token)
}

/** A call that the person approved in the console. */
async function approvedCall(client: TestClient, person: SignedIn, instructions: string) {
  const args = { ...call, instructions }
  const { confirm_token } = (await callTool(client, 'place_call', args)).result
  const { effect_id } = (await person.get('/approvals')).body.data.at(-1)
  await person.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
  return { ...args, confirm_token }
}

const calls = async () => (await org.get('/voice/calls')).body.pagination.total

describe('an approved call of an app', () => {
  test('an approved call cannot be used by another app of the person, an app of another person, or a key', async () => {
    const approved = await approvedCall(await connected(), admin, 'mine')
    const before = await calls()
    const other = await newMember(app, org.orgId, 'admin')
    for (const sender of [await connected(), await connected(admin, 'test'), await connected(other), org])
      expect((await callTool(sender, 'place_call', approved)).text).toContain('belongs to another call')
    expect(await calls()).toBe(before)
  })

  test('only the person of the app can approve its call', async () => {
    const sender = await connected()
    await callTool(sender, 'place_call', { ...call, instructions: 'whose' })
    const { effect_id } = (await admin.get('/approvals')).body.data.at(-1)
    const other = await newMember(app, org.orgId, 'owner')
    const decided = await other.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
    expect(decided.body.data).toEqual([{ effect_id, outcome: 'expired' }])
  })

  test.each(['the app was narrowed', 'the role became smaller', 'the app was disconnected'])(
    'an approved call does not run after %s',
    async (how) => {
      const person = await newMember(app, org.orgId, 'admin')
      const sender = await connected(person)
      const approved = await approvedCall(sender, person, how)
      const before = await calls()
      const [{ connected_app_id }] = (await org.get('/connected-apps')).body.data
      if (how === 'the app was narrowed')
        await person.patch(`/connected-apps/${connected_app_id}`, { permissions: ['contacts:read'] })
      else if (how === 'the role became smaller')
        await admin.patch(`/members/${person.memberId}`, { role: 'viewer' })
      else await person.delete(`/connected-apps/${connected_app_id}`)
      const refused = how === 'the app was disconnected' ? '401' : 'voice:write'
      const answer = async () =>
        callTool(sender, 'place_call', approved).then(
          ({ text }) => text,
          (error) => String(error),
        )
      await expect.poll(answer, within).toContain(refused)
      expect(await calls()).toBe(before)
    },
  )

  test('an approval is not listed after its app was disconnected', async () => {
    const sender = await connected()
    await callTool(sender, 'place_call', { ...call, instructions: 'gone' })
    expect((await admin.get('/approvals')).body.data).toHaveLength(1)
    const [{ connected_app_id }] = (await admin.get('/connected-apps')).body.data
    await admin.delete(`/connected-apps/${connected_app_id}`)
    expect((await admin.get('/approvals')).body.data).toEqual([])
  })

  test('an approval is not listed, and cannot be given, after its app lost the permission', async () => {
    const sender = await connected()
    await callTool(sender, 'place_call', { ...call, instructions: 'narrowed' })
    const [{ effect_id }] = (await admin.get('/approvals')).body.data
    const [{ connected_app_id }] = (await admin.get('/connected-apps')).body.data
    await admin.patch(`/connected-apps/${connected_app_id}`, { permissions: ['contacts:read', 'voice:read'] })
    expect((await admin.get('/approvals')).body.data).toEqual([])
    const decided = await admin.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
    expect(decided.body.data).toEqual([{ effect_id, outcome: 'expired' }])
  })

  test('an approved call does not run in a process that did not get the notification of the disconnection', async () => {
    const person = await newMember(app, org.orgId, 'admin')
    const sender = await connected(person)
    const approved = await approvedCall(sender, person, 'unheard')
    const before = await calls()
    await withClient(app, async (database) => {
      // Without triggers, no process gets a notification.
      await database.query('set session_replication_role = replica')
      await database.query('update connected_app set revoked_at = now() where org_id = $1', [org.orgId])
    })
    const answer = await callTool(sender, 'place_call', approved)
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('no longer connected') })
    expect(await calls()).toBe(before)
  })

  test('an approved call is placed once, even if ten requests run at once', async () => {
    const sender = await connected()
    const approved = await approvedCall(sender, admin, 'once')
    const before = await calls()
    await Promise.all(Array.from({ length: 10 }, () => callTool(sender, 'place_call', approved)))
    expect(await calls()).toBe(before + 1)
  })
})

test('an app of test mode places simulated calls without a person, and cannot choose the mode', async () => {
  const sender = await connected(admin, 'test')
  expect((await callTool(sender, 'get_organization')).result.mode).toBe('test')
  const asked = await callTool(sender, 'place_call', call)
  const { confirm_token } = asked.result
  const placed = await callTool(sender, 'place_call', { ...call, confirm_token })
  expect(placed.result.mode).toBe('test')
  const chosen = await callTool(sender, 'place_call', { ...call, mode: 'live' })
  expect(chosen).toMatchObject({ isError: true, text: expect.stringContaining('mode') })
})

test('another organization can neither read nor change nor disconnect an app', async () => {
  await connected()
  const [{ connected_app_id }] = (await org.get('/connected-apps')).body.data
  const stranger = await app.newOrg()
  const path = `/connected-apps/${connected_app_id}`
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.patch(path, { permissions: ['contacts:read'] })).status).toBe(404)
  expect((await stranger.delete(path)).status).toBe(404)
})

describe('the consent', () => {
  test('consent cannot be given from another site, and no frame can contain the consent page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const action of ['allow', 'decline'])
      expect((await admin.post(`/connect/x/${action}`, {}, { headers })).status).toBe(403)
    const page = await fetch(`${app.address}/console/connect/x`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.each([
    'https://127.0.0.1/client',
    'https://localhost/client',
    'http://claude.ai/client',
    'https://10.0.0.1/c',
  ])('a client document at %s is not read', async (id) => {
    const url = requests.authorizeUrl(id, 'x'.repeat(43))
    const answer = await fetch(url, { redirect: 'manual', headers: fromNewAddress() })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

test('a code is valid only with its redirect address, and a refresh token only for its client', async () => {
  const tokens = await requests.connect(admin, clientId)
  const stranger = (await requests.register()).body.client_id
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  expect((await requests.token({ ...refresh, client_id: stranger })).body.error).toBe('invalid_grant')
  expect((await requests.token({ ...refresh, client_id: clientId })).status).toBe(200)
  const other = { ...tokens.form, redirect_uri: `${callback}/other` }
  expect((await requests.token(other)).body.error).toBe('invalid_grant')
})

test('a request with another Host is a 403', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const head = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${org.token}\r\nContent-Type: application/json`
  const { statuses } = await exchange(
    app.address,
    `${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  expect(statuses).toEqual([403])
})

test('events name the person and the app', async () => {
  const sender = await connected()
  const { result } = await callTool(sender, 'save_contacts', { items: [{ first_name: 'Named' }] })
  const { contact_id: object_id } = result.items[0]
  const [event] = (await org.get(`/events?object_id=${object_id}`)).body.data
  expect(event.actor).toMatchObject({
    kind: 'member',
    id: admin.memberId,
    name: expect.stringMatching(/^Person \d+ via Attacker$/),
  })
})

test('an app without a permission reads that it lacks the permission, and what to do', async () => {
  const { text } = await callTool(await connected(), 'get_record', { entity_type: 'deal', id: org.orgId })
  expect(text).toMatch(/^This app lacks the permission deals:read; connect it again/)
})
