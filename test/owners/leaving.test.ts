import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
let boss: SignedIn
let sam: SignedIn
let kim: SignedIn
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
  boss = await newMember(app, org.orgId, 'owner')
  sam = await newMember(app, org.orgId, 'member')
  kim = await newMember(app, org.orgId, 'member')
})
afterAll(() => app.close())

const paths = ['/contacts', '/companies', '/deals']
const recordsOf = async (path: string, owner: string) => (await org.get(`${path}?owner_id=${owner}`)).body
const totals = (owner: string) =>
  Promise.all(paths.map(async (path) => (await recordsOf(path, owner)).pagination.total))

/** Sam owns 205 contacts (one archived), a company and a deal. Kim owns a contact. */
async function fill(): Promise<string> {
  const own = { owner_id: sam.memberId }
  const items = Array.from({ length: 205 }, (_, index) => ({ first_name: `Ada ${index}`, ...own }))
  const { body } = await org.post('/contacts/batch', { items: items.slice(0, 200) })
  await org.post('/contacts/batch', { items: items.slice(200) })
  await org.delete(`/contacts/${body.data[0].contact_id}`)
  await org.post('/companies', { name: 'Acme', ...own })
  await org.post('/deals', { name: 'Website', ...own })
  await org.post('/contacts', { first_name: 'Kim’s', owner_id: kim.memberId })
  return body.data[0].contact_id
}

test('all records of an owner go to another member in the background, each with an event', async () => {
  const archived = await fill()
  const counts = { contacts: 205, companies: 1, deals: 1 }
  expect((await org.get(`/owners/${sam.memberId}`)).body.data).toMatchObject(counts)
  const answer = await org.post(`/owners/${sam.memberId}/reassign`, { to_owner_id: kim.memberId })
  expect([answer.status, answer.body.data]).toMatchObject([202, counts])
  await expect.poll(() => totals(sam.memberId), patience).toEqual([0, 0, 0])
  await expect.poll(() => totals(kim.memberId), patience).toEqual([205, 1, 1])
  const contact = (await org.get(`/contacts/${archived}`)).body.data
  expect(contact).toMatchObject({ owner_id: kim.memberId, owner_email: kim.email, version: 3 })
  const events = (await org.get(`/events?object_id=${archived}`)).body.data
  expect(events[0]).toMatchObject({
    type: 'contact.updated',
    changed: ['owner_id', 'owner_email'],
    actor: { id: org.apiKeyId },
  })
})

test('an API key that may write only deals moves only deals', async () => {
  await fill()
  const key = await app.newKey(org.orgId, { permissions: ['deals:write'] })
  const { status, body } = await key.post(`/owners/${sam.memberId}/reassign`, { to_owner_id: null })
  expect([status, body.data]).toMatchObject([202, { contacts: null, companies: null, deals: 1 }])
  await expect.poll(() => totals(sam.memberId), patience).toEqual([204, 1, 0])
})

test('a reassignment needs another member of the organization', async () => {
  const stranger = await newMember(app, (await app.newOrg()).orgId)
  const send = async (from: string, to_owner_id: string) => {
    const { status, body } = await org.post(`/owners/${from}/reassign`, { to_owner_id })
    return [status, body.code]
  }
  expect(await send(sam.memberId, stranger.memberId)).toEqual([404, 'reference_not_found'])
  expect(await send(stranger.memberId, sam.memberId)).toEqual([404, 'object_not_found'])
  expect((await send(sam.memberId, sam.memberId))[0]).toBe(422)
})

const remove = (query = '') =>
  boss.delete(`/members/${sam.memberId}${query}`, { headers: { 'content-type': 'application/json' } })

test('a member who is removed leaves records without an owner', async () => {
  await fill()
  expect((await remove()).status).toBe(204)
  await expect.poll(() => totals(sam.memberId), patience).toEqual([0, 0, 0])
  const [deal] = (await org.get('/deals')).body.data
  expect(deal).toMatchObject({ owner_id: null, owner_email: null })
})

test('the records and open tasks of a member who is removed go to the member that the request names', async () => {
  await fill()
  const { contact_id: record_id } = (await org.get('/contacts?limit=1')).body.data[0]
  const sent = { entity_type: 'contact', record_id, title: 'Call', assignee_id: sam.memberId }
  const task = (await org.post('/tasks', sent)).body.data
  expect((await remove(`?reassign_to=${kim.memberId}`)).status).toBe(204)
  await expect.poll(() => totals(kim.memberId), patience).toEqual([205, 1, 1])
  expect((await org.get(`/tasks/${task.task_id}`)).body.data.assignee_id).toBe(kim.memberId)
})

test('a removal refuses a stranger and the removed member as the new owner', async () => {
  const stranger = await newMember(app, (await app.newOrg()).orgId)
  for (const id of [stranger.memberId, sam.memberId]) {
    const { status, body } = await remove(`?reassign_to=${id}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'reassign_to']])
  }
  expect((await org.get('/owners')).body.data).toHaveLength(3)
})

test('the undo of a merge gives no record to a member who has left', async () => {
  const create = async (fields: object) => (await org.post('/contacts', fields)).body.data.contact_id
  const survivor_id = await create({ first_name: 'Ada', owner_id: kim.memberId })
  const loser_id = await create({ first_name: 'Ada', owner_id: sam.memberId })
  const merge = { entity_type: 'contact', survivor_id, loser_ids: [loser_id] }
  const { merge_id } = (await org.post('/duplicates/merge', merge)).body.data.merges[0]
  await remove()
  await org.post(`/duplicates/undo-merge/${merge_id}`)
  const { data } = (await org.get(`/contacts/${loser_id}`)).body
  expect([data.owner_id, data.owner_email]).toEqual([null, null])
})
