import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { indexSteps } from '../../src/fields/indexes.ts'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded } from '../support/csv-imports.ts'
import { fieldTools } from '../support/fields.ts'
import { isEverything } from '../support/runs.ts'

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

const names = async (query: string) => {
  const { status, body, text } = await org.get(`/contacts?${query}&limit=500`)
  if (status !== 200) throw new Error(text)
  const found = body.data.map(({ first_name }: { first_name: string }) => first_name).sort()
  expect(body.pagination.total).toBe(found.length)
  return found
}

describe('a filter by a filterable field', () => {
  const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'starts_with']
  const long = 'x'.repeat(199)
  const values = [
    ...[
      '5',
      '5.0',
      '-5',
      '-5.5',
      '0',
      '-0',
      '1e2',
      '100',
      '1e-9',
      '12345678901234567890',
      '12345678901234567891',
    ],
    ...[
      '9007199254740993',
      '9007199254740992',
      '05',
      '1e400',
      'a',
      'A',
      'ä',
      'zz',
      '[draft]',
      '[1',
      '1-2',
      'true',
    ],
    ...[
      long,
      `${long}y`,
      `${long}yy`,
      `${long}yz`,
      `${long}y${'z'.repeat(700)}`,
      'U+1F600 😀',
      '"',
      '\\',
      ' b',
    ],
  ]

  test.each(['text', 'number'])(
    'a filter with an index finds the same records as one without: %s',
    async (type) => {
      for (const filterable of [true, false]) {
        const key = filterable ? 'indexed' : 'plain'
        await tools.define({ key, type, filterable, existing: 'keep' })
      }
      await tools.untilReady()
      const rows = [
        ...values.map((text) => JSON.stringify(text)),
        ...values.filter((text) => /^-?\d[\d.]*$/.test(text) && !/^0\d/.test(text)),
        ...['true', 'false', 'null', '[]', '["a", "zz", null]', '["5", 5.0]', '{"a": 1}', '[["a"]]'],
      ]
      await tools.insertContacts(rows.map((row) => `{"indexed": ${row}, "plain": ${row}}`))
      // `npm run test:properties` tries every operator with every value; else, each operator has every third value.
      const isTried = (op: number, value: number) => isEverything || (op + value) % 3 === 0
      for (const [at, op] of operators.entries())
        for (const value of [...values, '[]', '{"a": 1}', 'true'].filter((_, n) => isTried(at, n))) {
          const asked = encodeURIComponent(op === 'in' ? `${value},a` : value)
          const what = `${op} ${value}`
          expect([what, await names(`custom.indexed[${op}]=${asked}`)]).toEqual([
            what,
            await names(`custom.plain[${op}]=${asked}`),
          ])
        }
    },
  )

  test('a filter with an index reads its value as a write does', async () => {
    await tools.define({ key: 'tier', type: 'select', options: ['Gold', 'Silver'], filterable: true })
    await tools.define({ key: 'tags', type: 'multi_select', options: ['New', 'Hot'], filterable: true })
    await tools.define({ key: 'since', type: 'datetime', filterable: true })
    await tools.define({ key: 'active', type: 'boolean' })
    await tools.untilReady()
    const custom = { tier: 'gold', tags: 'hot,new', since: '2026-01-31T10:30:00+01:00', active: 'yes' }
    await org.post('/contacts', { first_name: 'Ada', custom })
    await org.post('/contacts', { first_name: 'Bob', custom: { tier: 'Silver', tags: 'new' } })
    for (const query of [
      'custom.tier=gold',
      'custom.tags=HOT',
      'custom.tags[in]=hot,new&custom.tier=Gold',
      'custom.since=2026-01-31T09:30:00Z',
      'custom.since[lt]=2026-01-31T10:30:01%2B01:00',
      `custom.since[gte]=${Date.UTC(2026, 0, 31, 9, 30) / 1000}`,
      'custom.active=1',
    ])
      expect([query, await names(query)]).toEqual([query, ['Ada']])
    expect(await names('custom.tags=new')).toEqual(['Ada', 'Bob'])
    expect(await names('custom.tier[ne]=Gold')).toEqual(['Bob'])
    expect(await names('custom.tags[is_null]=true')).toEqual([])
  })

  test('a filter finds records while the index is built, and finds archived records without the index', async () => {
    await org.post('/contacts', { first_name: 'Ada', custom: { code: 'x' } })
    await tools.define({ key: 'code', type: 'text', filterable: true })
    expect(await names('custom.code=x')).toEqual(['Ada'])
    await tools.untilReady()
    const [{ contact_id }] = (await org.get('/contacts?custom.code=x')).body.data
    await org.delete(`/contacts/${contact_id}`)
    expect(await names('custom.code=x')).toEqual([])
    expect(await names('custom.code=x&archived=true')).toEqual(['Ada'])
  })

  test('a filter with an index has pages in order, with the exact total', async () => {
    await tools.define({ key: 'code', type: 'text', filterable: true })
    await tools.untilReady()
    await tools.insertContacts(Array.from({ length: 30 }, (_, n) => `{"code": "${n % 3}"}`))
    const [first, all] = [
      (await org.get('/contacts?custom.code=1&limit=6')).body,
      await org.get('/contacts?custom.code=1'),
    ]
    const second = (await org.get(`/contacts?custom.code=1&limit=6&cursor=${first.pagination.next_cursor}`))
      .body
    expect([...first.data, ...second.data]).toEqual(all.body.data)
    expect([first.pagination.total, second.pagination.total]).toEqual([10, 10])
  })
})

