import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { convertedValue } from '../../src/fields/converted-value.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import type { DefinedFieldType } from '../../src/records/defined-fields/definition.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded } from '../support/csv-imports.ts'
import { eventually } from '../support/eventually.ts'
import { fieldTools } from '../support/fields.ts'

let app: TestApp
let org: TestOrg
let tools: ReturnType<typeof fieldTools>
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
  tools = fieldTools(app, org)
})
afterAll(() => app.close())

const contactWith = async (custom: object, more: object = {}) =>
  (await org.post('/contacts', { first_name: 'Ada', custom, ...more })).body.data.contact_id as string
const customOf = async (contactId: string) => (await org.get(`/contacts/${contactId}`)).body.data.custom
const change = (fieldId: string, fields: object) => org.patch(`/fields/${fieldId}`, fields)

const converted = (fieldId: string) =>
  eventually(async () => {
    const { conversion } = (await org.get(`/fields/${fieldId}`)).body.data
    expect(conversion.state).not.toBe('running')
    return conversion
  })

const tiers = { key: 'tier', type: 'select', options: ['Gold', 'Silver'], filterable: true }

describe('a renamed option', () => {
  test('a renamed option changes in all records, in the index and in segments, and the answer counts the records', async () => {
    const { field_id } = await tools.define(tiers)
    const [ada, bob] = [await contactWith({ tier: 'Gold', other: 1 }), await contactWith({ tier: 'Silver' })]
    const archived = await contactWith({ tier: 'Gold' })
    await org.delete(`/contacts/${archived}`)
    const filter = {
      or: [
        { field: 'custom.tier', op: 'eq', value: 'gold' },
        { field: 'custom.tier', op: 'in', value: ['Gold'] },
      ],
    }
    const segment = (await org.post('/segments', { entity: 'contact', name: 'Best', filter })).body.data
    const answer = await change(field_id, { rename_options: [{ from: 'Gold', to: 'Platinum' }] })
    expect(answer.body.data).toMatchObject({
      options: ['Platinum', 'Silver'],
      conversion: { state: 'running', records: 2 },
    })
    expect(await converted(field_id)).toEqual({
      state: 'succeeded',
      ...{ records: 2, converted: 2, unfit: 0, unfit_ids: [] },
    })
    expect(await customOf(ada)).toEqual({ tier: 'Platinum', other: 1 })
    expect(await customOf(bob)).toEqual({ tier: 'Silver' })
    expect(await customOf(archived)).toEqual({ tier: 'Platinum' })
    await tools.untilReady()
    await tools.expectIndexesComplete()
    const found = (await org.get(`/contacts?segment_id=${segment.segment_id}`)).body.data
    expect(found.map((each: { contact_id: string }) => each.contact_id)).toEqual([ada])
    const { data } = (await org.get(`/events?object_id=${ada}`)).body
    expect(data[0]).toMatchObject({ type: 'contact.updated', changed: ['custom'] })
  })

  test('renaming an option of a list keeps the order of the others, and an existing name joins two options', async () => {
    const options = ['A', 'B', 'C']
    const { field_id } = await tools.define({ key: 'tags', type: 'multi_select', options })
    const [both, one] = [await contactWith({ tags: ['A', 'C'] }), await contactWith({ tags: ['A', 'B'] })]
    await change(field_id, { rename_options: [{ from: 'A', to: 'B' }] })
    await converted(field_id)
    expect([await customOf(both), await customOf(one)]).toEqual([{ tags: ['B', 'C'] }, { tags: ['B'] }])
    expect((await org.get(`/fields/${field_id}`)).body.data.options).toEqual(['B', 'C'])
  })

  test('renaming an option changes no other option, not even one with the name of a JavaScript member', async () => {
    const { field_id } = await tools.define({ key: 'job', type: 'select', options: ['constructor', 'Chef'] })
    const filter = { field: 'custom.job', op: 'in', value: ['Constructor', 'chef'] }
    const segment = (await org.post('/segments', { entity: 'contact', name: 'Jobs', filter })).body.data
    const answer = await change(field_id, { rename_options: [{ from: 'Chef', to: 'Cook' }] })
    expect(answer.body.data?.options).toEqual(['constructor', 'Cook'])
    const { data } = (await org.get(`/segments/${segment.segment_id}`)).body
    expect(data.filter.value).toEqual(['Constructor', 'Cook'])
    await converted(field_id)
  })

  test('a renamed option has its new name after a merge, its undo, and the revert of an import', async () => {
    const { field_id } = await tools.define(tiers)
    const survivor = await contactWith({ tier: 'Silver' }, { email: 'a@x.example' })
    const loser = await contactWith({ tier: 'Gold' }, { email: 'b@x.example' })
    const early = await contactWith({ tier: 'Gold' }, { email: 'c@x.example' })
    const sent = { entity_type: 'contact', survivor_id: survivor, loser_ids: [loser] }
    const { merges } = (await org.post('/duplicates/merge', sent)).body.data
    const { import_id } = await importCsv(org, 'email,tier\nc@x.example,Silver\nb@x.example,Silver\n', {
      query: { match_on: 'email' },
    })
    await change(field_id, { rename_options: [{ from: 'Gold', to: 'Platinum' }] })
    await converted(field_id)
    expect(await customOf(early)).toEqual({ tier: 'Silver' })
    await org.post(`/imports/${import_id}/revert`)
    await untilEnded(org, import_id)
    expect(await customOf(early)).toEqual({ tier: 'Platinum' })
    expect((await org.post(`/duplicates/undo-merge/${merges[0].merge_id}`)).status).toBe(200)
    expect([await customOf(survivor), await customOf(loser)]).toEqual([
      { tier: 'Silver' },
      { tier: 'Platinum' },
    ])
    await tools.expectIndexesComplete()
  })

  test.each<[string, object, string]>([
    ['an unknown option', { rename_options: [{ from: 'Bronze', to: 'X' }] }, 'has no option'],
    ['an option twice', { rename_options: [1, 2].map((to) => ({ from: 'Gold', to: `${to}` })) }, 'twice'],
    ['the same name', { rename_options: [{ from: 'Gold', to: 'Gold' }] }, 'already'],
    [
      'two options that exchange their names',
      {
        rename_options: [
          { from: 'Gold', to: 'Silver' },
          { from: 'Silver', to: 'Gold' },
        ],
      },
      'is renamed, too',
    ],
    ['other options', { rename_options: [{ from: 'Gold', to: 'X' }], options: ['X'] }, 'without'],
  ])('with %s is refused', async (_case, fields, words) => {
    const { field_id } = await tools.define(tiers)
    const { status, text } = await change(field_id, fields)
    expect([status, text]).toEqual([422, expect.stringContaining(words)])
  })
})

