import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { createRecords, findAmong, type Row, rowOf } from '../support/finding.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@list.example' }
const bob = { first_name: 'Bob' }
let org: TestOrg
let applied: Row
let undone: Row
let shadow: Row
let ofCompanies: Row

async function mergeTwo(entityType: 'contact' | 'company', one: string, other: string): Promise<Row> {
  const [merged] = (await merge(org, entityType, one, other)) as Row[]
  if (!merged) throw new Error('Nothing was merged')
  return merged
}

beforeAll(async () => {
  org = await app.newOrg()
  const contacts = await createRecords(org, 'contact', bob, bob, bob, bob, ada, ada)
  applied = await mergeTwo('contact', contacts[0], contacts[1])
  undone = await mergeTwo('contact', contacts[0], contacts[2])
  await org.post(`/duplicates/undo-merge/${undone.merge_id}`)
  await findAmong(app, org, 'contact', contacts.slice(4))
  shadow = await rowOf(org, 'shadow')
  const companies = await createRecords(org, 'company', { name: 'Acme' }, { name: 'Acme Inc' })
  ofCompanies = await mergeTwo('company', companies[0], companies[1])
})

const list = async (query: string): Promise<string[]> => {
  const { status, text, body } = await org.get(`/duplicates/recent-merges${query}`)
  expect(status, text).toBe(200)
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map((row: Row) => row.merge_id)
}
const idsOf = (...rows: Row[]) => rows.map((row) => row.merge_id).sort((a, b) => (a < b ? 1 : -1))

describe('filters', () => {
  test('the list of merges has a filter for the survivor and for the loser', async () => {
    expect(await list(`?record_id=${applied.survivor_id}`)).toEqual(idsOf(applied, undone))
    expect(await list(`?record_id=${undone.loser_id}`)).toEqual(idsOf(undone))
    expect(await list(`?record_id=${shadow.loser_id}`)).toEqual([])
    expect(await list(`?record_id=${shadow.loser_id}&include_shadow=true`)).toEqual(idsOf(shadow))
    expect(await list(`?record_id=${ofCompanies.loser_id}`)).toEqual(idsOf(ofCompanies))
    expect(await list(`?record_id=${ofCompanies.loser_id}&entity_type=contact`)).toEqual([])
  })

  test('the list of merges has a filter for the status', async () => {
    expect(await list('?status=applied')).toEqual(idsOf(applied, ofCompanies))
    expect(await list('?status=undone')).toEqual(idsOf(undone))
    expect(await list('?status=shadow')).toEqual(idsOf(shadow))
    const { status, body } = await org.get('/duplicates/recent-merges?status=applied&include_shadow=true')
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'include_shadow']])
  })

  test('the list of merges has a filter for the rule and the score', async () => {
    expect(await list('?include_shadow=true&rule=same_email_and_name')).toEqual(idsOf(shadow))
    expect(await list('?include_shadow=true&rule=none')).toEqual([])
    expect(await list('?include_shadow=true&min_score=0.9')).toEqual(idsOf(shadow))
    expect(await list('?include_shadow=true&min_score=0')).toEqual(idsOf(shadow))
    expect((await org.get('/duplicates/recent-merges?min_score=2')).status).toBe(422)
  })

  test('the list of merges has a filter for the time of creation', async () => {
    const { created_at } = (await org.get(`/duplicates/merges/${applied.merge_id}`)).body.data
    const all = idsOf(applied, undone, ofCompanies)
    expect(await list(`?created_since=${created_at}`)).toEqual(all)
    expect(await list('?created_since=0')).toEqual(all)
    expect(await list(`?created_since=${created_at + 3600}`)).toEqual([])
  })

  test('a cursor of the list of merges is valid only with the same filters', async () => {
    const first = await org.get(`/duplicates/recent-merges?limit=1&record_id=${applied.survivor_id}`)
    const cursor = first.body.pagination.next_cursor
    const next = await org.get(
      `/duplicates/recent-merges?limit=1&record_id=${applied.survivor_id}&cursor=${cursor}`,
    )
    expect(next.body.data.map((row: Row) => row.merge_id)).toEqual([applied.merge_id])
    expect((await org.get(`/duplicates/recent-merges?limit=1&cursor=${cursor}`)).status).toBe(422)
  })
})

test('proposals can be listed by score, page by page', async () => {
  const own = await app.newOrg()
  const people = [
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@list.example' },
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@list.example', city: 'London' },
    { first_name: 'Grace', last_name: 'Hopper', phone: '+14155550100' },
    { first_name: 'Grace', last_name: 'Hopper', phone: '+14155550100' },
    { first_name: 'Alan', last_name: 'Turing', email: 'alan@list.example' },
    { first_name: 'Joan', last_name: 'Clarke', email: 'alan@list.example' },
  ]
  await findAmong(app, own, 'contact', await createRecords(own, 'contact', ...people))
  const scores: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor && `&cursor=${cursor}`
    const { body } = await own.get(`/duplicates/recent-merges?status=shadow&sort=-score&limit=1${from}`)
    scores.push(...body.data.map(({ score }: { score: number }) => score))
    cursor = body.pagination.next_cursor
  }
  expect(scores).toHaveLength(3)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores[2]).toBeLessThan(scores[0] ?? 0)
})

describe('one merge is read by its id', () => {
  test('a merge with any status can be read by its id, and equals its entry in the list', async () => {
    const { body } = await org.get('/duplicates/recent-merges?include_shadow=true')
    for (const row of body.data)
      expect((await org.get(`/duplicates/merges/${row.merge_id}`)).body.data).toEqual(row)
    expect(body.data).toHaveLength(4)
  })

  test('a closed proposal can be read by its id', async () => {
    const own = await app.newOrg()
    const ids = await createRecords(own, 'contact', ada, ada, ada)
    await findAmong(app, own, 'contact', ids)
    const [one, other] = (await own.get('/duplicates/recent-merges?status=shadow')).body.data
    await own.post(`/duplicates/shadow/${one.merge_id}/dismiss`)
    await own.post(`/duplicates/shadow/${other.merge_id}/apply`)
    const statusOf = async ({ merge_id }: Row) =>
      (await own.get(`/duplicates/merges/${merge_id}`)).body.data.status
    expect([await statusOf(one), await statusOf(other)]).toEqual(['dismissed', 'stale'])
  })

  test('reading a merge by its id requires the permission to read its record type', async () => {
    const key = await app.newKey(org.orgId, { permissions: ['duplicates:read', 'contacts:read'] })
    expect((await key.get(`/duplicates/merges/${applied.merge_id}`)).status).toBe(200)
    expect((await key.get(`/duplicates/merges/${ofCompanies.merge_id}`)).status).toBe(403)
    const other = await app.newOrg()
    expect((await other.get(`/duplicates/merges/${applied.merge_id}`)).status).toBe(404)
  })
})