describe('an index', () => {
  test('an index has the values of all active records after any history', { timeout: 600_000 }, async () => {
    await tools.define({ key: 'code', type: 'text', filterable: true })
    await tools.define({ key: 'tags', type: 'multi_select', options: ['a', 'b', 'c'], filterable: true })
    const step = fc.tuple(
      fc.constantFrom('create', 'patch', 'archive', 'restore', 'merge', 'undo', 'erase', 'batch', 'upsert'),
      ...[fc.nat(), fc.nat()],
      fc.record({
        code: fc.constantFrom('1', '2', 'x', null),
        tags: fc.constantFrom(['a'], ['b', 'c'], null),
      }),
    )
    const ids: string[] = []
    const merges: string[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        for (const [what, a, b, custom] of steps) {
          const [one = '', other = ''] = [ids[a % ids.length], ids[b % ids.length]]
          if (what === 'create' || one === '')
            ids.push((await org.post('/contacts', { first_name: 'A', custom })).body.data.contact_id)
          else if (what === 'patch') await org.patch(`/contacts/${one}`, { custom })
          else if (what === 'archive') await org.delete(`/contacts/${one}`)
          else if (what === 'restore') await org.post(`/contacts/${one}/restore`)
          else if (what === 'erase') await (b % 4 === 0 && org.post(`/contacts/${one}/erase`))
          else if (what === 'batch')
            await org.post('/contacts/batch', {
              items: [
                { contact_id: one, custom },
                { contact_id: other, action: 'archive' },
              ],
            })
          else if (what === 'upsert')
            await org.post('/contacts/upsert', { match_on: 'email', email: `${a % 5}@x.example`, custom })
          else if (what === 'merge') {
            const sent = { entity_type: 'contact', survivor_id: one, loser_ids: [other] }
            const { body } = await org.post('/duplicates/merge', sent)
            for (const { merge_id } of body.data?.merges ?? []) merges.push(merge_id)
          } else await org.post(`/duplicates/undo-merge/${merges[a % Math.max(1, merges.length)]}`)
        }
        await tools.expectIndexesComplete()
      }),
      { numRuns: Number(process.env.ORG_HISTORIES ?? 10) },
    )
  })

  test('an index does not stop a write whose text is not valid Unicode', async () => {
    await tools.define({ key: 'code', type: 'text', filterable: true })
    await tools.untilReady()
    const raw = '{"first_name": "A", "custom": {"code": "\\ud800", "other": "\\ud800"}}'
    const answer = await org.send('POST', '/contacts', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBeLessThan(500)
    await tools.expectIndexesComplete()
  })

  test('an index has the values of an import, and no values of a reverted import', async () => {
    await tools.define({ key: 'seats', type: 'number', filterable: true })
    await org.post('/contacts', { email: 'a@x.example', custom: { seats: 1 } })
    const { import_id } = await importCsv(org, 'email,seats\na@x.example,5\nb@x.example,6\n', {
      query: { match_on: 'email' },
    })
    await tools.untilReady()
    expect(await tools.indexedValues()).toHaveLength(2)
    await tools.expectIndexesComplete()
    await org.post(`/imports/${import_id}/revert`)
    await untilEnded(org, import_id)
    expect(await tools.indexedValues()).toHaveLength(1)
    await tools.expectIndexesComplete()
  })

  test('an index whose build was stopped is completed, even while records change', async () => {
    await tools.insertContacts(Array.from({ length: 1_700 }, (_, n) => `{"code": "${n}"}`))
    const { field_id } = await tools.define({ key: 'code', type: 'text' })
    const indexId = await tools.beginIndex(field_id)
    const database = app.app.context.database.org(org.orgId)
    const build = async (signal: AbortSignal) => {
      const step = indexSteps(database, indexId, signal)
      while (!(await step()));
    }
    const stopping = new AbortController()
    const stopped = build(stopping.signal)
    const { data } = (await org.get('/contacts?limit=100&sort=created_at')).body
    const change = ({ contact_id }: { contact_id: string }, n: number) =>
      n % 3 === 0
        ? org.delete(`/contacts/${contact_id}`)
        : org.patch(`/contacts/${contact_id}`, { custom: { code: `new ${n}` } })
    const changes = data.map(change)
    while ((await tools.indexedValues()).length === 0) await delay(1)
    stopping.abort()
    await expect(stopped).rejects.toThrow()
    await build(new AbortController().signal)
    await Promise.all(changes)
    expect((await org.get(`/fields/${field_id}`)).body.data.index_state).toBe('ready')
    expect(await tools.indexedValues()).not.toHaveLength(0)
    await tools.expectIndexesComplete()
  })

  test('an index is deleted with its definition, and built again if the type changes', async () => {
    await org.post('/contacts', { first_name: 'Ada', custom: { code: '5.0' } })
    const { field_id } = await tools.define({ key: 'code', type: 'text', filterable: true })
    await tools.untilReady()
    const before = await tools.indexedValues()
    expect((await org.patch(`/fields/${field_id}`, { type: 'number' })).body.data).toMatchObject({
      filterable: true,
    })
    await tools.untilReady()
    expect(await names('custom.code=5')).toEqual(['Ada'])
    await tools.untilIndexed((rows) => rows.length === 1 && rows[0] !== before[0])
    await org.patch(`/fields/${field_id}`, { filterable: false })
    await tools.untilIndexed((rows) => rows.length === 0)
    expect((await org.get(`/fields/${field_id}`)).body.data).toMatchObject({
      filterable: false,
      index_state: null,
    })
    await org.patch(`/fields/${field_id}`, { filterable: true })
    await tools.untilReady()
    expect(await tools.indexedValues()).toHaveLength(1)
    await org.delete(`/fields/${field_id}`)
    await tools.untilIndexed((rows) => rows.length === 0)
  })

  test('a record type has at most 20 indexes', async () => {
    for (let n = 0; n < 20; n++) await tools.define({ key: `k${n}`, type: 'text', filterable: true })
    const { status, body } = await org.post('/fields', {
      entity: 'contact',
      key: 'z',
      type: 'text',
      filterable: true,
    })
    expect([status, body.code]).toEqual([409, 'limit_reached'])
    await tools.untilReady()
  })

  test('the indexes of a sandbox with copied settings are complete', async () => {
    await tools.define({ key: 'code', type: 'text', filterable: true })
    const made = await org.post('/organization/sandboxes', { name: 'Try', copy: 'settings' })
    const sandbox = app.client(made.body.data.api_key_token)
    await sandbox.post('/contacts', { first_name: 'Ada', custom: { code: 'x' } })
    expect((await sandbox.get('/fields')).body.data.fields).toMatchObject([{ index_state: 'ready' }])
    expect((await sandbox.get('/contacts?custom.code=x')).body.data).toHaveLength(1)
    await tools.untilReady()
  })
})
