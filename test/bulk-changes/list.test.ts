import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { newMember } from '../support/members.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const body = (entity: 'contact' | 'company') => ({
  entity,
  filter: { field: 'created_at', op: 'gte', value: 0 },
  change: { add_tags: ['new'] },
})

/** Starts changes one after the other. Returns their ids, the newest first. */
async function started(...entities: ('contact' | 'company')[]): Promise<string[]> {
  const ids: string[] = []
  for (const entity of entities)
    ids.unshift((await org.post('/bulk-changes', body(entity))).body.data.bulk_change_id)
  return ids
}

test('GET /bulk-changes lists the changes, newest first, in pages and by record type', async () => {
  const [third, second, first] = await started('contact', 'company', 'contact')
  const all = await org.get('/bulk-changes')
  expect(all.status).toBe(200)
  expect(all.body.data.map((each: Shown) => each.bulk_change_id)).toEqual([third, second, first])
  expect(all.body.pagination.total).toBe(3)
  const one = await org.get('/bulk-changes?entity=company')
  expect(one.body.data.map(idOf)).toEqual([second])
  expect(one.body.pagination.total).toBe(1)
  // The job moves on meanwhile.
  await eventually(async () =>
    expect((await org.get('/bulk-changes?entity=company')).body.data).toEqual([
      (await org.get(`/bulk-changes/${second}`)).body.data,
    ]),
  )
  const page = await org.get('/bulk-changes?limit=2')
  expect(page.body.data.map((each: Shown) => each.bulk_change_id)).toEqual([third, second])
  const next = await org.get(`/bulk-changes?limit=2&cursor=${page.body.pagination.next_cursor}`)
  expect(next.body.data.map((each: Shown) => each.bulk_change_id)).toEqual([first])
  expect((await (await app.newOrg()).get('/bulk-changes')).body.data).toEqual([])
})

test('GET /bulk-changes?status= lists only the changes of a status', async () => {
  const ids = await started('company', 'contact')
  const ended = async () => (await org.get('/bulk-changes?status=succeeded')).body
  await eventually(async () => expect((await ended()).data.map(idOf)).toEqual(ids))
  const page = (await org.get('/bulk-changes?status=succeeded&limit=1')).body
  expect([page.data.map(idOf), page.pagination.total]).toEqual([ids.slice(0, 1), 2])
  const next = await org.get(`/bulk-changes?status=succeeded&limit=1&cursor=${page.pagination.next_cursor}`)
  expect(next.body.data.map(idOf)).toEqual(ids.slice(1))
  for (const status of ['queued', 'running', 'failed', 'canceled'])
    expect((await org.get(`/bulk-changes?status=${status}`)).body.pagination.total).toBe(0)
  expect((await org.get('/bulk-changes?status=ended')).status).toBe(422)
  const otherList = `/bulk-changes?status=failed&cursor=${page.pagination.next_cursor}`
  expect((await org.get(otherList)).status).toBe(422)
})

test('the list has only the record types that a key may write', async () => {
  const [companies] = await started('contact', 'company')
  const key = await app.newKey(org.orgId, { permissions: ['companies:write', 'contacts:read'] })
  const seen = await key.get('/bulk-changes')
  expect(seen.body.data.map((each: Shown) => each.bulk_change_id)).toEqual([companies])
  expect(seen.body.pagination.total).toBe(1)
  expect((await key.get('/bulk-changes?entity=contact')).status).toBe(403)
})

test('a change names the member or the key that requested it, and what it changes', async () => {
  const owner = await newMember(app, org.orgId)
  await started('contact')
  const { data } = (await owner.post('/bulk-changes', body('contact'))).body
  expect(data.change).toEqual(body('contact').change)
  expect(data.created_by).toEqual({ kind: 'member', id: owner.memberId, name: expect.any(String) })
  const byKey = { kind: 'api_key', id: org.apiKeyId, name: 'Test key' }
  const listed = (await org.get('/bulk-changes')).body.data
  expect(listed.map((each: Shown) => each.created_by)).toEqual([data.created_by, byKey])
})

type Shown = { bulk_change_id: string; created_by: object }

const idOf = ({ bulk_change_id }: Shown) => bulk_change_id
