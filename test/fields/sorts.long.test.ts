import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { fieldTools } from '../support/fields.ts'

let app: TestApp
let org: TestOrg
let tools: ReturnType<typeof fieldTools>
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  org = await app.newOrg()
  tools = fieldTools(app, org)
})

type Page = { names: string[]; next: string | null; total: number }
async function page(query: string): Promise<Page> {
  const { status, body, text } = await org.get(`/contacts?${query}`)
  if (status !== 200) throw new Error(text)
  const names = body.data.map(({ first_name }: { first_name: string }) => first_name)
  return { names, next: body.pagination.next_cursor, total: body.pagination.total }
}

/** Reads all pages with cursors. Before each page but the first, `between` runs. */
async function pages(query: string, between: () => Promise<void> = async () => {}): Promise<string[]> {
  const all: string[] = []
  for (let cursor = ''; ; ) {
    const { names, next, total } = await page(`${query}${cursor}`)
    all.push(...names)
    if (next === null) {
      expect([total, new Set(all).size]).toEqual([all.length, all.length])
      return all
    }
    cursor = `&cursor=${encodeURIComponent(next)}`
    await between()
  }
}

const setState = (state: 'ready' | 'building') =>
  app.operateOn(org.orgId, (tx) =>
    tx.run(sql`update field_definition set index_state = ${state} where org_id = ${tx.orgId}`),
  )

const day = (n: number) => `"2026-01-${String(n).padStart(2, '0')}"`
/** The JSON of the values of each type, in the order of the list. Equal values are in the order of their contacts. */
const ordered: Record<string, (string | null)[]> = {
  number: [
    '-1e20',
    '-10',
    '"-2.5"',
    '0',
    '3',
    '3.0',
    '12345678901',
    '"1e999"',
    '"Abc"',
    '"z"',
    '[4, 5]',
    null,
  ],
  date: [day(1), day(2), day(2), day(31), '"soon"', '[]', null, null],
  datetime: ['"2026-01-31T09:30:00Z"', '"2026-01-31T09:30:01Z"', '["2026-01-01T00:00:00Z"]', null],
  boolean: ['false', 'false', 'true', 'true', '"yes!"', null],
  phone: ['"+12025550149"', '"+12025550150"', '"+4420"', null, null, null],
}
/** Values that sort as none. */
const isLast = (value: string | null) => value === null || value.startsWith('[')

test.each(Object.keys(ordered))(
  'a list sorted by a filterable %s field has the same order with its index as without, on every page',
  async (type) => {
    await tools.define({ key: 'x', type, filterable: true, existing: 'keep' })
    await tools.untilReady()
    const values = ordered[type]!
    await tools.insertContacts(values.map((value) => (value === null ? '{}' : `{"x": ${value}}`)))
    const names = values.map((_, index) => `n${index + 1}`)
    const last = names.filter((_, index) => isLast(values[index]!))
    const first = names.filter((name) => !last.includes(name))
    const up = [...first, ...last]
    const down = [...first.toReversed(), ...last.toReversed()]
    let state: 'ready' | 'building' = 'ready'
    const turn = async () => {
      state = state === 'ready' ? 'building' : 'ready'
      await setState(state)
    }
    for (const begin of ['ready', 'building'] as const)
      for (const limit of [1, 3, 25]) {
        state = begin
        await setState(state)
        expect(await pages(`sort=custom.x&limit=${limit}`)).toEqual(up)
        expect(await pages(`sort=-custom.x&limit=${limit}`)).toEqual(down)
        expect(await pages(`sort=-custom.x&limit=${limit}`, turn)).toEqual(down)
      }
    await setState('ready')
    const second = await page('sort=custom.x&limit=2&page=2')
    expect([second.names, second.total]).toEqual([up.slice(2, 4), up.length])
  },
)

test('a list sorted by a filterable field leaves out archived records, and its filters still apply', async () => {
  await tools.define({ key: 'seats', type: 'number', filterable: true })
  await tools.untilReady()
  const add = async (first_name: string, seats: number, city: string) =>
    (await org.post('/contacts', { first_name, city, custom: { seats } })).body.data.contact_id as string
  await add('Ada', 3, 'Rome')
  const bob = await add('Bob', 2, 'Rome')
  await add('Eve', 1, 'Paris')
  await org.delete(`/contacts/${bob}`)
  expect(await pages('sort=custom.seats')).toEqual(['Eve', 'Ada'])
  expect(await pages('sort=custom.seats&archived=true')).toEqual(['Bob'])
  expect(await pages('sort=custom.seats&city=Rome')).toEqual(['Ada'])
  expect(await pages('sort=-custom.seats&custom.seats[lt]=3')).toEqual(['Eve'])
})
