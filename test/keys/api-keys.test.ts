import { afterAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp()
afterAll(() => app.close())

const daySeconds = 86_400
const nowSeconds = () => Date.now() / 1000
const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })

test('an organization has at most 10,000 keys, including expired ones', async () => {
  const org = await app.newOrg()
  const { body: old } = await org.post('/api-keys', { name: 'Sync' })
  await runAsOwner(
    app.databaseUrl,
    `insert into api_key (org_id, api_key_id, token_hash, token_hint, name, mode, created_at, expires_at)
     select '${org.orgId}', gen_random_uuid(), uuid_send(gen_random_uuid()), '', 'Old', 'live', now(), now()
     from generate_series(1, 9997)`,
  )
  const create = () => org.post('/api-keys', { name: 'One more' })
  expect((await create()).status).toBe(201)
  const rotate = (grace_seconds: number) => org.post(`/api-keys/${old.api_key_id}/rotate`, { grace_seconds })
  for (const refused of [await create(), await rotate(60)]) {
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('10,000 API keys')])
  }
  const { status, body: successor } = await rotate(0)
  expect(status).toBe(201)
  await org.delete(`/api-keys/${successor.api_key_id}`)
  expect((await create()).status).toBe(201)
  const { keys, total } = (await org.get('/api-keys')).body
  expect([keys.length, total]).toEqual([10_000, 10_000])
  const order = keys.map((key: Record<string, string>) => `${key.created_at} ${key.api_key_id}`)
  expect(order).toEqual(order.toSorted().reverse())
})

describe('new keys', () => {
  test('POST /api-keys creates a live key by default, and returns the token as api_key_token', async () => {
    const org = await app.newOrg()
    const answer = await org.post('/api-keys', { name: 'Sync' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      api_key_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      api_key_token: expect.stringMatching(/^svc_live_[0-9A-Za-z]{36}$/),
      name: 'Sync',
      mode: 'live',
      is_agency: false,
      created_at: expect.any(Number),
      expires_at: null,
      permissions: null,
    })
    expect(Math.abs(answer.body.created_at - nowSeconds())).toBeLessThan(5)
    const made = await app.client(answer.body.api_key_token).get('/organization')
    expect(made.body.data).toMatchObject({
      org: { org_id: org.orgId },
      key: { api_key_id: answer.body.api_key_id, name: 'Sync' },
      mode: 'live',
    })
  })

  test('POST /api-keys can create a test key, whose prefix and mode are test', async () => {
    const org = await app.newOrg()
    const { body } = await org.post('/api-keys', { name: 'CI', mode: 'test' })
    expect(body).toMatchObject({ mode: 'test', api_key_token: expect.stringMatching(/^svc_test_/) })
    expect((await app.client(body.api_key_token).get('/organization')).body.data.mode).toBe('test')
  })

  test('POST /api-keys can create an agency key, and returns the token as token', async () => {
    const agency = await app.newAgency()
    const answer = await agency.post('/api-keys', { name: 'All clients', is_agency: true })
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('api_key_token')
    expect(answer.body).toMatchObject({
      token: expect.stringMatching(/^svc_live_/),
      name: 'All clients',
      is_agency: true,
    })
    const client = await agency.post('/agency/clients', { name: 'Northwind' })
    const made = await app.client(answer.body.token).get('/organization', on(client.body.data.org_id))
    expect(made.body.data.acting_on.org_id).toBe(client.body.data.org_id)
  })

  test.each([
    ['neither an agency nor without clients', false, false, 400],
    ['flagged', true, false, 201],
    ['with a client', false, true, 201],
  ])(
    'POST /api-keys creates an agency key only for an agency: an org that is %s',
    async (_what, flagged, linked, status) => {
      const org = await app.newOrg({ isAgency: flagged })
      const client = await app.newOrg()
      if (linked) await app.operate((tx) => linkOrgs(tx, org.orgId, client.orgId))
      const answer = await org.post('/api-keys', { name: 'Agency', is_agency: true })
      expect(answer.status).toBe(status)
      if (status === 400) {
        expect(answer.body).toEqual({ detail: expect.stringContaining('agency'), code: 'agency_required' })
        expect((await org.get('/api-keys')).body.total).toBe(1)
        expect((await client.post('/api-keys', { name: 'Agency', is_agency: true })).status).toBe(400)
      }
    },
  )

  test.each([1, 365])('POST /api-keys accepts or refuses expires_in_days %d', async (days) => {
    const org = await app.newOrg()
    const { status, body } = await org.post('/api-keys', { name: 'Short', expires_in_days: days })
    expect(status).toBe(201)
    expect(body.expires_at).toBe(body.created_at + days * daySeconds)
    expect((await org.get(`/api-keys/${body.api_key_id}`)).body.expires_at).toBe(body.expires_at)
  })

  test.each<[unknown, string, string]>([
    [{}, 'missing', 'name'],
    [{ name: '' }, 'string_too_short', 'name'],
    [{ name: 'x'.repeat(121) }, 'string_too_long', 'name'],
    [{ name: null }, 'string_type', 'name'],
    [{ name: 'A', mode: 'sandbox' }, 'literal_error', 'mode'],
    [{ name: 'A', mode: 'LIVE' }, 'literal_error', 'mode'],
    [{ name: 'A', is_agency: 'maybe' }, 'bool_parsing', 'is_agency'],
    [{ name: 'A', expires_in_days: 0 }, 'greater_than_equal', 'expires_in_days'],
    [{ name: 'A', expires_in_days: 366 }, 'less_than_equal', 'expires_in_days'],
    [{ name: 'A', expires_in_days: 1.5 }, 'int_from_float', 'expires_in_days'],
    [{ name: 'A', permissions: 'contacts:read' }, 'list_type', 'permissions'],
    [{ name: 'A', permissions: [] }, 'too_short', 'permissions'],
    [{ name: 'A', permission: ['contacts:read'] }, 'extra_forbidden', 'permission'],
    [{ name: 'A', expires_at: 1_800_000_000 }, 'extra_forbidden', 'expires_at'],
    [{ name: 'A', permissions: ['contacts:fly'] }, 'value_error', 'permissions'],
    [{ name: 'A', permissions: ['unicorns:read'] }, 'value_error', 'permissions'],
  ])('POST /api-keys refuses %j', async (body, type, field) => {
    const org = await app.newOrg()
    const answer = await org.post('/api-keys', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type, loc: expect.arrayContaining(['body', field]) }])
    expect((await org.get('/api-keys')).body.total).toBe(1)
  })

  test('POST /api-keys suggests the right name for a misspelled field', async () => {
    const org = await app.newOrg()
    const body = { name: 'A', permission: ['contacts:read'], expires_at: 1_800_000_000 }
    const { detail } = (await org.post('/api-keys', body)).body
    expect(detail.map(({ ctx }: { ctx: object }) => ctx)).toEqual([
      { nearest: 'permissions' },
      { nearest: 'expires_in_days' },
    ])
  })

  test.each([
    [{ name: 'x'.repeat(120) }, {}],
    [{ name: '🔑'.repeat(120) }, {}],
    [{ name: 'A', is_agency: 'no', expires_in_days: '30' }, {}],
    [
      { name: 'A', expires_in_days: null, permissions: null },
      { expires_at: null, permissions: null },
    ],
  ])('POST /api-keys accepts %j', async (body, expected) => {
    const org = await app.newOrg()
    const answer = await org.post('/api-keys', body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject(expected)
    const { data } = (await app.client(answer.body.api_key_token).get('/organization')).body
    expect(data.org.org_id).toBe(org.orgId)
  })
})

