import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/keys/keys.ts'
import { linkOrgs, unlinkOrgs } from '../../src/orgs/operator.ts'
import type { Caller } from '../../src/platform/caller.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const org = await app.newOrg()
const withPermissions = (permissions: string[] | null) => app.newKey(org.orgId, { permissions })

describe('restricted keys', () => {
  test('a change of permissions applies to the API key immediately', async () => {
    const key = await withPermissions(['contacts:read'])
    expect((await key.get('/events')).status).toBe(403)
    await org.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['events:read'] })
    expect((await key.get('/events')).status).toBe(200)
    expect((await key.get('/contacts')).status).toBe(403)
    await org.patch(`/api-keys/${key.apiKeyId}`, { permissions: null })
    expect((await key.get('/contacts')).status).toBe(200)
  })
})

describe('escalation', () => {
  const all = ['api_keys:manage', 'contacts:write', 'events:*']

  test.each<[string[] | null, unknown, number]>([
    [null, undefined, 201],
    [null, null, 201],
    [null, ['*'], 201],
    [['*'], undefined, 201],
    [['*'], ['*'], 201],
    [all, ['contacts:read'], 201],
    [all, ['contacts:write', 'events:manage', 'api_keys:manage'], 201],
    [all, undefined, 403],
    [all, null, 403],
    [all, ['*'], 403],
    [all, ['contacts:manage'], 403],
    [all, ['contacts:*'], 403],
    [all, ['contacts:read', 'companies:read'], 403],
  ])('an API key with %j cannot create a key with %j', async (granted, permissions, status) => {
    const key = await withPermissions(granted)
    const answer = await key.post('/api-keys', { name: 'Minted', permissions })
    expect(answer.status).toBe(status)
    if (status === 201) expect(answer.body.permissions).toEqual(permissions ?? null)
    else expect(answer.body.detail).toMatch(/permission/)
  })

  test.each<[string, unknown, number]>([
    ['more permissions', ['contacts:manage'], 403],
    ['all permissions', null, 403],
    ['fewer permissions', ['contacts:read'], 200],
    ['the same permissions', ['api_keys:manage', 'contacts:write'], 200],
  ])(
    'an API key can give itself or another key only permissions that it has: %s',
    async (_what, permissions, status) => {
      const key = await withPermissions(['api_keys:manage', 'contacts:write'])
      const other = await withPermissions(['contacts:read'])
      for (const apiKeyId of [other.apiKeyId, key.apiKeyId]) {
        expect((await key.patch(`/api-keys/${apiKeyId}`, { permissions })).status).toBe(status)
      }
    },
  )

  test('an API key may delete a key with more permissions, so that anyone can revoke a leaked key', async () => {
    const [key, stronger] = [await withPermissions(['api_keys:manage']), await app.newKey(org.orgId)]
    expect((await key.delete(`/api-keys/${stronger.apiKeyId}`)).status).toBe(204)
    expect((await stronger.get('/organization')).status).toBe(401)
  })

  test('an API key cannot rotate a key that has more permissions', async () => {
    const key = await withPermissions(['api_keys:manage'])
    expect((await key.post(`/api-keys/${org.apiKeyId}/rotate`)).status).toBe(403)
    expect((await org.get('/organization')).status).toBe(200)
    expect((await key.post(`/api-keys/${key.apiKeyId}/rotate`)).status).toBe(201)
  })

  test('creating an agency key requires an agency key or agency:manage', async () => {
    const agency = await app.newOrg({ isAgency: true })
    const minter = (permissions: string[], isAgency = false) =>
      app.newKey(agency.orgId, { permissions, isAgency })
    const mint = { name: 'All clients', is_agency: true, permissions: ['contacts:read'] }
    const short = await minter(['api_keys:manage', 'contacts:read'])
    const refused = await short.post('/api-keys', mint)
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('agency:manage')
    const far = await app.newKey(agency.orgId, { isAgency: true, permissions: ['contacts:read'] })
    expect((await short.post(`/api-keys/${far.apiKeyId}/rotate`)).status).toBe(403)
    for (const key of [
      await minter(['api_keys:manage', 'contacts:read'], true),
      await minter(['api_keys:manage', 'contacts:read', 'agency:manage']),
      agency,
    ]) {
      expect((await key.post('/api-keys', mint)).status).toBe(201)
    }
  })

  test('a test key may create the same keys as a live key', async () => {
    const key = await app.newKey(org.orgId, { mode: 'test' })
    const minted = await key.post('/api-keys', { name: 'Live' })
    expect(minted.status).toBe(201)
    expect(minted.body.mode).toBe('live')
  })
})

