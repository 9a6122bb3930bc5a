import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const options = ['Gold', 'Silver', 'Blue; green', 'a, b', '[x]']
const fields = [
  { key: 'tier', label: 'Tier', type: 'select', options },
  { key: 'colors', label: 'Colors', type: 'multi_select', options },
  { key: 'seats', label: 'Seats', type: 'number' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
  { key: 'since', label: 'Since', type: 'date' },
  { key: 'seen', label: 'Seen', type: 'datetime' },
  { key: 'about', label: 'City', type: 'text' },
]

/** Keys that need quotation marks, or that differ only in letters or marks that headers ignore. */
const oddKeys = [
  'a,b',
  'say "x"',
  'two\nlines',
  'Size',
  'size',
  's-i-z-e',
  '=1',
  'custom.x',
  'constructor',
  'é',
]

async function newOrg(): Promise<TestOrg> {
  const org = await app.newOrg()
  const odd = oddKeys.map((key) => ({ key, label: key, type: 'text' }))
  for (const field of [...fields, ...odd])
    expect((await org.post('/fields', { entity: 'contact', ...field })).status).toBe(201)
  return org
}

const exported = async (org: TestOrg, query = 'custom_columns=true') => {
  const { status, text } = await org.get(`/contacts/export?${query}`)
  expect(status, text).toBe(200)
  return text
}
const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })

test('each defined field has a column, and `custom` keeps all other members', async () => {
  const org = await newOrg()
  const custom = {
    ...{ tier: 'Gold', colors: ['Gold', 'Silver'], seats: -1.5, paid: true, since: '2026-01-31' },
    ...{ seen: '2026-01-31T09:30:00Z', about: '=1+1', other: { deep: [1] } },
  }
  expect((await org.post('/contacts', { last_name: 'Full', custom })).status).toBe(201)
  await org.post('/contacts', { last_name: 'Sparse' })
  const text = await exported(org, 'custom_columns=true&sort=name')
  const [full, sparse] = rowsOf(text)
  expect(full).toMatchObject({
    ...{
      'custom.tier': 'Gold',
      'custom.colors': 'Gold;Silver',
      'custom.seats': '-1.5',
      'custom.paid': 'true',
    },
    ...{ 'custom.since': '2026-01-31', 'custom.seen': '2026-01-31T09:30:00Z', 'custom.about': "'=1+1" },
    custom: '{"other":{"deep":[1]}}',
  })
  expect(Object.entries(sparse!).filter(([name, cell]) => name.startsWith('custom') && cell !== '')).toEqual(
    [],
  )
  expect(
    Object.keys(rowsOf(await exported(org, ''))[0]!).filter((name) => name.startsWith('custom')),
  ).toEqual(['custom'])
  expect(await exported(org, 'custom_columns=true&fields=last_name&sort=name')).toMatch(/^last_name\r\n/)
})

test('own columns of a JSON Lines file are refused', async () => {
  const org = await app.newOrg()
  const { status, body } = await org.get('/contacts/export?format=jsonl&custom_columns=true')
  expect([status, body.detail[0].loc]).toEqual([422, ['query', 'custom_columns']])
})

test('an import of such a file fills the same values, in its own organization and in another one', async () => {
  const org = await newOrg()
  const text = fc
    .string({ unit: 'binary', maxLength: 12 })
    .filter((value) => !value.includes('\0') && value.trim() !== '')
  const value = fc.record(
    {
      tier: fc.constantFrom(...options),
      colors: fc.subarray(options, { minLength: 1 }),
      seats: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      paid: fc.boolean(),
      about: fc.oneof(
        text,
        fc.constantFrom('12', '1,5', 'true', "'x", '-1', '{"a":1}', '["a"]', ' x ', 'a\r\nb'),
      ),
      other: fc.oneof(text, fc.integer(), fc.array(fc.boolean())),
      'custom.tier': text,
      ...Object.fromEntries(oddKeys.map((key) => [key, text])),
    },
    { requiredKeys: [] },
  )
  const customs = fc.sample(value, { numRuns: 100 })
  const items = customs.map((custom, n) => ({ last_name: `N${n}`, custom }))
  const created = await org.post('/contacts/batch', { items })
  expect(created.body.errors ?? [], created.text).toEqual([])
  const shown = async (from: TestOrg) =>
    (await from.get('/contacts?limit=100&sort=name&fields=last_name,custom')).body.data.map(
      ({ last_name, custom }: Record<string, unknown>) => ({ last_name, custom }),
    )
  const before = await shown(org)
  const csv = await exported(org)
  const same = await importCsv(org, csv, { query: { match_on: 'contact_id' } })
  expect(same.counts).toMatchObject({ rows_read: 100, unchanged: 100 })
  const copy = await newOrg()
  expect((await importCsv(copy, csv)).counts).toMatchObject({ created: 100, refused: 0 })
  expect(await shown(copy)).toEqual(before)
})

test('a cell `custom.<key>` wins over the same member in the cell `custom`, so that an edit replaces a value that did not fit', async () => {
  const org = await app.newOrg()
  const contacts = [{ last_name: 'Misfit', custom: { seats: 'many', about: ' x ', other: 1 } }]
  const created = await org.post('/contacts/batch', { items: contacts })
  expect(created.status).toBe(200)
  for (const field of [fields[2]!, fields[6]!])
    await org.post('/fields', { entity: 'contact', existing: 'keep', ...field })
  const query = 'custom_columns=true&fields=contact_id,custom'
  const [row] = rowsOf(await exported(org, query))
  const { contact_id: id, custom } = row!
  expect([row!['custom.seats'], JSON.parse(custom!)]).toEqual(['', contacts[0]!.custom])
  const json = `"${custom!.replaceAll('"', '""')}"`
  for (const csv of [
    `contact_id,custom.seats,custom.about,custom\n${id},5,first,${json}\n`,
    `contact_id,custom,custom.seats,custom.about\n${id},${json},5,second\n`,
  ])
    expect((await importCsv(org, csv, { query: { match_on: 'contact_id' } })).counts).toMatchObject({
      updated: 1,
      refused: 0,
    })
  const { body } = await org.get(`/contacts/${id}`)
  expect(body.data.custom).toEqual({ seats: 5, about: 'second', other: 1 })
})
