import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const create = (fields: object) => org.post('/segments', { entity: 'contact', name: 'Some', ...fields })
const idOf = async (fields: object): Promise<string> => {
  const { status, body } = await create(fields)
  expect([status, body.detail]).toEqual([201, undefined])
  return body.data.segment_id
}
const problemOf = async (segmentId: string) => (await org.get(`/segments/${segmentId}`)).body.data.problem

const people = [
  { first_name: 'Ada', city: 'London', tags: ['vip'] },
  { first_name: 'Bob', city: 'Paris', tags: ['vip'] },
  { first_name: 'Cy', city: 'London' },
]
const addPeople = () => Promise.all(people.map((fields) => org.post('/contacts', fields)))
const london = { field: 'city', value: 'London' }
const namesOf = (body: { data: { first_name: string }[] }) => body.data.map((each) => each.first_name).sort()

describe('a segment', () => {
  test('a segment has a name, records, a filter with its operators, words and an order', async () => {
    const { status, headers, body } = await create({ name: ' VIP ', filter: london, q: 'ada', sort: 'name' })
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body.data).toMatchObject({
      ...{ entity: 'contact', name: 'VIP', filter: { field: 'city', op: 'eq', value: 'London' } },
      ...{ q: 'ada', sort: 'name', problem: null, version: 1 },
    })
    const { count: _, counted_at: __, count_state: ___, ...stored } = body.data
    expect((await org.get(`/segments/${body.data.segment_id}`)).body.data).toMatchObject(stored)
  })

  test('a segment is listed by its records and its name', async () => {
    for (const [entity, name] of [
      ['deal', 'Big'],
      ['contact', 'b'],
      ['contact', 'A'],
    ])
      await create({ entity, name })
    const names = async (query: string) =>
      (await org.get(`/segments${query}`)).body.data.segments.map((each: { name: string }) => each.name)
    expect(await names('')).toEqual(['A', 'b', 'Big'])
    expect(await names('?entity=deal')).toEqual(['Big'])
  })

  test('a segment changes only what a request names, and null removes a part', async () => {
    const segmentId = await idOf({ filter: london, q: 'ada', sort: 'name' })
    const renamed = await org.patch(`/segments/${segmentId}`, { name: 'Other' })
    expect(renamed.body.data).toMatchObject({ name: 'Other', q: 'ada', version: 2 })
    const emptied = await org.patch(`/segments/${segmentId}`, { filter: null, q: null, sort: null })
    expect(emptied.body.data).toMatchObject({ filter: null, q: null, sort: null, version: 3 })
    const same = await org.patch(`/segments/${segmentId}`, { name: 'Other' })
    expect(same.body.data.version).toBe(3)
    const stale = await org.patch(`/segments/${segmentId}`, { name: 'X' }, { headers: { 'if-match': '"2"' } })
    expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
  })

  test('a segment is deleted, and lists then answer 404', async () => {
    const segmentId = await idOf({ filter: london })
    expect((await org.delete(`/segments/${segmentId}`)).status).toBe(204)
    expect((await org.get(`/segments/${segmentId}`)).status).toBe(404)
    const { status, body } = await org.get(`/contacts?segment_id=${segmentId}`)
    expect([status, body.code]).toEqual([404, 'reference_not_found'])
  })

  test('a segment writes events', async () => {
    const segmentId = await idOf({ filter: london })
    await org.patch(`/segments/${segmentId}`, { filter: null })
    await org.delete(`/segments/${segmentId}`)
    const { body } = await org.get(`/events?object_id=${segmentId}`)
    expect(body.data.map(({ type, changed }: { type: string; changed: unknown }) => [type, changed])).toEqual(
      [
        ['segment.deleted', null],
        ['segment.updated', ['filter']],
        ['segment.created', null],
      ],
    )
  })

  test.each<[string, object, (string | number)[]]>([
    ['an unknown field', { filter: { field: 'citty', value: 'x' } }, ['body', 'filter', 'field']],
    [
      'an operator that the field does not have',
      { filter: { and: [london, { not: { field: 'city', op: 'gt', value: 'x' } }] } },
      ['body', 'filter', 'and', 1, 'not', 'op'],
    ],
    ['a member of no condition', { filter: { ...london, x: 1 } }, ['body', 'filter', 'x']],
    ['a filter that is no object', { filter: [] }, ['body', 'filter']],
    ['an unknown order', { sort: 'shoe_size' }, ['body', 'sort']],
    ['another record type', { entity: 'persona' }, ['body', 'entity']],
    ['a field of another record type', { entity: 'deal', filter: london }, ['body', 'filter', 'field']],
  ])('is refused with %s', async (_case, fields, loc) => {
    const { status, body } = await create(fields)
    expect([status, body.detail?.map((each: { loc: unknown }) => each.loc)]).toEqual([422, [loc]])
  })

  test('a segment is refused with a national phone number while the organization has no default country', async () => {
    org = await app.newOrg({ country: null })
    const { status, body } = await create({ filter: { or: [{ field: 'phone', value: '030 1234567' }] } })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'filter', 'or', 0, 'value']])
  })

  test('a segment is refused with a filter above 16 KiB, and if the organization has 200 segments', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(900, 'x'))
    const large = await create({ filter: { field: 'city', op: 'in', value: values } })
    expect([large.status, large.body.detail[0].loc]).toEqual([422, ['body', 'filter']])
    const many = `insert into segment (org_id, segment_id, entity, name)
      select $1, gen_random_uuid(), 'deal', 'x' from generate_series(1, 200)`
    await withClient(app, (client) => client.query(many, [org.orgId]))
    const { status, body } = await create({})
    expect([status, body.code]).toEqual([409, 'limit_reached'])
  })

  test('a segment needs the permission of its records', async () => {
    const segmentId = await idOf({ entity: 'deal' })
    const key = await app.newKey(org.orgId, { permissions: ['contacts:write'] })
    expect((await key.get('/segments')).body.data.segments).toEqual([])
    expect((await key.get(`/segments/${segmentId}`)).status).toBe(403)
    expect((await key.get('/segments?entity=deal')).status).toBe(403)
    expect((await key.patch(`/segments/${segmentId}`, { name: 'x' })).status).toBe(403)
    expect((await key.delete(`/segments/${segmentId}`)).status).toBe(403)
    expect((await key.post('/segments', { entity: 'deal', name: 'x' })).status).toBe(403)
    expect((await key.post('/segments', { entity: 'contact', name: 'x' })).status).toBe(201)
  })
})

