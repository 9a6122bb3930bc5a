import { afterAll, expect, test } from 'vitest'
import { putMembership } from '../../src/members/memberships.ts'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { updateOrg } from '../../src/orgs/orgs.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { newMember } from '../support/members.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

async function newPerson(name: string): Promise<string> {
  const memberId = newId()
  await app.operate((tx) =>
    tx.run(sql`
      insert into member (member_id, email, email_key, name, created_at)
      values (${memberId}, ${`${memberId}@x.example`}, ${`${memberId}@x.example`}, ${name}, now())`),
  )
  return memberId
}

const latest = async (org: TestOrg, type: string) =>
  (await org.get(`/events?type=${type}&limit=1`)).body.data[0]

test('an event names its actor: an API key, a member, the operator or the system', async () => {
  const org = await app.newOrg()
  expect(await latest(org, 'org.created')).toMatchObject({
    api_key_id: null,
    actor: { kind: 'operator', id: null, name: null },
  })
  await org.patch('/organization', { name: 'By key' })
  expect(await latest(org, 'org.updated')).toMatchObject({
    api_key_id: org.apiKeyId,
    actor: { kind: 'api_key', id: org.apiKeyId, name: 'Test key' },
  })
  const memberId = await newPerson('Ada Lovelace')
  const { database } = app.app.context
  await database.org(org.orgId, { memberId }).transact((tx) => updateOrg(tx, { name: 'By a member' }))
  expect(await latest(org, 'org.updated')).toMatchObject({
    api_key_id: null,
    actor: { kind: 'member', id: memberId, name: 'Ada Lovelace' },
  })
  await database.org(org.orgId).transact((tx) => updateOrg(tx, { name: 'By the system' }))
  expect(await latest(org, 'org.updated')).toMatchObject({
    api_key_id: null,
    actor: { kind: 'system', id: null, name: null },
  })
})

test('the event of a deleted API key keeps its id, without a name', async () => {
  const org = await app.newOrg()
  const other = await app.newKey(org.orgId)
  await other.patch('/organization', { name: 'Changed' })
  await org.delete(`/api-keys/${other.apiKeyId}`)
  expect((await latest(org, 'org.updated')).actor).toEqual({
    kind: 'api_key',
    id: other.apiKeyId,
    name: null,
  })
})

test('for a key that rotated itself, the log finds the agency that made the first key, through at most 20 deleted keys', async () => {
  const [agency, client] = [await app.newAgency('Bright Agency'), await app.newOrg()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const { body, status, text } = await agency.post(
    '/api-keys',
    { name: 'First', permissions: ['api_keys:manage'] },
    { headers: { 'x-target-org-id': client.orgId } },
  )
  expect(status, text).toBe(201)
  let { api_key_id, api_key_token: token } = body
  const rotate = async () => {
    const rotated = await app.client(token).post(`/api-keys/${api_key_id}/rotate`)
    expect(rotated.status, rotated.text).toBe(201)
    ;({ api_key_id, api_key_token: token } = rotated.body)
  }
  const actor = async () => (await latest(client, 'api_key.rotated')).actor.name
  for (let n = 0; n < 19; n++) await rotate()
  expect(await actor()).toBe('Bright Agency')
  for (let n = 0; n < 3; n++) await rotate()
  expect(await actor()).toBe(null)
})

test('in the log of a client, changes of an agency key have the name of the agency, and keep it after the link is cut', async () => {
  const [agency, client] = [await app.newAgency('Bright Agency'), await app.newOrg()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const headers = { 'x-target-org-id': client.orgId }
  await agency.patch('/organization', { name: 'By the agency' }, { headers })
  const byAgency = { kind: 'api_key', id: agency.apiKeyId, name: 'Bright Agency' }
  expect((await latest(client, 'org.updated')).actor).toEqual(byAgency)
  await client.delete(`/organization/agencies/${agency.orgId}`)
  expect((await latest(client, 'org.updated')).actor).toEqual(byAgency)
})

test('in the log of a client, a person of an agency has the agency in brackets, even after the link is cut, and a member of both has no brackets', async () => {
  const [agency, client] = [await app.newAgency('Bright Agency'), await app.newOrg()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const memberId = await newPerson('Grace Hopper')
  await app.operate((tx) => putMembership(tx, agency.orgId, memberId, 'owner'))
  const { database } = app.app.context
  const nameAfterChange = async (org: TestOrg) => {
    await database
      .org(org.orgId, { memberId })
      .transact((tx) => updateOrg(tx, { name: `Changed ${newId()}` }))
    return (await latest(org, 'org.updated')).actor.name
  }
  expect(await nameAfterChange(client)).toBe('Grace Hopper (Bright Agency)')
  await client.delete(`/organization/agencies/${agency.orgId}`)
  expect((await latest(client, 'org.updated')).actor.name).toBe('Grace Hopper (Bright Agency)')
  expect(await nameAfterChange(agency)).toBe('Grace Hopper')
  await app.operate((tx) => putMembership(tx, client.orgId, memberId, 'viewer'))
  expect((await latest(client, 'org.updated')).actor.name).toBe('Grace Hopper')
})

test('an agency that deletes a key or removes a person stays named in the log of the client', async () => {
  const [agency, client] = [await app.newAgency('Bright Agency'), await app.newOrg()]
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const headers = { 'x-target-org-id': client.orgId }
  const ofAgency = await app.newKey(agency.orgId, { isAgency: true })
  const made = (await ofAgency.post('/api-keys', { name: 'Made in the client' }, { headers })).body
  const next = (await app.client(made.api_key_token).post('/api-keys', { name: 'Made by that key' })).body
  const [owner, person] = [await newMember(app, agency.orgId), await newMember(app, agency.orgId, 'admin')]
  person.orgId = client.orgId

  const name = async () => (await latest(client, 'org.updated')).actor.name
  const acts: [TestClient, () => Promise<unknown>][] = [
    [ofAgency, () => agency.delete(`/api-keys/${ofAgency.apiKeyId}`)],
    [app.client(made.api_key_token), () => client.delete(`/api-keys/${made.api_key_id}`)],
    [app.client(next.api_key_token), () => client.delete(`/api-keys/${next.api_key_id}`)],
    [person, () => owner.delete(`/members/${person.memberId}`)],
  ]
  const named: (string | null)[] = []
  for (const [actor, remove] of acts) {
    const target = actor === ofAgency ? headers : {}
    expect(
      (await actor.patch('/organization', { name: `Changed ${newId()}` }, { headers: target })).status,
    ).toBe(200)
    await remove()
    named.push(await name())
  }
  const ofPerson = expect.stringMatching(/^Person \d+ \(Bright Agency\)$/)
  expect(named).toEqual(['Bright Agency', 'Bright Agency', 'Bright Agency', ofPerson])
  await client.delete(`/organization/agencies/${agency.orgId}`)
  expect(await name()).toEqual(ofPerson)
})
