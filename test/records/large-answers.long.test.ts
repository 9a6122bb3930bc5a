import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerBytesMax } from '../../src/platform/db/row-bound.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const records = 500
const customBytes = 44 * 1024
/** A page may exceed the limit by its last row, and by the names of members. */
const bytesMax = answerBytesMax + 2 * 64 * 1024

let org: TestOrg
let ids: string[]

beforeAll(async () => {
  org = await app.newOrg()
  const items = Array.from({ length: records }, (_, n) => ({ last_name: `Name${n}`, city: 'Rome' }))
  const made = await org.post('/contacts/batch', { items })
  ids = made.body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  await withClient(app, (client) =>
    client.query(
      `update contact set custom = json_build_object('text', repeat('x', ${customBytes})) where org_id = '${org.orgId}'`,
    ),
  )
}, patience.timeout)

const bytesOf = ({ text }: Answer) => Buffer.byteLength(text)
const idsOf = ({ body }: Answer): string[] =>
  body.data.map(({ contact_id }: { contact_id: string }) => contact_id)

test.each([
  ['a list', (cursor: object) => org.get(`/contacts?${new URLSearchParams({ limit: '500', ...cursor })}`)],
  [
    'a sorted and filtered list',
    (cursor: object) =>
      org.get(`/contacts?${new URLSearchParams({ limit: '500', city: 'Rome', sort: 'name', ...cursor })}`),
  ],
  ['a search', (cursor: object) => org.post('/contacts/search', { q: 'name', limit: 500, ...cursor })],
])(
  'a page of %s with large records ends after 4 MiB, and the pages together have each record once',
  async (_name, read) => {
    const found: string[] = []
    for (let cursor = {}; ; ) {
      const answer = await read(cursor)
      expect(answer.status, answer.text.slice(0, 500)).toBe(200)
      expect(bytesOf(answer)).toBeLessThan(bytesMax)
      found.push(...idsOf(answer))
      const { has_next, next_cursor, limit, total } = answer.body.pagination
      expect([limit, total]).toEqual([500, records])
      if (!has_next) break
      expect(bytesOf(answer)).toBeGreaterThan(answerBytesMax)
      cursor = { cursor: next_cursor }
    }
    expect(found).toHaveLength(records)
    expect(new Set(found)).toEqual(new Set(ids))
  },
)

test('a page with the default limit of 25 is complete even with large records', async () => {
  const answer = await org.get('/contacts')
  expect(answer.body.data).toHaveLength(25)
  expect(answer.body.pagination).toMatchObject({ has_next: true, total: records })
})

test('a page requested by number is refused if it has more than 4 MiB, because the next page would skip records', async () => {
  const answer = await org.get('/contacts?limit=500&page=1')
  expect(answer.status).toBe(422)
  expect(answer.body.detail).toMatchObject([
    { loc: ['query', 'page'], msg: expect.stringContaining('4 MiB') },
  ])
  expect((await org.get('/contacts?limit=50&page=2')).body.data).toHaveLength(50)
})

test('a page with few `fields` of large records has as many records as `limit`', async () => {
  expect((await org.get('/contacts?limit=500&fields=contact_id,last_name')).body.data).toHaveLength(500)
})

const tooLarge = { code: 'answer_too_large', detail: expect.stringContaining('4 MiB') }

test('a batch read of more than 4 MiB is refused, and succeeds with fewer fields', async () => {
  const refused = await org.post('/contacts/batch/read', { ids })
  expect([refused.status, refused.body]).toEqual([413, tooLarge])
  const fewer = await org.post('/contacts/batch/read', { ids: ids.slice(0, 60) })
  expect(fewer.body.data).toHaveLength(60)
  const less = await org.post('/contacts/batch/read', { ids, fields: ['contact_id', 'version'] })
  expect(less.body.data).toHaveLength(500)
})

test('a batch read that names one large record 500 times is refused', async () => {
  const { status, body } = await org.post('/contacts/batch/read', { ids: Array(500).fill(ids[0]) })
  expect([status, body]).toEqual([413, tooLarge])
})

test.each([
  ['of 100 large records', () => ids.slice(0, 100)],
  ['that changes one large record 100 times', () => Array<string>(100).fill(ids[0] ?? '')],
])('a batch %s with records of more than 4 MiB changes nothing', async (_name, changed) => {
  const items = changed().map((contact_id, n) => ({ contact_id, job_title: `Job ${n}` }))
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { status, body } = await org.post('/contacts/batch', { items, return: 'record' }, { headers })
  expect([status, body]).toEqual([413, tooLarge])
  expect((await org.get(`/contacts/${ids[0]}?fields=job_title`)).body.data.job_title).toBeNull()
  // A refusal is not stored, so the idempotency key is free for a smaller request.
  const plain = await org.post('/contacts/batch', { items: items.slice(0, 1), return: 'record' }, { headers })
  expect(plain.body.data).toMatchObject([{ outcome: 'updated', record: { job_title: 'Job 0' } }])
  await org.patch(`/contacts/${ids[0]}`, { job_title: null })
})
