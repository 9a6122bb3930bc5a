import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { accept, invite, linkedByInvitation } from '../support/invitations.ts'
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

describe('invitations', () => {
  test('accepting an invitation links the organization, immediately on this node and within 2 s on the others', async () => {
    const [agency, client] = [await app.newAgency('Bright'), await app.newOrg({ name: 'Northwind' })]
    const remote = elsewhere.client(agency.token)
    expect((await remote.get('/contacts', on(client.orgId))).status).toBe(403)
    const { token, ...invitation } = await invite(agency, { label: 'Northwind' })
    expect(invitation).toMatchObject({
      ...{ label: 'Northwind', status: 'pending', token_hint: token.slice(-4) },
      ...{ accepted_at: null, client_org_id: null },
    })

    const accepted = await accept(client, token)
    expect([accepted.status, accepted.body.data]).toEqual([
      201,
      { org_id: agency.orgId, name: 'Bright', linked_at: expect.any(Number) },
    ])
    expect((await agency.get('/contacts', on(client.orgId))).status).toBe(200)
    await expectWithin(2_000, async () => (await remote.get('/contacts', on(client.orgId))).status, 200)

    const { body } = await agency.get(`/agency/invitations/${invitation.invitation_id}`)
    expect(body.data).toMatchObject({ status: 'accepted', client_org_id: client.orgId })
    expect((await client.get('/organization/agencies')).body).toMatchObject({
      data: [{ org_id: agency.orgId, name: 'Bright' }],
      pagination: { total: 1, has_next: false },
    })
    expect((await agency.get(`/agency/clients/${client.orgId}`)).body.data).toMatchObject({
      org_id: client.orgId,
      name: 'Northwind',
    })
  })

  test('accepting an invitation writes an event in both organizations, and each event names only a key of its own organization', async () => {
    const [agency, client] = [await app.newAgency(), await app.newOrg({ name: 'Northwind' })]
    const { token, invitation_id } = await invite(agency)
    await accept(client, token)
    expect(await eventsOf(agency, 'agency.invitation_created')).toMatchObject([
      { object_id: invitation_id, api_key_id: agency.apiKeyId },
    ])
    expect(await eventsOf(agency, 'agency.client_linked')).toMatchObject([
      { object_id: client.orgId, api_key_id: null, data: { invitation_id, name: 'Northwind' } },
    ])
    expect(await eventsOf(client, 'org.agency_linked')).toMatchObject([
      { object_id: agency.orgId, api_key_id: client.apiKeyId, data: { invitation_id, name: 'Agency' } },
    ])
  })

  test('the database stores only a hash of an invitation token, and the stored answer is encrypted', async () => {
    const agency = await app.newAgency()
    const headers = { 'idempotency-key': 'invite-1' }
    const [first, again] = [
      await agency.post('/agency/invitations', {}, { headers }),
      await agency.post('/agency/invitations', {}, { headers }),
    ]
    expect(again.text).toBe(first.text)
    const { token } = first.body.data
    const secret = token.replace('svc_invite_', '')
    for (const table of ['agency_invitation', 'idempotency_key', 'event']) {
      const rows = await runAsOwner(app.databaseUrl, `select to_jsonb(t)::text as row from ${table} t`)
      const stored = JSON.stringify(rows)
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    }
    const other = await app.newKey(agency.orgId, { isAgency: true })
    expect((await other.post('/agency/invitations', {}, { headers })).status).toBe(409)
  })

  test('invitations are listed in pages, and an invitation can be revoked until it is accepted', async () => {
    const [agency, client] = [await app.newAgency(), await app.newOrg()]
    const [one, two] = [await invite(agency), await invite(agency)]
    const first = await agency.get('/agency/invitations?limit=1')
    expect(first.text).not.toContain(two.token)
    expect(first.body.data).toMatchObject([{ invitation_id: two.invitation_id }])
    const rest = await agency.get(`/agency/invitations?limit=1&cursor=${first.body.pagination.next_cursor}`)
    expect(rest.body.data).toMatchObject([{ invitation_id: one.invitation_id }])

    const path = `/agency/invitations/${one.invitation_id}`
    expect((await agency.delete(path)).status).toBe(204)
    expect((await agency.delete(path)).status).toBe(404)
    expect((await accept(client, one.token)).status).toBe(404)
    expect(await eventsOf(agency, 'agency.invitation_revoked')).toMatchObject([
      { object_id: one.invitation_id },
    ])
    expect((await accept(client, two.token)).status).toBe(201)
    const late = await agency.delete(`/agency/invitations/${two.invitation_id}`)
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining(client.orgId)])
  })

  test('an agency has at most 1,000 pending invitations', async () => {
    const agency = await app.newAgency()
    await runAsOwner(
      app.databaseUrl,
      `insert into agency_invitation (org_id, invitation_id, token_hash, token_hint, created_at, expires_at)
       select $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'hint', now(), now() + '1 day'
       from generate_series(1, 999)`,
      [agency.orgId],
    )
    await invite(agency)
    expect((await agency.post('/agency/invitations', {})).status).toBe(409)
  })
})

