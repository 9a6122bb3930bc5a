import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { accept, invite, linkedByInvitation } from '../support/invitations.ts'
import { newMember } from '../support/members.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
let elsewhere: TestApp
beforeAll(async () => {
  elsewhere = await startTestApp({ role: 'api' }, { databaseUrl: app.databaseUrl })
})
afterAll(async () => {
  await elsewhere.close({ leavesJobs: true })
  await app.close()
})

const on = (orgId: string) => ({ headers: { 'x-target-org-id': orgId } })

const eventsOf = async (org: TestClient, type: string) => (await org.get(`/events?type=${type}`)).body.data

describe('links', () => {
  test('an owner sees which agency made an invitation, which neither links the agency nor uses the invitation', async () => {
    const [agency, client] = [await app.newAgency(), await app.newOrg({ name: 'Northwind' })]
    const { token } = await invite(agency)
    const preview = (org: TestClient, sent = token) =>
      org.post('/organization/agencies/preview', { token: sent })
    const seen = await preview(client)
    expect([seen.status, seen.body.data]).toEqual([200, { org_id: agency.orgId, name: 'Agency' }])
    expect((await client.get('/organization/agencies')).body.data).toEqual([])
    expect((await agency.get('/contacts', on(client.orgId))).status).toBe(403)
    expect(await eventsOf(client, 'org.agency_linked')).toEqual([])
    expect(await eventsOf(agency, 'agency.client_linked')).toEqual([])
    expect((await preview(client, `${token}x`)).body.code).toBe('invitation_unusable')
    const own = (await preview(agency)).body
    expect([own.code, own.detail]).toEqual([
      'own_invitation',
      expect.stringContaining('an owner of the client'),
    ])
    expect((await accept(client, token)).status).toBe(201)
    expect((await preview(client)).status).toBe(404)
  })

  test('only a caller who may accept an invitation sees which agency made it', async () => {
    const { token } = await invite(await app.newAgency())
    const client = await app.newOrg()
    const admin = await newMember(app, client.orgId, 'admin')
    const limited = await client.post('/api-keys', { name: 'Sync', permissions: ['organization:manage'] })
    for (const who of [admin, app.client(limited.body.api_key_token)]) {
      const { status } = await who.post('/organization/agencies/preview', { token })
      expect(status).toBe(403)
    }
  })

  test.each(['agency', 'client'] as const)(
    'the %s can cut the link, and within 2 s the link ends for both organizations on every node',
    async (side) => {
      const { agency, client } = await linkedByInvitation(app)
      const remote = elsewhere.client(agency.token)
      await expectWithin(2_000, async () => (await remote.get('/contacts', on(client.orgId))).status, 200)
      const made = await agency.post('/api-keys', { name: 'Sync' }, on(client.orgId))
      const path = {
        agency: `/agency/clients/${client.orgId}`,
        client: `/organization/agencies/${agency.orgId}`,
      }
      const other = { agency: client.orgId, client: agency.orgId }[side]
      const cutter = side === 'agency' ? agency : client

      const cut = await cutter.delete(path[side])
      expect([cut.status, cut.body.data]).toEqual([
        200,
        {
          ...{ org_id: other, api_keys: [{ api_key_id: made.body.api_key_id, name: 'Sync' }], members: [] },
          ...(side === 'client' && { revoked_api_keys: [] }),
        },
      ])
      expect((await cutter.delete(path[side])).status).toBe(404)
      const refused = await agency.get('/contacts', on(client.orgId))
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('X-Target-Org-Id')])
      await expectWithin(2_000, async () => (await remote.get('/contacts', on(client.orgId))).status, 403)
      expect((await agency.get(`/agency/clients/${client.orgId}`)).status).toBe(404)
      expect((await agency.get('/agency/clients')).body.data).toEqual([])
      expect((await client.get('/organization/agencies')).body.data).toEqual([])
      expect((await app.client(made.body.api_key_token).get('/contacts')).status).toBe(200)

      const byKey = (who: string, org: TestOrg) => (who === side ? org.apiKeyId : null)
      expect(await eventsOf(agency, 'agency.client_unlinked')).toMatchObject([
        { object_id: client.orgId, api_key_id: byKey('agency', agency), data: { name: 'Northwind' } },
      ])
      expect(await eventsOf(client, 'org.agency_unlinked')).toMatchObject([
        { object_id: agency.orgId, api_key_id: byKey('client', client), data: { name: 'Agency' } },
      ])
    },
  )

  test('with revoke_keys, a client that cuts the link also deletes all keys that the agency made in it', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const made = (await agency.post('/api-keys', { name: 'Sync' }, on(client.orgId))).body
    const child = (await app.client(made.api_key_token).post('/api-keys', { name: 'Made by Sync' })).body
    const tokens = [made.api_key_token, child.api_key_token]
    const remote = tokens.map((token) => elsewhere.client(token))
    for (const key of remote) expect((await key.get('/contacts')).status).toBe(200)
    const path = `/organization/agencies/${agency.orgId}?revoke_keys=true`

    const weak = await app.newKey(client.orgId, { permissions: ['organization:manage'] })
    expect(await weak.delete(path)).toMatchObject({ status: 403, body: { code: 'permission_missing' } })
    expect((await client.get('/organization/agencies')).body.data).toHaveLength(1)

    const cut = await client.delete(path)
    const keys = [made, child].map(({ api_key_id, name }) => ({ api_key_id, name }))
    expect([cut.status, cut.body.data]).toEqual([
      200,
      { org_id: agency.orgId, api_keys: [], members: [], revoked_api_keys: keys },
    ])
    for (const token of tokens) expect((await app.client(token).get('/contacts')).status).toBe(401)
    for (const key of remote) await expectWithin(2_000, async () => (await key.get('/contacts')).status, 401)
    expect((await client.get('/contacts')).status).toBe(200)
    const deleted = await eventsOf(client, 'api_key.deleted')
    expect(deleted.map(({ object_id }: { object_id: string }) => object_id).sort()).toEqual(
      keys.map(({ api_key_id }) => api_key_id).sort(),
    )
  })

  test('with revoke_keys, the keys that the agency made in sandboxes of the client are deleted, too', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const sandbox = async (maker: TestOrg, options = {}) =>
      (await maker.post('/organization/sandboxes', { name: 'Trial' }, options)).body.data
    const [theirs, own] = [await sandbox(agency, on(client.orgId)), await sandbox(client)]
    const child = (await app.client(theirs.api_key_token).post('/api-keys', { name: 'Child', mode: 'test' }))
      .body
    const { body } = await client.delete(`/organization/agencies/${agency.orgId}?revoke_keys=true`)
    expect(body.data.revoked_api_keys).toEqual([
      { api_key_id: theirs.api_key_id, name: 'First key' },
      { api_key_id: child.api_key_id, name: 'Child' },
    ])
    for (const token of [theirs.api_key_token, child.api_key_token])
      await expectWithin(2_000, async () => (await app.client(token).get('/contacts')).status, 401)
    expect((await app.client(own.api_key_token).get('/contacts')).status).toBe(200)
  })

  test('an agency cuts its own link to a client, but not the link of another agency', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const rival = await app.newAgency()
    expect((await accept(client, (await invite(rival)).token)).status).toBe(201)
    const made = await rival.post('/api-keys', { name: 'Made by the rival' }, on(client.orgId))
    const person = await newMember(app, rival.orgId)
    const path = `/organization/agencies/${agency.orgId}?revoke_keys=true`
    for (const refused of [
      await rival.delete(path, on(client.orgId)),
      await app.client(made.body.api_key_token).delete(path),
      await person.delete(path, { headers: { 'x-org-id': client.orgId } }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'role_too_low' } })
    expect((await agency.get('/contacts', on(client.orgId))).status).toBe(200)

    const own = `/organization/agencies/${rival.orgId}?revoke_keys=true`
    const cut = await rival.delete(own, on(client.orgId))
    expect(cut.body.data.revoked_api_keys).toMatchObject([{ name: 'Made by the rival' }])
    expect((await client.delete(path)).status).toBe(200)
  })

  test('a key that a former agency made cuts no link of another agency, nor does a key made with it', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const former = await app.newAgency()
    expect((await accept(client, (await invite(former)).token)).status).toBe(201)
    const made = await former.post('/api-keys', { name: 'Handed over' }, on(client.orgId))
    const handed = app.client(made.body.api_key_token)
    const path = `/organization/agencies/${agency.orgId}`
    const refused = { status: 403, body: { code: 'role_too_low' } }
    expect((await former.delete(`/agency/clients/${client.orgId}`)).status).toBe(200)
    expect(await handed.delete(path)).toMatchObject(refused)
    const child = await handed.post('/api-keys', { name: 'Child' })
    expect(await app.client(child.body.api_key_token).delete(path)).toMatchObject(refused)
    expect((await agency.get('/contacts', on(client.orgId))).status).toBe(200)
    expect((await client.delete(path)).status).toBe(200)
  })

  test('a key that an agency made in a client cannot hand the client on to another agency', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const other = await app.newAgency()
    const { token } = await invite(other)
    const made = await agency.post('/api-keys', { name: 'Sync' }, on(client.orgId))
    const child = await app.client(made.body.api_key_token).post('/api-keys', { name: 'Child' })
    const keys = [made, child].map(({ body }) => app.client(body.api_key_token))
    const refused = { status: 403, body: { code: 'role_too_low' } }
    for (const key of keys) expect(await accept(key, token)).toMatchObject(refused)
    await agency.delete(`/agency/clients/${client.orgId}`)
    for (const key of keys) expect(await accept(key, token)).toMatchObject(refused)
    expect((await client.get('/organization/agencies')).body.data).toEqual([])
    // The token is not used up.
    expect((await accept(client, token)).status).toBe(201)
  })

  test('cutting a link requires agency:manage or organization:manage', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const weak = await app.newKey(agency.orgId, { isAgency: true, permissions: ['agency:write'] })
    expect((await weak.delete(`/agency/clients/${client.orgId}`)).status).toBe(403)
    const writer = await app.newKey(client.orgId, { permissions: ['organization:write'] })
    expect((await writer.delete(`/organization/agencies/${agency.orgId}`)).status).toBe(403)
  })
})

test('GET /agency/clients has pages', async () => {
  const agency = await app.newAgency()
  const made: string[] = []
  for (const name of ['A', 'B', 'C'])
    made.unshift((await agency.post('/agency/clients', { name })).body.data.org_id)
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await agency.get(`/agency/clients?limit=2${cursor}`)
    expect(body.pagination.total).toBe(3)
    seen.push(...body.data.map(({ org_id }: { org_id: string }) => org_id))
    cursor = body.pagination.has_next ? `&cursor=${body.pagination.next_cursor}` : ''
  } while (cursor !== '')
  expect(seen).toEqual(made)
})
