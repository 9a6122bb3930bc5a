import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Jobs } from '../../src/platform/jobs/jobs.ts'
import { runCounts } from '../../src/segments/counts.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const london = { field: 'city', value: 'London' }
const create = async (fields: object = {}): Promise<string> =>
  (await org.post('/segments', { entity: 'contact', name: 'Some', filter: london, ...fields })).body.data
    .segment_id
const countOf = async (segmentId: string) => {
  const { count, count_state: state, counted_at: at } = (await org.get(`/segments/${segmentId}`)).body.data
  return { count, state, at }
}
const untilCounted = (segmentId: string, count: number) =>
  vi.waitFor(
    async () => expect(await countOf(segmentId)).toMatchObject({ count, state: 'counted' }),
    patience,
  )
const addLondoner = (fields: object = {}) =>
  org.post('/contacts', { first_name: 'Ada', city: 'London', ...fields })
const setCount = (segmentId: string, set: string) =>
  withClient(app, (client) =>
    client.query(`update segment set ${set} where segment_id = $1 returning count_asked_at`, [segmentId]),
  )
const isRequested = async (segmentId: string) =>
  (await setCount(segmentId, 'name = name')).rows[0].count_asked_at !== null

/** Counts as the job does, and returns when it continues; null: it has counted all. */
async function runJob(msMax?: number): Promise<Date | null> {
  let later: Date | null = null
  const enqueue: Jobs['enqueue'] = async (_tx, _job, _payload, { startAfter } = {}) => {
    later = startAfter ?? new Date()
  }
  const handle = app.app.context.database.org(org.orgId)
  await runCounts(handle, { enqueue }, new AbortController().signal, msMax)
  return later
}

describe('the count of a segment', () => {
  test('a new segment is counted in the background, and again after its filter changed', async () => {
    await Promise.all([addLondoner(), addLondoner({ city: 'Paris' }), addLondoner({ last_name: 'King' })])
    const created = await org.post('/segments', { entity: 'contact', name: 'Some', filter: london })
    expect(created.body.data).toMatchObject({ count: null, counted_at: null, count_state: 'counting' })
    const id = created.body.data.segment_id
    await untilCounted(id, 2)
    const renamed = await org.patch(`/segments/${id}`, { name: 'Other' })
    expect(renamed.body.data).toMatchObject({ count: 2, counted_at: expect.any(Number) })
    const changed = await org.patch(`/segments/${id}`, { q: 'king' })
    expect(changed.body.data).toMatchObject({ count: null, counted_at: null, count_state: 'counting' })
    await untilCounted(id, 1)
    await org.patch(`/segments/${id}`, { q: null, filter: null })
    await untilCounted(id, 3)
    const [listed] = (await org.get('/segments?entity=contact')).body.data.segments
    expect(listed).toMatchObject({ count: 3, count_state: 'counted' })
  })

  test('a read renews a count after a minute, and after 20 times the time that the count took', async () => {
    const id = await create()
    await untilCounted(id, 0)
    await addLondoner()
    await setCount(id, `counted_at = now() - interval '50 seconds'`)
    expect(await countOf(id)).toMatchObject({ count: 0 })
    await setCount(id, `counted_at = now() - interval '10 minutes', count_ms = 60000`)
    await org.get('/segments')
    expect(await isRequested(id)).toBe(false)
    await setCount(id, `counted_at = now() - interval '21 minutes'`)
    expect(await countOf(id)).toMatchObject({ count: 0, state: 'counted' })
    await untilCounted(id, 1)
  })

  test('if PostgreSQL stops the count of a segment, its state says so', async () => {
    const id = await create()
    await untilCounted(id, 0)
    await withClient(app, async (client) => {
      await client.query('begin; lock table contact in access exclusive mode')
      await setCount(id, 'count_asked_at = now()')
      expect(await runJob(100)).toBeNull()
      await client.query('commit')
    })
    expect(await countOf(id)).toEqual({ count: null, state: 'too_slow', at: expect.any(Number) })
  })

  test('a filter that is not valid any more is not counted', async () => {
    const filter = { field: 'phone', value: '020 7946 0000' }
    await org.patch('/organization', { default_country: 'GB' })
    const id = await create({ filter })
    await untilCounted(id, 0)
    await org.patch('/organization', { default_country: null })
    await setCount(id, 'count_asked_at = now()')
    expect(await runJob()).toBeNull()
    expect(await countOf(id)).toMatchObject({ count: null, state: 'filter_invalid' })
  })

  test('after 10 s of counting in a minute, the other counts of the organization wait', async () => {
    const [slow, other] = [await create(), await create()]
    await Promise.all([untilCounted(slow, 0), untilCounted(other, 0)])
    await addLondoner()
    await setCount(slow, `counted_at = now() - interval '20 seconds', count_ms = 9990`)
    await setCount(other, `counted_at = now() - interval '1 hour', count_ms = 1, count_asked_at = now()`)
    expect(await runJob()).toBeNull()
    expect(await countOf(other)).toMatchObject({ count: 1 })
    await setCount(slow, 'count_ms = 10000')
    await setCount(other, `counted_at = now() - interval '1 hour', count_asked_at = now()`)
    const later = await runJob()
    const waitMs = Number(later) - Date.now()
    expect([waitMs > 35_000, waitMs <= 40_000]).toEqual([true, true])
    expect(await isRequested(other)).toBe(true)
  })
})

