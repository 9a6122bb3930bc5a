import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { callTool } from '../support/tool-calls.ts'

let app: TestApp
let org: TestOrg
let owner: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  await org.post('/voice/numbers', { number: from })
  owner = await newMember(app, org.orgId)
})
afterAll(() => app.close())

const from = '+14155550100'
const call = { to_number: '+12025550123', from_number: from }
const calls = async () => (await org.get('/voice/calls')).body.pagination.total

async function approve(person: SignedIn, question: string) {
  const { body } = await person.get('/approvals')
  const { effect_id } = body.data.find((each: { question: string }) => each.question === question)
  const decided = await person.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
  expect(decided.body.data).toEqual([{ effect_id, outcome: 'approved' }])
}

let numbers = 0
/** A call that a new member approved. */
async function approvedCall() {
  const args = { to_number: `+1202555${String(++numbers).padStart(4, '0')}`, from_number: from }
  const person = await newMember(app, org.orgId, 'member')
  const asked = (await callTool(org, 'place_call', args)).result
  await approve(person, asked.question)
  return { person, asked, again: { ...args, confirm_token: asked.confirm_token } }
}

test.each([
  ['left', (id: string) => owner.delete(`/members/${id}`)],
  ['became a viewer', (id: string) => owner.patch(`/members/${id}`, { role: 'viewer' })],
  [
    'lost the permission',
    (id: string) => owner.patch(`/members/${id}`, { permissions: ['contacts:write', 'voice:read'] }),
  ],
  ['reaches only own records', (id: string) => owner.patch(`/members/${id}`, { record_access: 'own' })],
])('an approval of a person who %s does not count, and another person can approve', async (_how, change) => {
  const before = await calls()
  const { person, asked, again } = await approvedCall()
  expect((await change(person.memberId)).status).toBeLessThan(300)
  expect((await callTool(org, 'place_call', again)).result).toMatchObject({ status: 'needs_confirmation' })
  expect(await calls()).toBe(before)
  await approve(owner, asked.question)
  expect((await callTool(org, 'place_call', again)).result).toHaveProperty('call_id')
  expect(await calls()).toBe(before + 1)
})

test('a call that ran is repeated although the person who approved it left', async () => {
  const { person, again } = await approvedCall()
  const placed = (await callTool(org, 'place_call', again)).result
  await owner.delete(`/members/${person.memberId}`)
  expect((await callTool(org, 'place_call', again)).result).toMatchObject({ call_id: placed.call_id })
})

test('an approval of a person of an agency does not count after the client cut the link', async () => {
  const { agency, client } = await linkedByInvitation(app)
  await client.post('/voice/numbers', { number: from })
  const person = await newMember(app, agency.orgId, 'admin')
  person.orgId = client.orgId
  const ask = async (args: object = {}) => (await callTool(client, 'place_call', { ...call, ...args })).result
  const kept = await ask()
  await approve(person, kept.question)
  expect(await ask({ confirm_token: kept.confirm_token })).toHaveProperty('call_id')
  const lost = await ask({ instructions: 'Ask for Ada.' })
  await approve(person, lost.question)
  await client.delete(`/organization/agencies/${agency.orgId}`)
  const again = { instructions: 'Ask for Ada.', confirm_token: lost.confirm_token }
  expect(await ask(again)).toMatchObject({ status: 'needs_confirmation' })
})

/** The approval that a person may decide of a call that `client` just asked for; undefined: it is not listed. */
async function waitingCall(client: TestClient, person: SignedIn) {
  const args = { to_number: `+1202555${String(++numbers).padStart(4, '0')}`, from_number: from }
  const { question } = (await callTool(client, 'place_call', args)).result
  return async (): Promise<string | undefined> =>
    (await person.get('/approvals')).body.data.find(
      (each: { question: string }) => each.question === question,
    )?.effect_id
}

const deleted = (id: string) => org.delete(`/api-keys/${id}`)

test.each([
  ['deleted', deleted],
  ['rotated', (id: string) => org.post(`/api-keys/${id}/rotate`)],
  ['narrowed', (id: string) => org.patch(`/api-keys/${id}`, { permissions: ['contacts:*', 'voice:read'] })],
  [
    'deleted long after the events of its creation',
    async (id: string) => {
      await withClient(app, (client) =>
        client.query('delete from event where org_id = $1 and object_id = $2', [org.orgId, id]),
      )
      return deleted(id)
    },
  ],
])('an approval is not listed after its API key was %s', async (_how, end) => {
  const { body: key } = await org.post('/api-keys', { name: 'Agent' })
  const waiting = await waitingCall(app.client(key.api_key_token), owner)
  const effectId = await waiting()
  expect(effectId).toBeDefined()
  expect((await end(key.api_key_id)).status).toBeLessThan(300)
  expect(await waiting()).toBeUndefined()
  const decided = await owner.post('/approvals/decide', { effect_ids: [effectId], approved: true })
  expect(decided.body.data).toEqual([{ effect_id: effectId, outcome: 'expired' }])
})

