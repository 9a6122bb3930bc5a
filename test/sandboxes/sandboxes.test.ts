import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linkOrgs, setCeilings } from '../../src/orgs/operator.ts'
import { lockExclusive } from '../../src/platform/db/advisory-lock.ts'
import { type Answer, startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { newLiveForm } from '../support/form-pages.ts'
import { newMember } from '../support/members.ts'
import { OauthRequests } from '../support/oauth-requests.ts'
import { patience } from '../support/patience.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ outboundAllowPrivate: true })
let elsewhere: TestApp
beforeAll(async () => {
  elsewhere = await startTestApp({ role: 'api' }, { databaseUrl: app.databaseUrl })
})
afterAll(async () => {
  await elsewhere.close({ leavesJobs: true })
  await app.close()
})

const path = '/organization/sandboxes'
const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })

async function newSandbox(
  org: TestClient,
  body: object = {},
  options: object = {},
): Promise<TestClient & { orgId: string }> {
  const made = await org.post(path, { name: 'Trial', ...body }, options)
  expect(made.status, made.text).toBe(201)
  return Object.assign(app.client(made.body.data.api_key_token), { orgId: made.body.data.org_id })
}

const code = ({ status, body }: Answer) => [status, body.code]

test('a sandbox has its own test key, its own records, and simulated effects', async () => {
  const org = await app.newOrg({ name: 'Acme', country: 'DE' })
  await org.post('/contacts', { first_name: 'Real' })
  const made = await org.post(path, { name: 'Trial', expires_in_days: 2 })
  const { api_key_token, api_key_id, ...sandbox } = made.body.data
  expect(sandbox).toEqual({
    ...{ org_id: expect.any(String), name: 'Trial', copy: 'nothing', status: 'ready' },
    ...{ created_at: expect.any(Number), expires_at: sandbox.created_at + 2 * 86_400 },
  })
  const trial = app.client(api_key_token)
  expect((await trial.get('/organization')).body.data).toMatchObject({
    org: { org_id: sandbox.org_id, name: 'Trial', default_country: 'DE', sandbox_of: org.orgId },
    key: { api_key_id },
    mode: 'test',
  })
  expect((await trial.get('/contacts')).body.pagination.total).toBe(0)
  await trial.post('/contacts', { first_name: 'Trial' })
  expect((await org.get('/contacts')).body.pagination.total).toBe(1)
  const number = await trial.post('/voice/numbers', { number: '+14155550100' })
  expect(number.status).toBe(201)
  const call = await trial.post('/voice/calls', { to_number: '+12025550100', instructions: 'Hello.' })
  expect(call.body).toMatchObject({ mode: 'test', provider: 'simulator' })

  expect((await org.get(`${path}/${sandbox.org_id}`)).body.data).toEqual(sandbox)
  expect((await org.get(path)).body).toMatchObject({ data: [sandbox], pagination: { total: 1 } })
  expect((await org.get('/events?type=sandbox.created')).body.data).toMatchObject([
    { object_id: sandbox.org_id, api_key_id: org.apiKeyId },
  ])
})

describe('limits and permissions', () => {
  test('no key of a sandbox can create a live key, another sandbox or a link', async () => {
    const org = await app.newOrg()
    const trial = await newSandbox(org)
    expect(code(await trial.post('/api-keys', { name: 'Live' }))).toEqual([403, 'not_in_sandbox'])
    expect(code(await trial.post(path, { name: 'Nested' }))).toEqual([403, 'not_in_sandbox'])
    const agency = await app.newAgency()
    const { token } = (await agency.post('/agency/invitations', {})).body.data
    expect(code(await trial.post('/organization/agencies', { token }))).toEqual([403, 'not_in_sandbox'])
    expect((await trial.post('/api-keys', { name: 'Agency', mode: 'test', is_agency: true })).status).toBe(
      400,
    )
    expect((await trial.get('/agency/clients')).status).toBe(403)
    await expect(app.newKey(trial.orgId)).rejects.toThrow('only test keys')
    for (const [agencyId, clientId] of [
      [agency.orgId, trial.orgId],
      [trial.orgId, org.orgId],
    ] as const)
      await expect(app.operate((tx) => linkOrgs(tx, agencyId, clientId))).rejects.toThrow('sandbox')
    const second = await trial.post('/api-keys', { name: 'Second', mode: 'test' })
    expect(second.status).toBe(201)
    const rotated = await trial.post(`/api-keys/${second.body.api_key_id}/rotate`)
    expect(rotated.body.mode).toBe('test')
  })

  test('the first key of a sandbox has exactly the permissions of the key that created the sandbox', async () => {
    const org = await app.newOrg()
    const weak = await app.newKey(org.orgId, { permissions: ['organization:manage', 'contacts:read'] })
    const trial = await newSandbox(weak)
    expect((await trial.get('/organization')).body.data.permissions).toEqual([
      'organization:manage',
      'contacts:read',
    ])
    expect((await trial.post('/contacts', { first_name: 'Ada' })).status).toBe(403)
    const writer = await app.newKey(org.orgId, { permissions: ['organization:write'] })
    expect((await writer.post(path, { name: 'Trial' })).status).toBe(403)
  })

  test('requests in all sandboxes of an organization count against the rate limit of that organization', async () => {
    const org = await app.newOrg({ limited: true })
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: null, perMinute: 10 }))
    const [one, two] = [await newSandbox(org), await newSandbox(org)]
    const minted = app.client((await one.post('/api-keys', { name: 'x', mode: 'test' })).body.api_key_token)
    const clients = [org, one, two, minted]
    const answers: Answer[] = []
    for (let n = 0; n < 12; n++) answers.push(await clients[n % 4]!.get('/organization'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(7).fill(200), ...Array(5).fill(429)])
  })

  test('in a client’s sandbox, requests with keys that an agency created count against the rate limit of the agency', async () => {
    const [agency, client] = [await app.newAgency(), await app.newOrg({ limited: true })]
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    const trial = await newSandbox(agency, {}, on(client.orgId))
    expect((await client.get(path)).body.data).toMatchObject([{ org_id: trial.orgId }])
    expect((await agency.get(path)).body.data).toEqual([])
    await app.operate((tx) => setCeilings(tx, agency.orgId, { perSecond: null, perMinute: 77 }))
    await expectWithin(
      2_000,
      async () => (await trial.get('/organization')).headers.get('x-ratelimit-limit-minute'),
      '77',
    )
    // An agency needs the sandbox's own key to act in a client's sandbox.
    expect((await agency.get('/contacts', on(trial.orgId))).status).toBe(403)
  })
})