const namesOf = (body: { data: { first_name: string }[] }) => body.data.map((each) => each.first_name).sort()

describe('a relative day', () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const ages = { new: 0, month: -30, old: -31 }

  test('a relative day is read when a request runs, in lists, searches, exports and segments', async () => {
    const fields = (['date', 'datetime'] as const).flatMap((type) => [
      { entity: 'contact', key: `${type}_plain`, type },
      { entity: 'contact', key: `${type}_indexed`, type, filterable: true },
    ])
    for (const field of fields) expect((await org.post('/fields', field)).status).toBe(201)
    for (const [first_name, days] of Object.entries(ages)) {
      const moment = `${day(days)}T23:59:59Z`
      const custom = {
        date_plain: day(days),
        date_indexed: day(days),
        datetime_plain: moment,
        datetime_indexed: moment,
      }
      const { contact_id: id } = (await org.post('/contacts', { first_name, custom })).body.data
      await withClient(app, (client) =>
        client.query('update contact set created_at = $2 where contact_id = $1', [id, moment]),
      )
    }
    const expected: [string, string, string[]][] = [
      ['eq', 'today', ['new']],
      ['ne', 'today', ['month', 'old']],
      ['gt', '-30d', ['new']],
      ['gte', '-30d', ['month', 'new']],
      ['lt', '-30d', ['old']],
      ['lte', '-30d', ['month', 'old']],
      ['eq', '-31d', ['old']],
    ]
    for (const field of ['created_at', ...fields.map(({ key }) => `custom.${key}`)])
      for (const [op, value, names] of expected) {
        const listed = await org.get(`/contacts?${field}[${op}]=${value}`)
        expect([field, op, value, listed.status === 200 && namesOf(listed.body)]).toEqual([
          field,
          op,
          value,
          names,
        ])
        const found = await org.post('/contacts/search', { filter: { field, op, value } })
        expect(namesOf(found.body)).toEqual(names)
      }
    const segmentId = await create({ filter: { field: 'created_at', op: 'lt', value: '-30d' } })
    expect((await org.get(`/segments/${segmentId}`)).body.data.filter.value).toBe('-30d')
    expect(namesOf((await org.get(`/contacts?segment_id=${segmentId}`)).body)).toEqual(['old'])
    const exported = await org.get(`/contacts/export?segment_id=${segmentId}&format=jsonl&fields=first_name`)
    expect(exported.text.trim()).toBe('{"first_name":"old"}')
    expect((await org.post('/deals', { name: 'Soon', expected_close_on: day(7) })).status).toBe(201)
    const soon = await org.get('/deals?expected_close_on[in]=today,+7d')
    expect(soon.body.data.map((deal: { name: string }) => deal.name)).toEqual(['Soon'])
    const refused = await org.get('/contacts?created_at[gte]=-30x')
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'created_at[gte]']])
  })

  test('a relative day without a sign is a 422 that shows both signs, on every field of a day or a time', async () => {
    await org.post('/fields', { entity: 'deal', key: 'since', type: 'datetime' })
    for (const field of ['created_at', 'expected_close_on', 'custom.since']) {
      const listed = await org.get(`/deals?${field}[gte]=30d`)
      const found = await org.post('/deals/search', { filter: { field, op: 'gte', value: '30d' } })
      for (const { status, body } of [listed, found]) {
        expect([field, status]).toEqual([field, 422])
        expect(body.detail[0].msg).toContain('send a sign: -30d is before today, and +30d is after today')
      }
      for (const plus of ['+', '%2B'])
        expect([plus, (await org.get(`/deals?${field}[gte]=${plus}30d`)).status]).toEqual([plus, 200])
    }
  })
})
