import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { eventually } from '../support/eventually.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const body = {
  entity: 'contact',
  filter: { field: 'tag', value: 'fair' },
  change: { add_tags: ['new'] },
} as const

/** Creates contacts. Returns their ids in the order in which a change goes through them. */
async function contacts(): Promise<string[]> {
  const items = Array.from({ length: 450 }, (_, n) => ({ first_name: `n${n}`, tags: ['fair'] }))
  const { data } = (await org.post('/contacts/batch', { items })).body
  return data.map(({ contact_id }: { contact_id: string }) => contact_id).sort()
}

const total = async (tag: string) => (await org.get(`/contacts?limit=1&tag=${tag}`)).body.pagination.total

/** Starts a change whose second step waits, cancels it, and lets the step go on. */
async function canceledInTheMiddle() {
  const ids = await contacts()
  return withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from contact where contact_id = $1 for update', [ids[250]])
    const started = await org.post('/bulk-changes', body)
    const path = `/bulk-changes/${started.body.data.bulk_change_id}`
    await eventually(async () => expect((await org.get(path)).body.data.changed).toBe(200))
    await untilBlocked(client)
    const canceling = org.post(`${path}/cancel`)
    await untilBlocked(client, 2)
    await client.query('rollback')
    return { path, answer: await canceling }
  })
}

test('a bulk change that is canceled stops: changed records stay changed, and the answer counts exactly them', async () => {
  const { path, answer } = await canceledInTheMiddle()
  expect(answer.status).toBe(200)
  const { data } = answer.body
  expect(data).toMatchObject({ status: 'canceled', records: 450, unchanged: 0, refused: 0, error: null })
  expect(data.ended_at).toEqual(expect.any(Number))
  expect(data.changed).toBe(await total('new'))
  expect(await total('fair')).toBe(450)
  expect((await org.post(`${path}/cancel`)).body.data).toEqual(data)
  expect((await org.get(path)).body.data).toEqual(data)
})

test('a bulk change that has ended cannot be canceled, and a key needs the write permission of its records', async () => {
  const { bulk_change_id: id } = (await org.post('/bulk-changes', body)).body.data
  await eventually(async () =>
    expect((await org.get(`/bulk-changes/${id}`)).body.data.status).toBe('succeeded'),
  )
  const late = await org.post(`/bulk-changes/${id}/cancel`)
  expect([late.status, late.body.code]).toEqual([409, 'job_already_ended'])
  const other = await app.newKey(org.orgId, { permissions: ['companies:write'] })
  const refused = await other.post(`/bulk-changes/${id}/cancel`)
  expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
  const elsewhere = await (await app.newOrg()).post(`/bulk-changes/${id}/cancel`)
  expect(elsewhere.status).toBe(404)
})