describe('revoked keys', () => {
  const callerOf = (key: TestOrg, orgId = key.orgId, reachesClients = false): Caller => ({
    apiKeyId: key.apiKeyId,
    memberId: null,
    sessionId: null,
    name: 'Test key',
    homeOrgId: key.orgId,
    payerId: key.orgId,
    orgId,
    mode: 'live',
    reachesClients,
    permissions: null,
  })
  const mint = (caller: Caller) =>
    app.app.context.database
      .org(caller.orgId)
      .transact((tx) => createKey(tx, caller, { name: 'Late', mode: 'live', is_agency: false }))
  const set = (text: string, key: TestOrg) =>
    app.operate((tx) => tx.run({ text: `${text} where api_key_id = $1`, values: [key.apiKeyId] }))

  test.each([
    ['deleted', 'delete from api_key', 'unauthenticated'],
    ['expired', `update api_key set expires_at = now() - interval '1 ms'`, 'unauthenticated'],
    ['restricted', `update api_key set permissions = '{api_keys:manage}'`, 'forbidden'],
  ])('a key creates no key on any node after it was %s', async (_what, text, kind) => {
    const key = await app.newKey(org.orgId)
    await expect(mint(callerOf(key))).resolves.toMatchObject({ name: 'Late' })
    await set(text, key)
    await expect(mint(callerOf(key))).rejects.toMatchObject({ kind })
  })

  test.each<[string, (other: TestOrg) => ['POST' | 'PATCH', string, object]]>([
    ['making', () => ['POST', '/api-keys', { name: 'Late', permissions: ['contacts:*'] }]],
    ['rotating', (other) => ['POST', `/api-keys/${other.apiKeyId}/rotate`, {}]],
    ['granting', (other) => ['PATCH', `/api-keys/${other.apiKeyId}`, { permissions: ['contacts:*'] }]],
  ])('a key that may no longer manage keys gets 403: %s', async (_what, act) => {
    const key = await withPermissions(['api_keys:manage', 'contacts:*'])
    const [method, path, body] = act(await withPermissions(['contacts:read']))
    expect((await key.get('/api-keys')).status).toBe(200)
    // The server asks for the body only after accepting the key.
    const sending = request(`${app.address}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key.token}`,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    })
    sending.flushHeaders()
    await once(sending, 'continue')
    await org.patch(`/api-keys/${key.apiKeyId}`, { permissions: ['contacts:*'] })
    sending.end(JSON.stringify(body))
    const [response] = await once(sending, 'response')
    expect(response.statusCode).toBe(403)
    expect(await json(response)).toEqual({
      detail: expect.stringContaining('api_keys:manage'),
      code: 'permission_missing',
    })
  })

  test('an agency key cannot create a key in an unlinked client on any node', async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    const client = await app.newOrg()
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    const caller = callerOf(agency, client.orgId, true)
    const made = await mint(caller)
    const { keys } = await app.operate((tx) => unlinkOrgs(tx, agency.orgId, client.orgId))
    expect(keys.map((key) => key.api_key_id)).toEqual([made.api_key_id])
    await expect(mint(caller)).rejects.toMatchObject({ kind: 'forbidden' })
  })

  test('the SQL function that reads a key shows nothing to other organizations', async () => {
    const [agency, client, stranger] = [await app.newAgency(), await app.newOrg(), await app.newOrg()]
    await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
    const held = (orgId: string, key: TestOrg) =>
      app.app.context.database.org(orgId).readRows<{ permissions: null; may_act: boolean }>({
        text: 'select permissions, may_act, made_by_org_id from app.hold_key($1, $2)',
        values: [key.orgId, key.apiKeyId],
      })
    const seen = { permissions: null, may_act: true, made_by_org_id: agency.orgId }
    expect(await held(agency.orgId, agency)).toEqual([seen])
    expect(await held(client.orgId, agency)).toEqual([seen])
    expect(await held(agency.orgId, client)).toEqual([])
    for (const key of [agency, client]) expect(await held(stranger.orgId, key)).toEqual([])
  })

  test("if an agency's key creates a key, that key and all keys that it creates name the agency as creator", async () => {
    const agency = await app.newOrg({ isAgency: true, key: { isAgency: true } })
    const { org_id } = (await agency.post('/agency/clients', { name: 'Northwind' })).body.data
    const first = await agency.post(
      '/api-keys',
      { name: 'First' },
      { headers: { 'x-target-org-id': org_id } },
    )
    const second = await app.client(first.body.api_key_token).post('/api-keys', { name: 'Second' })
    const rotated = await app
      .client(second.body.api_key_token)
      .post(`/api-keys/${second.body.api_key_id}/rotate`)
    await app.client(rotated.body.api_key_token).delete(`/api-keys/${first.body.api_key_id}`)
    const { keys } = await app.operate((tx) => unlinkOrgs(tx, agency.orgId, org_id))
    expect(keys.map((key) => key.api_key_id)).toEqual([rotated.body.api_key_id])
  })
})