describe('existing values with "convert"', () => {
  test('existing values with "convert" become values of the new type, and the rest is counted and listed', async () => {
    const { field_id } = await tools.define({ key: 'seats', type: 'text', filterable: true })
    const [five, many] = [await contactWith({ seats: '5.0' }), await contactWith({ seats: 'many' })]
    const refused = await change(field_id, { type: 'number' })
    expect([refused.body.code, refused.body.detail]).toEqual([
      'field_values_unfit',
      expect.stringContaining('1 contact has'),
    ])
    await change(field_id, { type: 'number', existing: 'convert' })
    expect(await converted(field_id)).toEqual({
      state: 'succeeded',
      ...{ records: 1, converted: 1, unfit: 1, unfit_ids: [many] },
    })
    expect([await customOf(five), await customOf(many)]).toEqual([{ seats: 5 }, { seats: 'many' }])
    await tools.untilReady()
    await tools.expectIndexesComplete()
  })

  test('existing values with "convert" are converted when a field is defined, and again after they were kept', async () => {
    const id = await contactWith({ since: '2026-01-31', code: 5 })
    const since = await tools.define({ key: 'since', type: 'datetime', existing: 'convert' })
    const code = await tools.define({ key: 'code', type: 'text', existing: 'keep' })
    await converted(since.field_id)
    expect(await customOf(id)).toEqual({ since: '2026-01-31T00:00:00Z', code: 5 })
    await change(code.field_id, { existing: 'convert' })
    await converted(code.field_id)
    expect(await customOf(id)).toEqual({ since: '2026-01-31T00:00:00Z', code: '5' })
  })

  test('existing values with "convert" stay as they are if two records would get the same unique value', async () => {
    const unique = { key: 'mobile', type: 'text', unique: true }
    const { field_id } = await tools.define(unique)
    const [one, two] = [
      await contactWith({ mobile: '+1 415 555 0100' }),
      await contactWith({ mobile: '+14155550100' }),
    ]
    await change(field_id, { type: 'phone', existing: 'convert' })
    expect(await converted(field_id)).toMatchObject({ converted: 0, unfit: 1, unfit_ids: [one] })
    expect([await customOf(one), await customOf(two)]).toEqual([
      { mobile: '+1 415 555 0100' },
      { mobile: '+14155550100' },
    ])
  })

  test.each<[unknown, DefinedFieldType, unknown]>([
    [5, 'text', '5'],
    [true, 'text', 'true'],
    [['a', 'b'], 'text', 'a, b'],
    [['Gold'], 'select', 'Gold'],
    ['Gold', 'multi_select', ['Gold']],
    [['Gold', 'Silver'], 'select', Refusal],
    ['2026-01-31', 'datetime', '2026-01-31T00:00:00Z'],
    ['2026-01-31T09:30:00Z', 'date', '2026-01-31'],
    [1, 'boolean', true],
    ['yes', 'boolean', true],
    [{ a: 1 }, 'text', Refusal],
    [' ', 'number', null],
  ])('%j as a %s is %j', (value, type, expected) => {
    const definition = { key: 'x', type, options: ['Gold', 'Silver'] }
    const read = convertedValue(definition, {}, value, null)
    if (expected === Refusal) expect(read).toBeInstanceOf(Refusal)
    else expect(read).toEqual(expected)
  })
})

