import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { putMembership } from '../../src/members/memberships.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp, type TestApp, type TestClient } from '../support/app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

let app: TestApp
const receivers: Receiver[] = []
beforeAll(async () => {
  app = await startTestApp({ outboundAllowPrivate: true })
})
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close()
})
afterAll(() => app.close())

const path = '/webhooks/endpoints'

async function listen(
  maker: Pick<TestClient, 'post'>,
  types: string[] = ['*'],
  headers: Record<string, string> = {},
) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { status, body } = await maker.post(path, { url: receiver.url, types }, { headers })
  expect([status, body.detail]).toEqual([201, undefined])
  receiver.secrets.push(body.data.secret)
  return { receiver, id: body.data.endpoint_id as string }
}

/** Reduces an admin's permissions, like PATCH /members/{member_id}. */
const narrow = (orgId: string, { memberId }: SignedIn, permissions: string[]) =>
  app.operate((tx) =>
    tx.run(sql`
      update membership set permissions = ${permissions} where org_id = ${orgId} and member_id = ${memberId}`),
  )

const typesOf = ({ requests }: Receiver) => requests.map(({ body }) => body.type)
const show = async (org: Pick<TestClient, 'get'>, id: string) => (await org.get(`${path}/${id}`)).body.data

describe('an endpoint of a member', () => {
  test('an endpoint of a member shows what the member’s role allows at the time of each delivery', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, 'admin')
    await narrow(org.orgId, member, ['webhooks:manage', 'contacts:read', 'deals:read'])
    const { receiver } = await listen(member)
    await org.post('/companies', { name: 'Acme' })
    await org.post('/deals', { name: 'Website' })
    await expect.poll(() => typesOf(receiver), patience).toEqual(['deal.created'])
    expect(receiver.requests[0]!.body.data.object).toMatchObject({ name: 'Website' })
    await narrow(org.orgId, member, ['webhooks:manage', 'contacts:read'])
    await org.post('/deals', { name: 'Secret' })
    await org.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => typesOf(receiver), patience).toEqual(['deal.created', 'contact.created'])
  })

  test('an endpoint of a member does not send waiting events that the role no longer allows', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, 'admin')
    const { receiver, id } = await listen(member, ['deal.*', 'contact.*'])
    receiver.behave(({ type }) => (type === 'deal.created' ? 422 : 200))
    await org.post('/contacts', { first_name: 'Ada' })
    await org.post('/deals', { name: 'Website' })
    const waiting = () =>
      app.operate((tx) =>
        tx.rows(sql<{ type: string }>`select kind as type from webhook_retry where endpoint_id = ${id}`),
      )
    await expect.poll(async () => (await waiting()).length, patience).toBe(1)
    await narrow(org.orgId, member, ['webhooks:manage', 'contacts:read'])
    await app.operate((tx) => tx.run(sql`update webhook_retry set next_at = now() where endpoint_id = ${id}`))
    await expect.poll(async () => (await waiting()).length, patience).toBe(0)
    expect(typesOf(receiver).filter((type) => type === 'deal.created')).toHaveLength(1)
    const failed = await org.post(`${path}/${id}/replay`, { from: 1, failed_only: true })
    const replay = `/webhooks/replays/${failed.body.data.replay_id}`
    await expect.poll(async () => (await org.get(replay)).body.data.status, patience).toBe('finished')
    expect((await org.get(replay)).body.data.sent).toBe(0)
  })

  test('an endpoint whose member left is disabled with the reason member_left until another member enables it and becomes its owner', async () => {
    const org = await app.newOrg()
    const [owner, member] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'admin')]
    const { receiver, id } = await listen(member, ['contact.*'])
    await org.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    expect((await owner.delete(`/members/${member.memberId}`)).status).toBe(204)
    await expect.poll(async () => (await show(org, id)).disabled_reason, patience).toBe('member_left')
    await org.post('/contacts', { first_name: 'Grace' })
    const events = (await org.get(`/events?object_id=${id}`)).body.data
    expect(events[0]).toMatchObject({
      ...{ type: 'webhook_endpoint.disabled', data: { reason: 'member_left' }, actor: { kind: 'system' } },
    })
    const weak = await app.newKey(org.orgId, { permissions: ['webhooks:manage', 'deals:read'] })
    expect((await weak.post(`${path}/${id}/enable`)).body.code).toBe('permission_missing')
    expect((await show(org, id)).status).toBe('disabled')
    expect((await owner.post(`${path}/${id}/enable`)).body.data).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    })
    await expect.poll(() => receiver.accepted().length, patience).toBe(2)
    expect(await show(org, id)).toMatchObject({ status: 'enabled', disabled_reason: null })
  })

  test('an endpoint of an agency’s member stops in a client after the link is cut', async () => {
    const agency = await app.newAgency()
    const clientId = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const client = await app.newKey(clientId)
    const member = await newMember(app, agency.orgId, 'admin')
    member.orgId = clientId
    const { receiver, id } = await listen(member, ['contact.*'])
    await client.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    expect((await agency.delete(`/agency/clients/${clientId}`)).status).toBeLessThan(300)
    await client.post('/contacts', { first_name: 'Grace' })
    await expect.poll(async () => (await show(client, id)).disabled_reason, patience).toBe('member_left')
    expect(receiver.accepted()).toHaveLength(1)
  })

  test('an endpoint that an agency key made in a client stops after the link is cut, until the client enables it', async () => {
    const agency = await app.newAgency()
    const clientId = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const client = await app.newKey(clientId)
    const { receiver, id } = await listen(agency, ['contact.*'], { 'x-target-org-id': clientId })
    await client.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    expect((await agency.delete(`/agency/clients/${clientId}`)).status).toBe(200)
    await client.post('/contacts', { first_name: 'Grace' })
    await expect.poll(async () => (await show(client, id)).disabled_reason, patience).toBe('member_left')
    expect(receiver.accepted()).toHaveLength(1)
    expect((await client.post(`${path}/${id}/enable`)).status).toBe(200)
    await expect.poll(() => receiver.accepted().length, patience).toBe(2)
  })

  test('an endpoint of a key that an agency made in a client stops when the link is cut and the key is deleted', async () => {
    const agency = await app.newAgency()
    const clientId = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const client = await app.newKey(clientId)
    const target = { headers: { 'x-target-org-id': clientId } }
    const made = await agency.post('/api-keys', { name: 'Web shop' }, target)
    const { receiver, id } = await listen(app.client(made.body.api_key_token), ['contact.*'])
    expect((await client.delete(`/organization/agencies/${agency.orgId}`)).status).toBe(200)
    await client.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
    expect((await client.delete(`/api-keys/${made.body.api_key_id}`)).status).toBe(204)
    await client.post('/contacts', { first_name: 'Grace' })
    await expect.poll(async () => (await show(client, id)).disabled_reason, patience).toBe('member_left')
    expect(receiver.accepted()).toHaveLength(1)
  })

  test('an endpoint of a member in a sandbox follows the role in the organization that created the sandbox', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, 'admin')
    const made = (await org.post('/organization/sandboxes', { name: 'Trial' })).body.data
    const sandbox = app.client(made.api_key_token)
    member.orgId = made.org_id
    const { receiver } = await listen(member, ['contact.*'])
    await sandbox.post('/contacts', { first_name: 'Ada' })
    await expect.poll(() => receiver.accepted().length, patience).toBe(1)
  })

  test('an endpoint in a sandbox keeps sending after its key is deleted, also a key of an agency, until the agency’s link is cut', async () => {
    const agency = await app.newAgency()
    const clientId = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
    const client = await app.newKey(clientId)
    for (const maker of [client, agency]) {
      const headers = maker === agency ? { 'x-target-org-id': clientId } : {}
      const made = await maker.post('/organization/sandboxes', { name: 'Trial' }, { headers })
      const first = app.client(made.body.data.api_key_token)
      const { receiver, id } = await listen(first, ['contact.*'])
      const second = app.client(
        (await first.post('/api-keys', { name: 'Second', mode: 'test' })).body.api_key_token,
      )
      const { key } = (await first.get('/organization')).body.data
      expect((await second.delete(`/api-keys/${key.api_key_id}`)).status).toBe(204)
      await second.post('/contacts', { first_name: 'Ada' })
      await expect.poll(() => receiver.accepted().length, patience).toBe(1)
      if (maker === client) continue
      expect((await client.delete(`/organization/agencies/${agency.orgId}`)).status).toBe(200)
      await second.post('/contacts', { first_name: 'Grace' })
      await expect.poll(async () => (await show(second, id)).disabled_reason, patience).toBe('member_left')
      expect(receiver.accepted()).toHaveLength(1)
    }
  })

  test('the refusal of an endpoint names the permission that the role lacks', async () => {
    const org = await app.newOrg()
    const member = await newMember(app, org.orgId, 'admin')
    await app.operate((tx) => putMembership(tx, org.orgId, member.memberId, 'admin'))
    await narrow(org.orgId, member, ['webhooks:manage'])
    await expect
      .poll(async () => {
        const { body } = await member.post(path, { url: 'https://crm.example.com/', types: ['deal.closed'] })
        return body.detail
      }, patience)
      .toContain('Your role lacks the permission deals:read')
  })
})