describe('keys of clients', () => {
  test("with X-Target-Org-Id, POST /api-keys creates the key in the client's org, and the key names its creator", async () => {
    const agency = await app.newAgency()
    const client = await app.newOrg()
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    await expect
      .poll(async () => (await agency.get('/contacts', on(client.orgId))).status, patience)
      .toBe(200)
    const refused = await agency.post('/api-keys', { name: 'Agency', is_agency: true }, on(client.orgId))
    expect(refused.status).toBe(400)

    const { body } = await agency.post('/api-keys', { name: 'Theirs' }, on(client.orgId))
    const made = await app.client(body.api_key_token).get('/organization', on(agency.orgId))
    expect(made.body.data).toMatchObject({
      org: { org_id: client.orgId },
      acting_on: { org_id: client.orgId },
    })
    expect((await client.get(`/api-keys/${body.api_key_id}`)).body).toMatchObject({
      created_by_org_id: agency.orgId,
      created_by_api_key_id: agency.apiKeyId,
    })
    expect((await agency.get(`/api-keys/${body.api_key_id}`)).status).toBe(404)
    expect((await agency.get('/api-keys')).body.total).toBe(1)
    expect((await agency.get('/api-keys', on(client.orgId))).body.total).toBe(2)
    const events = await client.get(`/events?object_id=${body.api_key_id}`)
    expect(events.body.data).toMatchObject([{ type: 'api_key.created', api_key_id: agency.apiKeyId }])
  })
})

test('no table contains the secret part of a token', async () => {
  const agency = await app.newAgency()
  const { body: first } = await agency.post('/api-keys', { name: 'Sync' })
  const { body: second } = await agency.post('/api-keys', { name: 'All', is_agency: true, mode: 'test' })
  const { body: third } = await agency.post(`/api-keys/${first.api_key_id}/rotate`, { grace_seconds: 60 })
  const legacy = await app.newKey(agency.orgId, { legacy: true })
  const tokens = [agency.token, first.api_key_token, second.token, third.api_key_token, legacy.token]
  for (const token of tokens) expect((await app.client(token).get('/contacts')).status).toBe(200)

  const dump = await dumpTables(app)
  for (const id of [first.api_key_id, second.api_key_id, third.api_key_id]) expect(dump).toContain(id)
  for (const token of tokens) {
    const body = token.replace(/^svc_(live|test)_/, '')
    expect(dump).not.toContain(body)
    expect(dump).not.toContain(Buffer.from(body).toString('hex'))
    expect(dump).not.toContain(Buffer.from(body).toString('base64url'))
  }
})