describe('segment_id', () => {
  test('segment_id selects in lists, searches and exports, together with the other filters', async () => {
    await addPeople()
    const segment_id = await idOf({ filter: london })
    const list = await org.get(`/contacts?segment_id=${segment_id}`)
    expect([namesOf(list.body), list.body.pagination.total]).toEqual([['Ada', 'Cy'], 2])
    expect(namesOf((await org.get(`/contacts?segment_id=${segment_id}&tag=vip`)).body)).toEqual(['Ada'])
    const filter = { not: { field: 'tag', value: 'vip' } }
    expect(namesOf((await org.post('/contacts/search', { segment_id, filter })).body)).toEqual(['Cy'])
    const exported = await org.get(`/contacts/export?segment_id=${segment_id}&fields=first_name&sort=name`)
    expect(exported.text).toBe('first_name\r\nAda\r\nCy\r\n')
  })

  test('segment_id combines the words of the segment with q', async () => {
    await addPeople()
    await org.post('/contacts', { first_name: 'Ada', last_name: 'Ames' })
    const segment_id = await idOf({ q: 'ada' })
    expect((await org.get(`/contacts?segment_id=${segment_id}`)).body.pagination.total).toBe(2)
    expect((await org.get(`/contacts?segment_id=${segment_id}&q=ames`)).body.pagination.total).toBe(1)
    expect((await org.get(`/contacts?segment_id=${segment_id}&q=bob`)).body.pagination.total).toBe(0)
  })

  test('segment_id gives the order of the segment, unless the request has one', async () => {
    await addPeople()
    const segment_id = await idOf({ sort: '-name' })
    const order = async (query: string) =>
      (await org.get(`/contacts?segment_id=${segment_id}${query}`)).body.data.map(
        (each: { first_name: string }) => each.first_name,
      )
    expect(await order('')).toEqual(['Cy', 'Bob', 'Ada'])
    expect(await order('&sort=name')).toEqual(['Ada', 'Bob', 'Cy'])
  })

  test('segment_id is refused with a segment of other records, and is not found in another organization', async () => {
    const segment_id = await idOf({ entity: 'deal' })
    const { status, body } = await org.get(`/contacts?segment_id=${segment_id}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'segment_id']])
    const search = await org.post('/contacts/search', { segment_id })
    expect([search.status, search.body.detail[0].loc]).toEqual([422, ['body', 'segment_id']])
    const stranger = await app.newOrg()
    expect((await stranger.get(`/deals?segment_id=${segment_id}`)).status).toBe(404)
  })
})

describe('a segment whose filter names something that is gone', () => {
  const define = (fields: object) =>
    org.post('/fields', { entity: 'contact', key: 'tier', type: 'text', ...fields })

  test('a segment says that the field of its filter was deleted, and still finds the values', async () => {
    const { field_id } = (await define({})).body.data
    await org.post('/contacts', { first_name: 'Ada', custom: { tier: 'Gold' } })
    const segmentId = await idOf({ filter: { field: 'custom.tier', value: 'Gold' } })
    expect(await problemOf(segmentId)).toBeNull()
    await org.delete(`/fields/${field_id}`)
    expect(await problemOf(segmentId)).toMatchObject({ code: 'field_deleted' })
    expect((await org.get(`/contacts?segment_id=${segmentId}`)).body.pagination.total).toBe(1)
    await org.patch(`/segments/${segmentId}`, { filter: { field: 'custom.tier', value: 'Gold' } })
    expect(await problemOf(segmentId)).toBeNull()
  })

  test('a segment says that the type of its field changed, or that an option is gone', async () => {
    const { field_id } = (await define({ type: 'select', options: ['Gold', 'Silver'] })).body.data
    const gold = await idOf({
      filter: { not: { field: 'custom.tier', op: 'in', value: ['Silver', 'Gold'] } },
    })
    await org.patch(`/fields/${field_id}`, { options: ['Silver'] })
    expect(await problemOf(gold)).toEqual({
      code: 'option_deleted',
      message: 'custom.tier has no option "Gold". Change the filter.',
    })
    await org.patch(`/fields/${field_id}`, { type: 'text' })
    expect(await problemOf(gold)).toMatchObject({ code: 'field_type_changed' })
    expect((await org.get(`/contacts?segment_id=${gold}`)).status).toBe(200)
  })

  test('a segment says that its stage was deleted, and finds closed deals that have it', async () => {
    const { stages } = (await org.get('/deals/stages')).body.data
    const [first] = stages
    const { deal_id } = (await org.post('/deals', { name: 'Website' })).body.data
    await org.post(`/deals/${deal_id}/close`, { status: 'won' })
    const segmentId = await idOf({ entity: 'deal', filter: { field: 'stage', value: first } })
    expect(await problemOf(segmentId)).toBeNull()
    const replaced = await org.send('PUT', '/deals/stages', { body: { stages: ['First', 'Last'] } })
    expect(replaced.status).toBe(200)
    expect(await problemOf(segmentId)).toMatchObject({ code: 'stage_deleted' })
    expect((await org.get(`/deals?segment_id=${segmentId}`)).status).toBe(200)
  })

  test('a list answers 422 at segment_id if Crosswalk can no longer read a value of the filter', async () => {
    await org.patch('/organization', { default_country: 'DE' })
    const segmentId = await idOf({ filter: { field: 'phone', value: '030 1234567' } })
    await org.patch('/organization', { default_country: null })
    expect(await problemOf(segmentId)).toMatchObject({ code: 'filter_invalid' })
    const { status, body } = await org.get(`/contacts?segment_id=${segmentId}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'segment_id']])
    expect((await org.patch(`/segments/${segmentId}`, { name: 'Berlin' })).body.data.name).toBe('Berlin')
  })

  test('a list answers 422 if this version cannot read the stored filter of the segment', async () => {
    const segmentId = await idOf({ filter: london })
    const filter = JSON.stringify({ field: 'shoe_size', op: 'eq', value: 1 })
    const change = 'update segment set filter = $1::json where segment_id = $2'
    await withClient(app, (client) => client.query(change, [filter, segmentId]))
    expect(await problemOf(segmentId)).toMatchObject({ code: 'filter_invalid' })
    const { status, text } = await org.get(`/contacts?segment_id=${segmentId}`)
    expect([status, text]).toEqual([422, expect.stringContaining('filter.field: ')])
  })
})