describe('after a conversion failed', () => {
  const rename = (fieldId: string, from: string, to: string) =>
    change(fieldId, { rename_options: [{ from, to }] })

  /** A field whose rename of Gold to Platinum failed before it changed the contact. */
  async function failedRename() {
    const contactId = await contactWith({ tier: 'Gold' })
    const options = ['Platinum', 'Silver']
    const { field_id } = await tools.define({ ...tiers, options, existing: 'keep' })
    await app.operateOn(org.orgId, (tx) =>
      tx.run(sql`
        insert into field_conversion (org_id, field_id, state, renames, records)
        values (${org.orgId}, ${field_id}, 'failed', '{"Gold": "Platinum"}', 1)`),
    )
    return { contactId, fieldId: field_id as string }
  }

  test.each([
    ['another option', 'Silver', 'Iron', { tier: 'Platinum' }],
    ['the new name', 'Platinum', 'Diamond', { tier: 'Diamond' }],
  ])('the next rename, of %s, also does the renames that failed', async (_case, from, to, custom) => {
    const { contactId, fieldId } = await failedRename()
    const answer = await rename(fieldId, from, to)
    expect(answer.body.data?.conversion).toMatchObject({ state: 'running', records: 1 })
    expect(await converted(fieldId)).toMatchObject({ state: 'succeeded', converted: 1, unfit: 0 })
    expect(await customOf(contactId)).toEqual(custom)
  })

  test('no option gets the old name until the renames are done', async () => {
    const { contactId, fieldId } = await failedRename()
    const refused = [
      await rename(fieldId, 'Silver', 'Gold'),
      await change(fieldId, { options: ['Platinum', 'Silver', 'Gold'] }),
    ]
    for (const { status, body } of refused)
      expect([status, body.code, body.detail]).toEqual([
        409,
        'field_values_unfit',
        expect.stringContaining('"Gold"'),
      ])
    await change(fieldId, { existing: 'convert' })
    expect(await converted(fieldId)).toMatchObject({ records: 1, converted: 1, unfit: 0 })
    expect(await customOf(contactId)).toEqual({ tier: 'Platinum' })
    expect((await rename(fieldId, 'Silver', 'Gold')).status).toBe(200)
  })
})

test('a field whose values are being converted refuses another type and its deletion, and reverts of imports wait', async () => {
  const { field_id } = await tools.define(tiers)
  const { import_id } = await importCsv(org, 'email,tier\nc@x.example,Silver\n')
  await app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into field_conversion (org_id, field_id, records) values (${org.orgId}, ${field_id}, 1)`),
  )
  const refused = [
    await change(field_id, { rename_options: [{ from: 'Gold', to: 'X' }] }),
    await change(field_id, { type: 'text' }),
    await org.delete(`/fields/${field_id}`),
    await org.post(`/imports/${import_id}/revert`),
  ]
  expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('field_converting'))
  expect((await change(field_id, { label: 'Tier' })).status).toBe(200)
})
