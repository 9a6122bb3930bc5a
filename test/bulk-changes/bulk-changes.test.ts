import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBulkChange } from '../../src/bulk-changes/bulk-changes.ts'
import { changeRecords } from '../../src/bulk-changes/jobs.ts'
import type { CreateBulkChange } from '../../src/bulk-changes/schema.ts'
import type { Author } from '../../src/platform/db/database.ts'
import type { Jobs } from '../../src/platform/jobs/jobs.ts'
import { sharedTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { eventually } from '../support/eventually.ts'
import { runDirectly } from '../support/jobs/run-directly.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { createContact, merge, undo } from '../support/merges.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const tagged = { entity: 'contact', filter: { field: 'tag', value: 'fair' } } as const

async function contacts(count: number, more: object = {}): Promise<string[]> {
  const items = Array.from({ length: count }, (_, n) => ({ first_name: `n${n}`, tags: ['fair'], ...more }))
  const { data } = (await org.post('/contacts/batch', { items })).body
  return data.map(({ contact_id }: { contact_id: string }) => contact_id)
}

const ended = (id: string, client: TestClient = org) =>
  eventually(async () => {
    const { data } = (await client.get(`/bulk-changes/${id}`)).body
    expect(data.ended_at).not.toBeNull()
    return data
  })

async function change(body: object, client: TestClient = org) {
  const answer = await client.post('/bulk-changes', body)
  expect([answer.status, answer.body.detail]).toEqual([202, undefined])
  return ended(answer.body.data.bulk_change_id, client)
}

/** Stores a change, and runs its job after `meanwhile`. */
async function runAfter(meanwhile: () => Promise<unknown>, by: Author = {}) {
  const { context } = app.app
  const author = context.database.org(org.orgId, by)
  const noJobs = { enqueue: async () => {} } as unknown as Jobs
  const input = { ...tagged, change: { add_tags: ['mine'] } } as unknown as CreateBulkChange
  const { bulk_change_id: id } = await author.transact((tx) =>
    createBulkChange(tx, author.within(tx), noJobs, input),
  )
  await meanwhile()
  const payload = { org_id: org.orgId, bulk_change_id: id }
  await runDirectly(changeRecords, { payload, context, signal: new AbortController().signal })
  return ended(id)
}

const read = async (id: string) => (await org.get(`/contacts/${id}`)).body.data

test('a bulk change of tags and custom changes the records that match, and each of them once', async () => {
  const ids = await contacts(450)
  const other = (await org.post('/contacts', { first_name: 'Other' })).body.data.contact_id
  const exact = JSON.rawJSON('12345678901234567890')
  const changes = { add_tags: ['new'], remove_tags: ['fair'], custom: { a: 1, exact } }
  const body = { ...tagged, change: changes }
  expect((await org.post('/bulk-changes/preview', body)).body.data).toEqual({ records: 450 })
  expect(await change(body)).toMatchObject({
    ...{ status: 'succeeded', records: 450, changed: 450, unchanged: 0, refused: 0, refusals: [] },
  })
  expect(await read(ids[449]!)).toMatchObject({ tags: ['new'], custom: { a: 1 }, version: 2 })
  expect((await org.get(`/contacts/${ids[0]}`)).text).toContain('12345678901234567890')
  expect(await read(other)).toMatchObject({ tags: [], version: 1 })
  const { total } = (await org.get('/contacts?tag=new')).body.pagination
  expect(total).toBe(450)
  const { data } = (await org.get(`/events?object_id=${ids[0]}`)).body
  expect(data.map(({ type }: { type: string }) => type)).toEqual(['contact.updated', 'contact.created'])
  expect(await change({ ...tagged, change: { add_tags: ['x'] } })).toMatchObject({ records: 0, changed: 0 })
})

test('a bulk change of a segment sets the owner, and archives records', async () => {
  const { memberId: owner } = await newMember(app, org.orgId)
  const [one] = await contacts(3)
  const sent = { entity: 'contact', name: 'Fair', filter: tagged.filter }
  const { segment_id } = (await org.post('/segments', sent)).body.data
  const selection = { entity: 'contact', segment_id }
  expect(await change({ ...selection, change: { owner_id: owner, add_tags: ['fair'] } })).toMatchObject({
    changed: 3,
  })
  expect(await read(one!)).toMatchObject({ owner_id: owner, tags: ['fair'] })
  expect(await change({ ...selection, change: { owner_id: owner } })).toMatchObject({
    changed: 0,
    unchanged: 3,
  })
  expect(await change({ ...selection, change: { archive: true } })).toMatchObject({ changed: 3 })
  expect((await org.get('/contacts')).body.pagination.total).toBe(0)
})

test('a record that cannot be changed is refused with its reason, and the others change', async () => {
  await org.post('/fields', { entity: 'contact', key: 'number', type: 'text', unique: true })
  const ids = await contacts(2)
  const done = await change({ ...tagged, change: { custom: { number: 'x' } } })
  expect(done).toMatchObject({ changed: 1, refused: 1 })
  expect(done.refusals).toMatchObject([{ record_id: ids[1], code: 'value_taken' }])
})

test.each([
  ['company', '/companies', { name: 'Acme' }],
  ['deal', '/deals', { name: 'Website' }],
])('records of the type %s lose a tag and get a member of custom', async (entity, path, fields) => {
  const { data } = (await org.post(path, { ...fields, tags: ['fair', 'vip'] })).body
  const body = { ...tagged, entity, change: { remove_tags: ['fair'], custom: { seen: true } } }
  expect(await change(body)).toMatchObject({ records: 1, changed: 1 })
  const { body: after } = await org.get(`${path}/${data[`${entity}_id`]}`)
  expect(after.data).toMatchObject({ tags: ['vip'], custom: { seen: true }, version: 2 })
})

test('a request that is sent again with its Idempotency-Key starts one change, and needs the same permission', async () => {
  const body = { ...tagged, change: { add_tags: ['new'] } }
  const again = { headers: { 'idempotency-key': 'fair' } }
  const first = await org.post('/bulk-changes', body, again)
  expect((await org.post('/bulk-changes', body, again)).text).toBe(first.text)
  const other = await app.newKey(org.orgId, { permissions: ['companies:write'] })
  expect((await other.post('/bulk-changes', body, again)).status).toBe(403)
  await ended(first.body.data.bulk_change_id)
})

test('a record that leaves the filter while the job waits for its lock is not changed', async () => {
  const [left, kept] = await contacts(2, { city: 'Bath' })
  const filter = { field: 'city', value: 'Bath' }
  const { body } = await withClient(app, async (client) => {
    await client.query('begin')
    await client.query(`update contact set city = 'Hull' where contact_id = $1`, [left])
    const answer = await org.post('/bulk-changes', {
      ...{ entity: 'contact', filter, change: { archive: true } },
    })
    await untilBlocked(client)
    await client.query('commit')
    return answer
  })
  expect(await ended(body.data.bulk_change_id)).toMatchObject({ records: 2, changed: 1, refused: 0 })
  expect([(await read(left!)).archived_at, (await read(kept!)).archived_at]).toEqual([
    null,
    expect.any(Number),
  ])
})

test('a merged record without a removed tag gets no tags of the records that it absorbed', async () => {
  const [one, other] = [
    await createContact(org, { first_name: 'Ada', tags: ['fair'] }),
    await createContact(org, { first_name: 'Ada', tags: ['other'] }),
  ]
  const [merged] = await merge(org, 'contact', one, other)
  await change({ ...tagged, change: { add_tags: ['new'], remove_tags: ['gone'] } })
  expect((await read(one)).tags.toSorted()).toEqual(['fair', 'new', 'other'])
  await undo(org, merged!.merge_id)
  expect([(await read(one)).tags, (await read(other)).tags]).toEqual([['fair', 'new'], ['other']])
})

test('a change whose filter cannot be used any more fails, and says why', async () => {
  const [id = ''] = await contacts(1)
  const tree = { field: 'email', op: 'eq', value: 'no address' }
  const spoil = () =>
    runAsOwner(app.databaseUrl, 'update bulk_change set selector = $1 where org_id = $2', [
      JSON.stringify({ tree, q: null }),
      org.orgId,
    ])
  expect(await runAfter(spoil)).toMatchObject({ status: 'failed', error: { code: 'filter_unusable' } })
  expect((await read(id)).version).toBe(1)
})

describe('a limited member', () => {
  let member: SignedIn
  let own: string
  let foreign: string
  const limit = (access: string) =>
    runAsOwner(app.databaseUrl, 'update membership set record_access = $1 where member_id = $2', [
      access,
      member.memberId,
    ])
  beforeEach(async () => {
    member = await newMember(app, org.orgId, 'member')
    await limit('own')
    ;[own = ''] = await contacts(1, { owner_id: member.memberId })
    ;[foreign = ''] = await contacts(1)
  })
  const itself = () => ({ memberId: member.memberId, recordAccess: 'own' }) as const
  const tags = async () => [(await read(own)).tags, (await read(foreign)).tags]

  test('a limited member changes and counts only the records that the member reaches', async () => {
    const { segment_id } = (await org.post('/segments', { entity: 'contact', name: 'All' })).body.data
    const body = { entity: 'contact', segment_id, change: { add_tags: ['mine'] } }
    expect((await member.post('/bulk-changes/preview', body)).body.data).toEqual({ records: 1 })
    expect(await change(body, member)).toMatchObject({ records: 1, changed: 1 })
    expect(await tags()).toEqual([['fair', 'mine'], ['fair']])
  })

  test('a bulk change keeps the limit of its member, even if the limit ends before the job runs', async () => {
    const done = await runAfter(() => limit('all'), itself())
    expect(done).toMatchObject({ status: 'succeeded', records: 1, changed: 1 })
    expect(await tags()).toEqual([['fair', 'mine'], ['fair']])
  })

  test('a limited member who is removed before the job runs changes nothing', async () => {
    const remove = () =>
      runAsOwner(app.databaseUrl, 'delete from membership where member_id = $1', [member.memberId])
    const done = await runAfter(remove, itself())
    expect(done).toMatchObject({ status: 'failed', error: { code: 'sender_removed' } })
    expect(await tags()).toEqual([['fair'], ['fair']])
  })
})

test.each<[string, object, number, string]>([
  ['without a filter', { entity: 'contact', change: { archive: true } }, 422, 'send a filter'],
  ['without a change', { ...tagged, change: {} }, 422, 'send what changes'],
  ['of an archived record', { ...tagged, change: { archive: true, add_tags: ['a'] } }, 422, 'without other'],
  ['with a tag twice', { ...tagged, change: { add_tags: ['a'], remove_tags: ['a'] } }, 422, 'is in both'],
  [
    'with an unknown filter',
    { ...tagged, filter: { field: 'x', value: 1 }, change: { archive: true } },
    422,
    'x',
  ],
  [
    'to an unknown owner',
    { ...tagged, change: { owner_id: '01990000-0000-7000-8000-000000000000' } },
    404,
    'owner_id',
  ],
])('a bulk change %s is refused', async (_case, body, status, words) => {
  for (const path of ['/bulk-changes', '/bulk-changes/preview']) {
    const answer = await org.post(path, body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
  }
})

test('a value of a defined field that does not fit is refused before anything changes', async () => {
  await org.post('/fields', { entity: 'contact', key: 'seats', type: 'number' })
  const answer = await org.post('/bulk-changes', { ...tagged, change: { custom: { seats: 'many' } } })
  expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'change', 'custom', 'seats']])
})