test('an endpoint of an API key keeps its permissions after the key is deleted', async () => {
  const org = await app.newOrg()
  const key = await app.newKey(org.orgId)
  const { receiver } = await listen(key, ['contact.*'])
  await org.delete(`/api-keys/${key.apiKeyId}`)
  await org.post('/contacts', { first_name: 'Ada' })
  await expect.poll(() => receiver.accepted().length, patience).toBe(1)
})

test('a session shows the secret of an endpoint, and changes its URL, only after a confirmation', async () => {
  const org = await app.newOrg()
  const member = await newMember(app, org.orgId, 'admin')
  const body = { url: 'https://crm.example.com/', types: ['contact.*'] }
  const { endpoint_id: id } = (await member.post(path, body)).body.data
  await app.operate((tx) =>
    tx.run(sql`
      update session set confirmed_at = clock_timestamp() - interval '11 minutes' where member_id = ${member.memberId}`),
  )
  await expect
    .poll(async () => (await member.post(path, body)).body.code, patience)
    .toBe('confirmation_required')
  expect((await member.post(`${path}/${id}/rotate-secret`)).body.code).toBe('confirmation_required')
  const url = 'https://elsewhere.example/hooks'
  expect((await member.patch(`${path}/${id}`, { url })).body.code).toBe('confirmation_required')
  expect((await member.patch(`${path}/${id}`, { description: 'Mine' })).status).toBe(200)
  expect((await org.patch(`${path}/${id}`, { url })).status).toBe(200)
  expect((await org.post(`${path}/${id}/rotate-secret`)).status).toBe(200)
})