test('an organization has at most 5 sandboxes, even after many concurrent requests', async () => {
  const org = await app.newOrg()
  const answers = await Promise.all(Array.from({ length: 8 }, () => org.post(path, { name: 'Trial' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409])
  const first = answers.find(({ status }) => status === 201)!.body.data.org_id
  expect((await org.delete(`${path}/${first}`)).status).toBe(204)
  expect((await org.post(path, { name: 'Trial' })).status).toBe(201)
  for (let n = 0; n < 19; n++) {
    const { data } = (await org.get(path)).body
    await org.delete(`${path}/${data[0].org_id}`)
    if (n < 18) await org.post(path, { name: 'Trial' })
  }
  const busy = await org.post(path, { name: 'Trial' })
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '60'])
})

test('a retry with an Idempotency-Key gets the same sandbox and token, but only with the same API key', async () => {
  const org = await app.newOrg()
  const headers = { 'idempotency-key': 'trial' }
  const make = (client: TestClient) => client.post(path, { name: 'Trial', copy: 'settings' }, { headers })
  const [first, again] = [await make(org), await make(org)]
  expect([first.status, again.text]).toEqual([201, first.text])
  expect((await org.get(path)).body.pagination.total).toBe(1)
  expect((await make(await app.newKey(org.orgId))).status).toBe(409)
  const secret = first.body.data.api_key_token.replace('svc_test_', '')
  const stored = await runAsOwner(app.databaseUrl, 'select encode(body, $1) as body from idempotency_key', [
    'escape',
  ])
  expect(JSON.stringify(stored)).not.toContain(secret)
})

test('a deleted sandbox sends no webhooks, and takes no forms and events, even while its rows wait to be deleted', async () => {
  const org = await app.newOrg()
  const trial = await newSandbox(org)
  const receiver = await startReceiver()
  const endpoint = await trial.post('/webhooks/endpoints', {
    ...{ url: receiver.url, types: ['contact.created'], max_per_second: 10 },
  })
  receiver.secrets.push(endpoint.body.data.secret)
  const { formId } = await newLiveForm(trial)
  const { key } = (await trial.post('/write-keys', { name: 'Site' })).body.data
  const track = () =>
    app.stranger.post('/v1/track', { writeKey: key, anonymousId: 'a', event: 'E' }, { prefix: '' })
  const page = () => app.stranger.get(`/f/${formId}`, { prefix: '' })
  expect([(await track()).status, (await page()).status]).toEqual([200, 200])
  await app.operate(async (tx) => {
    await lockExclusive(tx, `purge ${trial.orgId}`)
    const items = Array.from({ length: 200 }, (_, at) => ({ first_name: `${at}` }))
    expect((await trial.post('/contacts/batch', { items })).status).toBe(200)
    await expect.poll(() => receiver.requests.length, patience).toBeGreaterThan(0)
    expect((await org.delete(`${path}/${trial.orgId}`)).status).toBe(204)
    await expect
      .poll(async () => [(await track()).status, (await page()).status], patience)
      .toEqual([401, 404])
    // A delivery turn ends, and no other one begins.
    await expect
      .poll(async () => {
        const before = receiver.requests.length
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        return receiver.requests.length - before
      }, patience)
      .toBe(0)
    expect(receiver.requests.length).toBeLessThan(100)
  })
  receiver.close()
})