test.each(['*', 'voice:*', 'voice:manage', 'voice:write'])(
  'an approval is listed if its API key still has %s',
  async (permission) => {
    const { body: key } = await org.post('/api-keys', { name: 'Agent' })
    const waiting = await waitingCall(app.client(key.api_key_token), owner)
    const permissions = ['contacts:read', permission]
    expect((await org.patch(`/api-keys/${key.api_key_id}`, { permissions })).status).toBe(200)
    expect(await waiting()).toBeDefined()
  },
)

const agencyKeyEnds: [
  how: string,
  end: (agency: TestOrg, client: TestOrg, keyId: string) => Promise<unknown>,
][] = [
  ['was deleted', (agency, _client, keyId) => agency.delete(`/api-keys/${keyId}`)],
  [
    'lost the permission',
    (agency, _client, keyId) => agency.patch(`/api-keys/${keyId}`, { permissions: ['voice:read'] }),
  ],
  [
    'expired',
    (_agency, _client, keyId) =>
      withClient(app, (direct) =>
        direct.query(`update api_key set expires_at = now() - interval '1 second' where api_key_id = $1`, [
          keyId,
        ]),
      ),
  ],
  ['lost its link', (agency, client) => client.delete(`/organization/agencies/${agency.orgId}`)],
  ['left', (agency, client) => agency.delete(`/agency/clients/${client.orgId}`)],
]

test.each(agencyKeyEnds)(
  'an approval that the key of an agency asked for is listed for the people of the client, until the key %s',
  async (_how, end) => {
    const { agency, client } = await linkedByInvitation(app)
    await client.post('/voice/numbers', { number: from })
    const person = await newMember(app, client.orgId)
    const { body: key } = await agency.post('/api-keys', { name: 'Agent', is_agency: true })
    const sender = app.client(key.token)
    const headers = { 'x-target-org-id': client.orgId }
    const post = sender.post.bind(sender)
    sender.post = (path, body, options) => post(path, body, { ...options, headers })
    const waiting = await waitingCall(sender, person)
    const effectId = await waiting()
    expect(effectId).toBeDefined()
    await end(agency, client, key.api_key_id)
    expect(await waiting()).toBeUndefined()
    const decided = await person.post('/approvals/decide', { effect_ids: [effectId], approved: true })
    expect(decided.body.data).toEqual([{ effect_id: effectId, outcome: 'expired' }])
  },
)

test('an approval names the agency whose key asked for it, and not the key, which the client does not know', async () => {
  const { agency, client } = await linkedByInvitation(app)
  await client.post('/voice/numbers', { number: from })
  const person = await newMember(app, client.orgId)
  const { body: agencyOrg } = await agency.get('/organization')
  const headers = { 'x-target-org-id': client.orgId }
  const post = agency.post.bind(agency)
  agency.post = (path, body, options) => post(path, body, { ...options, headers })
  await waitingCall(agency, person)
  await waitingCall(client, person)
  const { body } = await person.get('/approvals')
  expect(body.data.map(({ asked_by }: { asked_by: string }) => asked_by)).toEqual([
    agencyOrg.data.org.name,
    'Test key',
  ])
})

test('of two people who decide an approval at the same moment, the second one learns the decision of the first', async () => {
  const other = await newMember(app, org.orgId, 'member')
  const waiting = await waitingCall(org, owner)
  const effectId = await waiting()
  const decide = (person: SignedIn, approved: boolean) =>
    person.post('/approvals/decide', { effect_ids: [effectId], approved })
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from pending_effect where effect_id = $1 for update', [effectId])
    await withClient(app, async (watcher) => {
      const first = decide(owner, false)
      await untilBlocked(watcher)
      const second = decide(other, true)
      await untilBlocked(watcher, 2)
      await client.query('commit')
      const outcomes = (await Promise.all([first, second])).map(({ body }) => body.data[0].outcome)
      expect([
        ['declined', 'declined_before'],
        ['approved_before', 'approved'],
      ]).toContainEqual(outcomes)
    })
  })
  const { body } = await org.get('/events?types=approval.approved,approval.declined')
  expect(body.data.filter((event: { object_id: string }) => event.object_id === effectId)).toHaveLength(1)
})

test('a member with limited records does not see an approval whose API key was deleted', async () => {
  const limited = await newMember(app, org.orgId, 'member')
  const { body: key } = await org.post('/api-keys', { name: 'Agent' })
  const waiting = await waitingCall(app.client(key.api_key_token), owner)
  const effectId = await waiting()
  // A limited member may approve only pushes of signatures.
  await withClient(app, (client) =>
    client.query("update pending_effect set permission = 'signatures:write' where effect_id = $1", [
      effectId,
    ]),
  )
  expect((await owner.patch(`/members/${limited.memberId}`, { record_access: 'own' })).status).toBe(200)
  const seen = async () =>
    (await limited.get('/approvals')).body.data.map(({ effect_id }: { effect_id: string }) => effect_id)
  expect(await seen()).toContain(effectId)
  await deleted(key.api_key_id)
  expect(await seen()).not.toContain(effectId)
})
