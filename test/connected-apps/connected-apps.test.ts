import { afterAll, beforeAll, expect, test } from 'vitest'
import { putMembership } from '../../src/members/memberships.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { newMember } from '../support/members.ts'
import { OauthRequests } from '../support/oauth-requests.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let appId: string
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  appId = await org.newConnectedApp(org.orgId)
})
afterAll(() => app.close())

test('a connected app is listed and read with its permissions', async () => {
  const shown = {
    connected_app_id: appId,
    client_name: 'Claude',
    permissions: ['contacts:read', 'contacts:write'],
  }
  expect((await org.get('/connected-apps')).body).toMatchObject({ data: [shown], pagination: { total: 1 } })
  expect((await org.get(`/connected-apps/${appId}`)).body.data).toMatchObject(shown)
})

test('an app can lose permissions, but cannot get more', async () => {
  const more = await org.patch(`/connected-apps/${appId}`, { permissions: ['contacts:read', 'deals:read'] })
  expect([more.status, more.body.code]).toEqual([403, 'permission_not_grantable'])
  const less = await org.patch(`/connected-apps/${appId}`, { permissions: ['contacts:read'] })
  expect(less.body.data.permissions).toEqual(['contacts:read'])
})

test('a disconnected app is listed as disconnected, and its end has an event', async () => {
  expect((await org.delete(`/connected-apps/${appId}`)).status).toBe(204)
  expect((await org.get('/connected-apps')).body.data).toEqual([])
  expect((await org.get('/connected-apps?revoked=true')).body.data).toHaveLength(1)
  expect((await org.delete(`/connected-apps/${appId}`)).status).toBe(404)
  const { body } = await org.get(`/events?object_id=${appId}`)
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
    'connected_app.revoked',
    'connected_app.updated',
    'connected_app.connected',
  ])
})

test('the apps of a client name the agency of the person who connected them, also after the link was cut', async () => {
  const { agency, client } = await linkedByInvitation(app)
  const person = await newMember(app, agency.orgId, 'admin')
  const requests = new OauthRequests(app)
  const { body } = await requests.register()
  await requests.connect(person, body.client_id, { orgId: client.orgId, permissions: ['contacts:read'] })
  const name = async () => {
    const { data } = (await client.get('/connected-apps')).body
    const one = await client.get(`/connected-apps/${data[0].connected_app_id}`)
    expect(one.body.data.member_name).toBe(data[0].member_name)
    return data[0].member_name
  }
  expect(await name()).toMatch(/ \(Agency\)$/)
  await client.delete(`/organization/agencies/${agency.orgId}`)
  expect(await name()).toMatch(/ \(Agency\)$/)
})

test('an app of an agency follows the membership that its person has in the client, as the person does', async () => {
  const { agency, client } = await linkedByInvitation(app)
  const person = await newMember(app, agency.orgId, 'admin')
  const requests = new OauthRequests(app)
  const { body } = await requests.register()
  const allowed = { orgId: client.orgId, permissions: ['contacts:read', 'contacts:write'] }
  const { access_token } = await requests.connect(person, body.client_id, allowed)
  expect((await client.post('/contacts', { last_name: 'Adams' })).status).toBe(201)
  const call = async (name: string, args = {}) =>
    (await callTool(app.client(access_token), name, args)).result
  const rights = async () => {
    const [{ granted }, { results }] = [
      await call('get_organization'),
      await call('search', { query: 'Adams' }),
    ]
    return { granted, found: results.length }
  }
  const whole = { granted: ['contacts:read', 'contacts:write'], found: 1 }
  expect(await rights()).toEqual(whole)

  await app.operate((tx) =>
    putMembership(tx, client.orgId, person.memberId, 'viewer', { recordAccess: 'own' }),
  )
  await eventually(async () => expect(await rights()).toEqual({ granted: ['contacts:read'], found: 0 }))
  const removed = await app.operate((tx) =>
    tx.run(sql`delete from membership where org_id = ${client.orgId}`),
  )
  expect(removed).toBe(1)
  await eventually(async () => expect(await rights()).toEqual(whole))
})