test('members and their apps no longer reach a deleted sandbox, even while its rows wait to be deleted', async () => {
  const org = await app.newOrg()
  const trial = await newSandbox(org)
  const member = await newMember(app, org.orgId)
  const oauth = new OauthRequests(app)
  const { client_id: clientId } = (await oauth.register()).body
  const { access_token: token } = await oauth.connect(member, clientId, { orgId: trial.orgId })
  member.orgId = trial.orgId
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const statuses = async () => [
    (await member.get('/contacts')).status,
    (await app.client(token).post('/mcp', ping, { prefix: '' })).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  await app.operate(async (tx) => {
    await lockExclusive(tx, `purge ${trial.orgId}`)
    expect((await org.delete(`${path}/${trial.orgId}`)).status).toBe(204)
    await expect.poll(statuses, patience).toEqual([403, 401])
  })
})

test('deleting a sandbox ends its keys immediately on this node, and within 2 s on other nodes', async () => {
  const org = await app.newOrg()
  const trial = await newSandbox(org)
  const second = app.client((await trial.post('/api-keys', { name: 'x', mode: 'test' })).body.api_key_token)
  const remote = elsewhere.client(trial.token)
  expect((await remote.get('/organization')).status).toBe(200)
  expect((await org.delete(`${path}/${trial.orgId}`)).status).toBe(204)
  for (const key of [trial, second]) expect((await key.get('/organization')).status).toBe(401)
  await expectWithin(2_000, async () => (await remote.get('/organization')).status, 401)
  for (const answer of [await org.get(`${path}/${trial.orgId}`), await org.delete(`${path}/${trial.orgId}`)])
    expect(answer.status).toBe(404)
  expect((await org.get(path)).body.data).toEqual([])
  expect((await org.get('/events?type=sandbox.deleted')).body.data).toMatchObject([
    { object_id: trial.orgId, api_key_id: org.apiKeyId },
  ])
})

describe('creation', () => {
  test('a new sandbox copies settings, but no record, phone number, connection or credential', async () => {
    const org = await app.newOrg()
    const persona = await org.post('/personas', { name: 'Mia', greeting: 'Hello.' })
    await org.patch('/deals/stages', { stages: ['First', 'Second'] })
    await org.post('/deals/close-reasons', { label: 'Weather', outcome: 'lost' })
    await org.patch('/duplicates/settings', { contact: { review_threshold: 0.95 } })
    const credentials = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'hidden-token' }
    await org.patch('/voice/settings', { provider: 'twilio', credentials, concurrent_call_cap: 3 })
    await org.post('/contacts', { first_name: 'Real' })
    await org.post('/voice/numbers', { number: '+14155550100' })
    const trial = await newSandbox(org, { copy: 'settings' })

    for (const same of ['/deals/stages', '/deals/close-reasons', '/duplicates/settings', '/personas']) {
      const [own, copied] = [await org.get(same), await trial.get(same)]
      expect([same, copied.body.data]).toEqual([same, own.body.data])
    }
    expect((await trial.get(`/personas/${persona.body.data.persona_id}`)).status).toBe(200)
    expect((await trial.get('/voice/settings')).body.data).toMatchObject({
      ...{ provider: 'simulator', concurrent_call_cap: 3, credentials: null, kept_credentials: [] },
    })
    for (const list of ['/contacts', '/voice/numbers']) {
      expect((await trial.get(list)).body.data).toEqual([])
    }
    const rows = 'select count(*)::int as rows from secret where org_id = $1'
    expect(await runAsOwner(app.databaseUrl, rows, [trial.orgId])).toEqual([{ rows: 0 }])
  })

  test('a job creates the sample data of a new sandbox', async () => {
    const org = await app.newOrg()
    const trial = await newSandbox(org, { copy: 'sample' })
    const status = async () => (await org.get(`${path}/${trial.orgId}`)).body.data.status
    await vi.waitFor(async () => expect(await status()).toBe('ready'), patience)
    const total = async (list: string) => (await trial.get(list)).body.pagination.total
    expect([await total('/contacts'), await total('/companies'), await total('/deals')]).toEqual([
      300, 25, 40,
    ])
    expect((await org.get('/contacts')).body.pagination.total).toBe(0)
  })

  test.each([
    [{ name: 'x', copy: 'everything' }, 'copy'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', expires_in_days: 31 }, 'expires_in_days'],
  ])('POST /sandboxes with %j gets 422', async (body, field) => {
    const answer = await (await app.newOrg()).post(path, body)
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', field]])
  })
})

test("another organization's sandbox is not found", async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()] as [TestOrg, TestOrg]
  const trial = await newSandbox(org)
  expect((await other.get(`${path}/${trial.orgId}`)).status).toBe(404)
  expect((await other.delete(`${path}/${trial.orgId}`)).status).toBe(404)
  expect((await trial.get('/organization')).status).toBe(200)
})
