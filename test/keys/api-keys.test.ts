import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { startTestApp } from '../support/app.ts'
import { askOwner } from '../support/database.ts'
import { dumpTables } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp()
afterAll(() => app.close())

const daySeconds = 86_400
const nowSeconds = () => Date.now() / 1000
const listed = ['api_key_id', 'name', 'mode', 'is_agency', 'created_at', 'last_used_at']
const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })

test('an organization has at most 10,000 keys, including expired ones', async () => {
  const org = await app.newOrg()
  const { body: old } = await org.post('/api-keys', { name: 'Sync' })
  await askOwner(
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
})

describe('POST /api-keys', () => {
  test('POST /api-keys makes a live key by default, with the secret under api_key_token', async () => {
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

  test('POST /api-keys makes a test key, whose label and mode are test', async () => {
    const org = await app.newOrg()
    const { body } = await org.post('/api-keys', { name: 'CI', mode: 'test' })
    expect(body).toMatchObject({ mode: 'test', api_key_token: expect.stringMatching(/^svc_test_/) })
    expect((await app.client(body.api_key_token).get('/organization')).body.data.mode).toBe('test')
  })

  test('POST /api-keys makes an agency key, with the secret under token', async () => {
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
    ['neither flagged nor with a client', false, false, 400],
    ['flagged', true, false, 201],
    ['with a client', false, true, 201],
  ])('POST /api-keys with is_agency in an org that is %s', async (_what, flagged, linked, status) => {
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
  })

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
  ])('refuses %j', async (body, type, field) => {
    const org = await app.newOrg()
    const answer = await org.post('/api-keys', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type, loc: expect.arrayContaining(['body', field]) }])
    expect((await org.get('/api-keys')).body.total).toBe(1)
  })

  test('POST /api-keys names the right member for a misspelled one', async () => {
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

describe('with X-Target-Org-Id', () => {
  test("with X-Target-Org-Id, a key is made in the client's org, and shows who made it", async () => {
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

describe('reading and changing keys', () => {
  test('GET /api-keys lists all keys, newest first, without a secret', async () => {
    const agency = await app.newAgency()
    const made = []
    for (const extra of [{}, { mode: 'test' }, { is_agency: true }]) {
      made.unshift((await agency.post('/api-keys', { name: 'Another', ...extra })).body)
    }
    const answer = await agency.get('/api-keys')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['keys', 'total'])
    expect(answer.body.total).toBe(4)
    const ids = answer.body.keys.map((key: { api_key_id: string }) => key.api_key_id)
    expect(ids).toEqual([...made.map((key) => key.api_key_id), agency.apiKeyId])
    for (const key of answer.body.keys) {
      for (const field of listed) expect(key).toHaveProperty(field)
      expect(key).not.toHaveProperty('token')
      expect(key).not.toHaveProperty('api_key_token')
    }
    for (const token of [agency.token, ...made.map((key) => key.token ?? key.api_key_token)]) {
      expect(answer.text).not.toContain(token.slice('svc_live_'.length))
      expect(answer.text).toContain(`"${token.slice(-4)}"`)
    }
    expect((await agency.get('/api-keys?limit=1')).status).toBe(422)
  })

  test('GET, PATCH and DELETE act on one API key', async () => {
    const org = await app.newOrg()
    const { body: made } = await org.post('/api-keys', { name: 'Sync' })
    const path = `/api-keys/${made.api_key_id}`
    expect((await org.get(path.toUpperCase().replace('/API-KEYS', '/api-keys'))).body.name).toBe('Sync')

    const renamed = await org.patch(path, { name: 'Nightly sync' })
    expect(renamed.body).toMatchObject({ name: 'Nightly sync', permissions: null, mode: 'live' })
    expect((await org.get(path)).body).toEqual(renamed.body)
    const client = app.client(made.api_key_token)
    expect((await client.get('/organization')).body.data.key.name).toBe('Nightly sync')

    const removed = await org.delete(path)
    expect(removed.status).toBe(204)
    expect(removed.text).toBe('')
    expect((await client.get('/organization')).status).toBe(401)
    for (const answer of [
      await org.get(path),
      await org.delete(path),
      await org.patch(path, { name: 'B' }),
    ]) {
      expect(answer.status).toBe(404)
    }
    const events = await org.get(`/events?object_id=${made.api_key_id}`)
    expect(events.body.data).toMatchObject([
      { type: 'api_key.deleted', api_key_id: org.apiKeyId },
      { type: 'api_key.updated', changed: ['name'] },
      { type: 'api_key.created' },
    ])
  })

  test('a key may delete itself', async () => {
    const org = await app.newOrg()
    expect((await org.delete(`/api-keys/${org.apiKeyId}`)).status).toBe(204)
    expect((await org.get('/organization')).status).toBe(401)
  })

  test('a key of another org gets the same answer as an unknown key', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const theirs = await org.send(method, `/api-keys/${other.apiKeyId}${suffix}`, options)
      const nobodys = await org.send(method, `/api-keys/${randomUUID()}${suffix}`, options)
      expect(theirs.status).toBe(404)
      expect(theirs.text).toBe(nobodys.text)
      const malformed = await org.send(method, `/api-keys/7${suffix}`, options)
      expect(malformed.body.detail).toMatchObject([{ type: 'uuid_parsing', loc: ['path', 'api_key_id'] }])
    }
    expect((await other.get('/organization')).status).toBe(200)
  })

  test('last_used_at is null until the key is used, and is set within seconds after the first use', async () => {
    const org = await app.newOrg()
    const { body: made } = await org.post('/api-keys', { name: 'Sync' })
    const lastUsed = async () => (await org.get(`/api-keys/${made.api_key_id}`)).body.last_used_at
    expect(await lastUsed()).toBe(null)
    const usedAt = Math.floor(nowSeconds())
    await app.client(made.api_key_token).get('/organization')
    await expect.poll(lastUsed, patience).toBeGreaterThanOrEqual(usedAt)
    expect(await lastUsed()).toBeLessThanOrEqual(nowSeconds())
  })
})

test('no table has the secret part of a token', async () => {
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
