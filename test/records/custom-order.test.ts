import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** Members of `custom` in the order of `sort`: numbers (also as text), other texts, and no value. */
const ranked = [
  { n: -1e20 },
  { n: -10 },
  { n: '-2.5' },
  { n: 0 },
  { n: '3' },
  { n: 10 },
  { n: '1e2' },
  { n: 12345678901 },
  // This number has too many digits to be compared as a number.
  { n: '1e999' },
  { n: 'Abc' },
  { n: 'abd' },
  { n: '\u00e9' },
  { n: true },
  {},
]
const orderOfTexts = ['1e999', 'Abc', 'abd', 'true', '\u00e9']

let org: TestOrg
beforeAll(async () => {
  org = await app.newOrg()
  const items = ranked.toReversed().map((custom, index) => ({ first_name: `${index}`, custom }))
  const { body } = await org.post('/contacts/batch', { items })
  expect(body.data.filter(({ outcome }: { outcome: string }) => outcome !== 'created')).toEqual([])
})

type Shown = { custom: { n?: unknown } }
async function listed(path: string): Promise<string[]> {
  const { status, body } = await org.get(path)
  expect([status, body.detail]).toEqual([200, undefined])
  expect(body.pagination.total).toBeGreaterThanOrEqual(body.data.length)
  return body.data.map(({ custom }: Shown) => (custom.n === undefined ? '' : String(custom.n)))
}

const numbers = ['-100000000000000000000', '-10', '-2.5', '0', '3', '10', '1e2', '12345678901']

describe('sort by a member of custom', () => {
  test('sorting by a member of custom lists numbers first, then texts, then records without the member', async () => {
    expect(await listed('/contacts?sort=custom.n')).toEqual([...numbers, ...orderOfTexts, ''])
    const down = [...orderOfTexts.toReversed(), ...numbers.toReversed(), '']
    expect(await listed('/contacts?sort=-custom.n')).toEqual(down)
  })

  test('a member of custom whose name has quotes can be the sort key', async () => {
    expect(await listed(`/contacts?sort=${encodeURIComponent(`custom.a'b"c\\`)}&limit=1`)).toEqual([''])
  })

  test.each(['custom.', 'plan', `custom.${'x'.repeat(101)}`, '--custom.n'])(
    'sort=%s gets 422',
    async (sort) => {
      const { status, body } = await org.get(`/contacts?sort=${sort}`)
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'sort']])
    },
  )

  test('POST /contacts/search sorts by a member of custom, and its cursor continues in that order', async () => {
    const first = await org.post('/contacts/search', { sort: '-custom.n', limit: 3 })
    const cursor = first.body.pagination.next_cursor
    const next = await org.post('/contacts/search', { sort: '-custom.n', limit: 3, cursor })
    const both = [...first.body.data, ...next.body.data].map(({ custom }: Shown) => String(custom.n))
    expect(both).toEqual([...orderOfTexts.toReversed(), ...numbers.toReversed()].slice(0, 6))
  })
})

test.each([
  ['gt', '0', ['3', '10', '1e2', '12345678901']],
  ['gte', '10', ['10', '1e2', '12345678901']],
  ['lt', '-2', ['-100000000000000000000', '-10', '-2.5']],
  ['lte', '0', ['-100000000000000000000', '-10', '-2.5', '0']],
  ['gt', 'Abc', ['abd', 'true', '\u00e9']],
  ['lte', 'abd', ['1e999', 'Abc', 'abd']],
  ['gte', '1e999', orderOfTexts],
])('custom.n[%s]=%s compares numbers with numbers and texts with texts', async (op, value, found) => {
  const filter = encodeURIComponent(`custom.n[${op}]`)
  const shown = await listed(`/contacts?sort=custom.n&${filter}=${encodeURIComponent(value)}`)
  expect(shown).toEqual(found)
  const body = {
    filter: { field: 'custom.n', op, value: Number.isFinite(Number(value)) ? Number(value) : value },
    sort: 'custom.n',
  }
  const searched = await org.post('/contacts/search', body)
  expect(searched.body.data.map(({ custom }: Shown) => String(custom.n))).toEqual(found)
})
