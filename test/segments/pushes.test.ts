import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp } from '../support/app.ts'
import { crmBase as base, connect, leadsOf, newContact, untilJobEnds } from '../support/crm-sync/crm.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

test('a preview and a push of a segment send its people who match the conditions, even if the segment is then deleted', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const ada = await newContact(org, {
    first_name: 'Ada',
    email: 'ada@x.example',
    city: 'London',
    tags: ['vip'],
  })
  await newContact(org, { first_name: 'Bob', email: 'bob@x.example', city: 'London' })
  await newContact(org, { first_name: 'Cy', email: 'cy@x.example', city: 'Paris', tags: ['vip'] })
  const london = {
    entity: 'contact',
    name: 'London',
    filter: { field: 'city', value: 'London' },
    q: 'x.example',
  }
  const { segment_id } = (await org.post('/segments', london)).body.data
  const count = async (body: object) =>
    (await org.post(`${base}/leads/previews`, { connection_id, ...body })).body.data.count
  expect(await count({ segment_id })).toBe(2)
  const inParis = {
    or: [{ field: 'city', value: 'Paris' }, { not: { field: 'city', op: 'is_null', value: false } }],
  }
  expect(await count({ conditions: inParis })).toBe(1)
  expect(await count({ conditions: { not: inParis }, segment_id })).toBe(2)
  const vips = { segment_id, conditions: { not: { field: 'tag', op: 'ne', value: 'vip' } } }
  expect(await count(vips)).toBe(1)
  const { body } = await org.post(`${base}/leads/push`, { connection_id, ...vips })
  expect((await org.delete(`/segments/${segment_id}`)).status).toBe(204)
  expect(await untilJobEnds(org, body.job_id)).toMatchObject({ status: 'succeeded', population: 1 })
  expect((await leadsOf(org, connection_id)).map(({ record_key }) => record_key)).toEqual([ada])
})

test('a push is refused with an unknown segment, a segment of deals, and contact ids beside a segment', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org)
  const contact = await newContact(org, { email: 'ada@x.example' })
  const { segment_id } = (await org.post('/segments', { entity: 'deal', name: 'All' })).body.data
  const push = async (body: object) => {
    const answer = await org.post(`${base}/leads/push`, { connection_id, ...body })
    return [answer.status, answer.body.detail[0].loc ?? answer.body.code]
  }
  expect(await push({ segment_id: contact })).toEqual([404, 'reference_not_found'])
  expect(await push({ segment_id })).toEqual([422, ['body', 'segment_id']])
  expect(await push({ segment_id, contact_ids: [contact] })).toEqual([422, ['body']])
  const conditions = { and: [{ field: 'city', op: 'gt', value: 1 }] }
  expect(await push({ conditions })).toEqual([422, ['body', 'conditions', 'and', 0, 'op']])
})
