import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
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

test.each([
  ['deleted', (id: string) => org.delete(`/api-keys/${id}`)],
  ['rotated', (id: string) => org.post(`/api-keys/${id}/rotate`)],
])('a call of a key that was %s waits for nobody', async (_how, end) => {
  const { body: key } = await org.post('/api-keys', { name: 'Agent' })
  const args = { to_number: `+1202555${String(++numbers).padStart(4, '0')}`, from_number: from }
  const { question } = (await callTool(app.client(key.api_key_token), 'place_call', args)).result
  const waiting = async () =>
    (await owner.get('/approvals')).body.data.filter(
      (each: { question: string }) => each.question === question,
    )
  const [{ effect_id }] = await waiting()
  expect((await end(key.api_key_id)).status).toBeLessThan(300)
  expect(await waiting()).toEqual([])
  const decided = await owner.post('/approvals/decide', { effect_ids: [effect_id], approved: true })
  expect(decided.body.data).toEqual([{ effect_id, outcome: 'expired' }])
})
