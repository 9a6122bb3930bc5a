import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv, uploadCsv } from '../support/csv-imports.ts'
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

const matchOn = 'custom.number'
const upsert = (number: unknown, more: object = {}) =>
  org.post('/contacts/upsert', { match_on: matchOn, custom: { number }, ...more })
const names = async () =>
  (await org.get('/contacts?sort=created_at')).body.data.map(
    ({ first_name, custom }: { first_name: string; custom: { number: unknown } }) =>
      `${first_name} ${custom.number}`,
  )

describe('match_on with a unique defined field', () => {
  test.each(['text', 'number'])('an upsert finds the record with the value of a %s field', async (type) => {
    await tools.define({ key: 'number', type, unique: true })
    expect((await upsert('7', { first_name: 'Ada' })).body.data.outcome).toBe('created')
    const again = await upsert(type === 'number' ? '7.0' : '7', { first_name: 'Eve' })
    expect(again.body.data.outcome).toBe('updated')
    await tools.untilReady()
    expect((await upsert('7', { first_name: 'Bob' })).body.data.outcome).toBe('updated')
    expect((await upsert('8', { first_name: 'Cyd' })).body.data.outcome).toBe('created')
    expect(await names()).toHaveLength(2)
  })

  test('a number keeps all of its digits if it is sent as text, also in a file', async () => {
    await tools.define({ key: 'number', type: 'number', unique: true })
    await upsert('90071992547409931', { first_name: 'Ada' })
    expect((await upsert('90071992547409932', { first_name: 'Bob' })).body.data.outcome).toBe('created')
    const file = 'First name,number\nCyd,90071992547409933\nDan,90071992547409934\nEve,90071992547409931\n'
    const done = await importCsv(org, file, { query: { match_on: matchOn } })
    expect(done.counts).toMatchObject({ created: 2, updated: 1, refused: 0 })
    await tools.untilReady()
    const found = async (value: string) => (await org.get(`/contacts?custom.number=${value}`)).text
    expect(await found('90071992547409931')).toMatch(/"Eve".*"number":90071992547409931\b/)
    expect(await found('%2B0_090071992547409933.0')).toMatch(/"Cyd".*"number":90071992547409933\b/)
    expect(await found('90071992547409940')).toContain('"data":[]')
  })

  test('a record that is found needs no name in the request, and a new record does', async () => {
    await tools.define({ key: 'number', type: 'text', unique: true })
    await upsert('C-1', { first_name: 'Ada' })
    const found = await upsert('C-1', { city: 'Rome' })
    expect([found.status, found.body.data.outcome]).toEqual([200, 'updated'])
    const item = (number: string) => ({ match_on: matchOn, custom: { number }, city: 'Bern' })
    const batch = await org.post('/contacts/batch', { items: [item('C-1'), item('C-2')] })
    expect(batch.body.data).toMatchObject([{ outcome: 'updated' }, { code: 'identity_missing' }])
    for (const dry_run of ['true', 'false']) {
      const query = { match_on: matchOn, dry_run }
      const done = await importCsv(org, 'number,City\nC-1,Oslo\nC-2,Oslo\n', { query })
      expect(done).toMatchObject({
        counts: { updated: 1, refused: 1 },
        refused_by_code: { identity_missing: 1 },
      })
    }
    expect((await upsert('C-2', { city: 'Rome' })).body.code).toBe('identity_missing')
    expect(await names()).toEqual(['Ada C-1'])
  })

  test('items of a batch find each other, and a merged record is found by the value of either', async () => {
    await tools.define({ key: 'number', type: 'text', unique: true })
    const item = (first_name: string, number: string) => ({
      match_on: matchOn,
      first_name,
      custom: { number },
    })
    const items = [item('Ada', 'a'), item('Bob', 'b'), item('Eve', 'a')]
    const outcomes = (await org.post('/contacts/batch', { items })).body.data
    expect(outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['created', 'created', 'updated'],
    ])
    expect(await names()).toEqual(['Eve a', 'Bob b'])
    const [survivor_id, loser] = outcomes.map(({ contact_id }: { contact_id: string }) => contact_id)
    const merge = { entity_type: 'contact', survivor_id, loser_ids: [loser] }
    const { merges } = (await org.post('/duplicates/merge', merge)).body.data
    await upsert('a', { first_name: 'Zoe' })
    await org.post(`/duplicates/undo-merge/${merges[0].merge_id}`)
    expect(await names()).toEqual(['Zoe a', 'Bob b'])
  })

  test('concurrent upserts of one value create one record', async () => {
    await tools.define({ key: 'number', type: 'text', unique: true })
    const answers = await Promise.all(Array.from({ length: 8 }, () => upsert('x', { first_name: 'Ada' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await names()).toEqual(['Ada x'])
  })

  test('an import finds records by a column with the label of the field, also in a dry run', async () => {
    await tools.define({ key: 'number', label: 'Customer number', type: 'text', unique: true })
    await upsert('C-1', { first_name: 'Ada' })
    const file = 'First name,Customer number\nEve,C-1\nBob,C-2\nNone,\n'
    for (const dry_run of ['true', 'false']) {
      const done = await importCsv(org, file, { query: { match_on: matchOn, dry_run } })
      expect(done.counts).toMatchObject({ updated: 1, created: 1, refused: 1 })
    }
    expect(await names()).toEqual(['Eve C-1', 'Bob C-2'])
  })

  test('a field that is not unique is refused, and so is a record without a value', async () => {
    await tools.define({ key: 'number', type: 'text' })
    const refused = await upsert('7', { first_name: 'Ada' })
    expect([refused.status, refused.body.detail[0]]).toMatchObject([422, { loc: ['body', 'match_on'] }])
    expect(refused.body.detail[0].msg).toContain('"unique": true')
    const missing = await org.post('/contacts/upsert', { match_on: matchOn, first_name: 'Ada' })
    expect([missing.status, missing.body.code]).toEqual([422, 'match_key_missing'])
    const upload = await uploadCsv(org, 'email,number\na@x.example,1\n', { query: { match_on: matchOn } })
    expect([upload.status, upload.text]).toEqual([422, expect.stringContaining('unique')])
  })
})