describe('invalid tokens', () => {
  test('every invitation token that cannot be accepted gets the same answer', async () => {
    const [agency, client] = [await app.newAgency(), await app.newOrg()]
    const [used, revoked, expired] = [await invite(agency), await invite(agency), await invite(agency)]
    expect((await accept(await app.newOrg(), used.token)).status).toBe(201)
    await agency.delete(`/agency/invitations/${revoked.invitation_id}`)
    await runAsOwner(
      app.databaseUrl,
      `update agency_invitation set expires_at = now() where invitation_id = $1`,
      [expired.invitation_id],
    )
    const unknown = await accept(client, 'svc_invite_2f8Jx0cQv9LmT4sYb7NpRk1WdZ6hGe3uA5iB')
    expect(unknown.status).toBe(404)
    const { token: apiKey } = await app.newKey(client.orgId)
    for (const token of [used.token, revoked.token, expired.token, apiKey!, 'x', `${used.token}x`]) {
      const answer = await accept(client, token)
      expect([answer.status, answer.text]).toEqual([404, unknown.text])
    }
    expect((await client.get('/organization/agencies')).body.data).toEqual([])
    const { body } = await agency.get(`/agency/invitations/${expired.invitation_id}`)
    expect(body.data.status).toBe('expired')
  })

  test('an invitation token does not authenticate a request', async () => {
    const { token } = await invite(await app.newAgency())
    expect((await app.client(token).get('/organization')).status).toBe(401)
  })
})

describe('permissions to accept', () => {
  test.each<[string, number, string, (given: { agency: TestOrg; client: TestOrg }) => Promise<TestClient>]>([
    [
      'a key that may only manage the organization',
      403,
      'all permissions',
      async ({ client }) => app.newKey(client.orgId, { permissions: ['organization:manage'] }),
    ],
    [
      'a key that may write the organization',
      403,
      'organization:manage',
      async ({ client }) => app.newKey(client.orgId, { permissions: ['organization:write', 'contacts:*'] }),
    ],
    ['the agency itself', 409, 'its own invitation', async ({ agency }) => agency],
    [
      'a key that the agency made in the client',
      409,
      'its own invitation',
      async ({ agency, client }) => {
        await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
        const made = await agency.post('/api-keys', { name: 'Made by the agency' }, on(client.orgId))
        await agency.delete(`/agency/clients/${client.orgId}`)
        return app.client(made.body.api_key_token)
      },
    ],
  ])('an invitation cannot be accepted by %s', async (_what, status, says, keyOf) => {
    const given = { agency: await app.newAgency(), client: await app.newOrg() }
    const key = await keyOf(given)
    const { token } = await invite(given.agency)
    const answer = await accept(key, token)
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(says)])
    expect((await given.client.get('/organization/agencies')).body.data).toEqual([])
    expect((await accept(given.client, token)).status).toBe(201)
  })

  test('an agency cannot accept an invitation for its client, and two agencies can have the same client', async () => {
    const { agency, client } = await linkedByInvitation(app)
    const second = await app.newAgency('Second')
    const { token } = await invite(second)
    const forClient = await accept(agency, token, on(client.orgId))
    expect([forClient.status, forClient.body.detail]).toEqual([403, expect.stringContaining('client')])
    expect((await accept(client, token)).status).toBe(201)
    expect((await client.get('/organization/agencies')).body.pagination.total).toBe(2)
    const again = await accept(client, (await invite(second)).token)
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('already')])
  })
})

describe('races', () => {
  test('if many organizations accept one invitation token concurrently, exactly one is linked', async () => {
    const agency = await app.newAgency()
    const { token } = await invite(agency)
    const clients = await Promise.all(Array.from({ length: 6 }, () => app.newOrg()))
    const answers = await Promise.all(clients.map((client) => accept(client, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404, 404])
    expect((await agency.get('/agency/clients')).body.pagination.total).toBe(1)
    expect(await eventsOf(agency, 'agency.client_linked')).toHaveLength(1)
  })

  test('of concurrent requests to accept and to revoke an invitation, exactly one succeeds', async () => {
    for (let round = 0; round < 8; round++) {
      const [agency, client] = [await app.newAgency(), await app.newOrg()]
      const { token, invitation_id } = await invite(agency)
      const [accepted, revoked] = await Promise.all([
        accept(client, token),
        agency.delete(`/agency/invitations/${invitation_id}`),
      ])
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([accepted.status, revoked.status])
      const { total } = (await agency.get('/agency/clients')).body.pagination
      expect(total).toBe(accepted.status === 201 ? 1 : 0)
    }
  })

  test('accepting an invitation while the agency is deleted leaves no link', async () => {
    for (let round = 0; round < 8; round++) {
      const [agency, client] = [await app.newAgency(), await app.newOrg()]
      const { token } = await invite(agency)
      const [accepted] = await Promise.all([
        accept(client, token),
        app.operate((tx) => tx.run({ text: 'delete from org where org_id = $1', values: [agency.orgId] })),
      ])
      expect([201, 404]).toContain(accepted.status)
      expect((await client.get('/organization/agencies')).body.data).toEqual([])
    }
  })
})
