import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { backgroundTables, runAsOwner } from '../support/database.ts'
import { merge } from '../support/merges.ts'

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

const org = await app.newOrg()
const other = await app.newOrg()

const contact = async (of: TestOrg, fields: object = { first_name: 'Ada' }) =>
  (await of.post('/contacts', fields)).body.data.contact_id as string

/** Every row of an org as text, except totals, idempotency keys and the last use of API keys. */
async function rowsOf({ orgId }: TestOrg): Promise<string[]> {
  const tables = await runAsOwner<{ name: string }>(
    app.databaseUrl,
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'org_id' and table_name <> all($1)`,
    [[...backgroundTables, 'idempotency_key', 'idempotency_object']],
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(t) - 'last_used_at')::text as row from "${name}" t where org_id = $1`,
  )
  const rows = await runAsOwner<{ row: string }>(app.databaseUrl, parts.join(' union all '), [orgId])
  return rows.map(({ row }) => row).sort()
}

const ids: Record<string, string> = {}
let applied = ''
let undone = ''

beforeAll(async () => {
  for (const name of ['a', 'b', 'absorbed', 'root', 'archived', 'erased', 'one', 'two'])
    ids[name] = await contact(org, { first_name: name, email: `${name}@x.example`, tags: [name] })
  ids.theirs = await contact(other)
  ids.company = (await org.post('/companies', { name: 'Acme' })).body.data.company_id
  await org.post('/deals', { name: 'D', contact_ids: [ids.absorbed, ids.b] })
  applied = (await merge(org, 'contact', ids.root!, ids.absorbed!))[0]!.merge_id
  undone = (await merge(org, 'contact', ids.one!, ids.two!))[0]!.merge_id
  await org.post(`/duplicates/undo-merge/${undone}`)
  await org.delete(`/contacts/${ids.archived}`)
  await org.post(`/contacts/${ids.erased}/erase`)
})

const body = (more: object) => ({ entity_type: 'contact', survivor_id: ids.a, loser_ids: [ids.b], ...more })
const unknown = randomUUID()
// The fields that may differ between a dry run and the real request.
const dryRunsDiffer =
  /"(merge_id|merge_group_id|undone_by)":"[^"]*"|"(\w+_at)":\d+|"dry_run":\w+|"can_undo":\w+,"undo_blocked_reason":("dry_run"|null)/g

describe('an invalid merge is refused and changes nothing', () => {
  test.each<[string, () => object, number, unknown]>([
    ['with itself', () => body({ loser_ids: [ids.a] }), 422, ['body', 'loser_ids', 0]],
    ['with a repeated loser', () => body({ loser_ids: [ids.b, ids.b] }), 422, ['body', 'loser_ids', 1]],
    [
      'with itself in capitals',
      () => body({ loser_ids: [ids.a!.toUpperCase()] }),
      422,
      ['body', 'loser_ids', 0],
    ],
    ['with an empty list of losers', () => body({ loser_ids: [] }), 422, ['body', 'loser_ids']],
    [
      'with 21 losers',
      () => body({ loser_ids: Array.from({ length: 21 }, () => randomUUID()) }),
      422,
      ['body', 'loser_ids'],
    ],
    ['without losers', () => body({ loser_ids: undefined }), 422, ['body', 'loser_ids']],
    ['with null as losers', () => body({ loser_ids: null }), 422, ['body', 'loser_ids']],
    ['with an id instead of a list of losers', () => body({ loser_ids: ids.b }), 422, ['body', 'loser_ids']],
    ['with a loser that is not an id', () => body({ loser_ids: ['b'] }), 422, ['body', 'loser_ids', 0]],
    ['with a number as loser', () => body({ loser_ids: [1] }), 422, ['body', 'loser_ids', 0]],
    ['with a survivor that is not an id', () => body({ survivor_id: 'a' }), 422, ['body', 'survivor_id']],
    ['without a survivor', () => body({ survivor_id: undefined }), 422, ['body', 'survivor_id']],
    ['with an unknown entity_type', () => body({ entity_type: 'thing' }), 422, ['body', 'entity_type']],
    ['without an entity_type', () => body({ entity_type: undefined }), 422, ['body', 'entity_type']],
    ['with a text as dry_run', () => body({ dry_run: 'true' }), 422, ['body', 'dry_run']],
    ['with a dry_run of 1', () => body({ dry_run: 1 }), 422, ['body', 'dry_run']],
    ['with a dry_run of null', () => body({ dry_run: null }), 422, ['body', 'dry_run']],
    ['with choices that are a list', () => body({ field_choices: [] }), 422, ['body', 'field_choices']],
    [
      'with a choice for an unknown field',
      () => body({ field_choices: { nonsense: ids.a } }),
      422,
      ['body', 'field_choices', 'nonsense'],
    ],
    [
      'with a choice for consent',
      () => body({ field_choices: { consent: ids.a } }),
      422,
      ['body', 'field_choices', 'consent'],
    ],
    [
      'with a choice for a list',
      () => body({ field_choices: { tags: ids.a } }),
      422,
      ['body', 'field_choices', 'tags'],
    ],
    [
      'with a choice for the id',
      () => body({ field_choices: { contact_id: ids.a } }),
      422,
      ['body', 'field_choices', 'contact_id'],
    ],
    [
      'with a choice for constructor',
      () => body({ field_choices: { constructor: ids.a } }),
      422,
      ['body', 'field_choices', 'constructor'],
    ],
    [
      'with a choice of another record',
      () => body({ field_choices: { city: ids.one } }),
      422,
      ['body', 'field_choices', 'city'],
    ],
    [
      'with a choice that is not an id',
      () => body({ field_choices: { city: 'a' } }),
      422,
      ['body', 'field_choices', 'city'],
    ],
    ['with an unknown loser', () => body({ loser_ids: [unknown] }), 404, unknown],
    ["with another org's loser", () => body({ loser_ids: [ids.theirs] }), 404, 'loser_ids'],
    ["with another org's survivor", () => body({ survivor_id: ids.theirs }), 404, 'survivor_id'],
    ['with a loser of another record type', () => body({ loser_ids: [ids.company] }), 404, 'loser_ids'],
    [
      'with the entity_type of another record type',
      () => body({ entity_type: 'company' }),
      404,
      'survivor_id',
    ],
    ['with an erased loser', () => body({ loser_ids: [ids.erased] }), 404, 'loser_ids'],
    ['with an erased survivor', () => body({ survivor_id: ids.erased }), 404, 'survivor_id'],
    ['with an absorbed loser', () => body({ loser_ids: [ids.absorbed] }), 409, 'already merged into another'],
    [
      'with an absorbed survivor',
      () => body({ survivor_id: ids.absorbed }),
      409,
      'already merged into another',
    ],
    [
      'with a loser that the survivor already absorbed',
      () => body({ survivor_id: ids.root, loser_ids: [ids.absorbed] }),
      409,
      'already merged into another',
    ],
    ['with a text as force', () => body({ force: 'off' }), 422, ['body', 'force']],
    ['with an archived loser', () => body({ loser_ids: [ids.archived] }), 409, 'is archived'],
    ['with an archived survivor', () => body({ survivor_id: ids.archived }), 409, 'is archived'],
    [
      'of two records with the verdict different',
      () => body({ survivor_id: ids.two, loser_ids: [ids.one] }),
      409,
      '"force": true',
    ],
    ['with an archived second loser', () => body({ loser_ids: [ids.b, ids.archived] }), 409, 'is archived'],
  ])('a merge %s is refused and changes nothing', async (_name, make, status, where) => {
    const before = await rowsOf(org)
    for (const dry_run of [{}, { dry_run: true }]) {
      const answer = await org.post('/duplicates/merge', { ...dry_run, ...make() })
      expect(answer.status, answer.text).toBe(status)
      if (status === 422) expect(answer.body.detail[0].loc).toEqual(where)
      else expect(answer.body.detail).toContain(where)
    }
    expect(await rowsOf(org)).toEqual(before)
  })

  test('the id of another organization’s record gets the same answer as an unknown id', async () => {
    const ask = async (id: string) =>
      (await org.post('/duplicates/merge', body({ loser_ids: [id] }))).text.replaceAll(id, '')
    expect(await ask(ids.theirs!)).toBe(await ask(unknown))
  })
})

describe('an invalid undo or redo is refused and changes nothing', () => {
  test.each<[string, () => [string, unknown?], number, unknown]>([
    ['undoing an unknown merge', () => [`/duplicates/undo-merge/${unknown}`], 404, 'No merge'],
    ['redoing an unknown merge', () => [`/duplicates/redo-merge/${unknown}`], 404, 'No merge'],
    ['undoing a text that is not an id', () => ['/duplicates/undo-merge/x'], 422, ['path', 'id']],
    ['redoing a text that is not an id', () => ['/duplicates/redo-merge/x'], 422, ['path', 'id']],
    ['undoing the id of a record', () => [`/duplicates/undo-merge/${ids.a}`], 404, 'No merge'],
    ['undoing an undone merge', () => [`/duplicates/undo-merge/${undone}`], 409, 'already undone'],
    ['redoing an applied merge', () => [`/duplicates/redo-merge/${applied}`], 409, 'not undone'],
    [
      'a text as dry_run',
      () => [`/duplicates/undo-merge/${applied}`, { dry_run: 'true' }],
      422,
      ['body', 'dry_run'],
    ],
    ['a dry_run of 1', () => [`/duplicates/undo-merge/${applied}`, { dry_run: 1 }], 422, ['body', 'dry_run']],
    ['a list as body', () => [`/duplicates/undo-merge/${applied}`, []], 422, ['body']],
  ])('%s is refused and changes nothing', async (_name, make, status, where) => {
    const before = await rowsOf(org)
    const answer = await org.post(...make())
    expect(answer.status, answer.text).toBe(status)
    if (status === 422) expect(answer.body.detail[0].loc).toEqual(where)
    else expect(answer.body.detail).toContain(where)
    expect(await rowsOf(org)).toEqual(before)
  })

  test('the id of another organization’s merge gets the same answer as an unknown merge', async () => {
    for (const what of ['undo', 'redo']) {
      const known = await other.post(`/duplicates/${what}-merge/${applied}`)
      const nothing = await other.post(`/duplicates/${what}-merge/${unknown}`)
      expect([known.status, known.text]).toEqual([404, nothing.text])
    }
  })
})

describe('the permission to merge', () => {
  const reads = ['duplicates:read', 'contacts:read']
  test.each<[string[], { merge: number; undo: number; list: number; block?: string | null }]>([
    [['duplicates:write', 'contacts:write'], { merge: 200, undo: 200, list: 200, block: null }],
    [['*'], { merge: 200, undo: 200, list: 200, block: null }],
    [['duplicates:write', 'contacts:read'], { merge: 403, undo: 403, list: 200, block: 'not_permitted' }],
    [['duplicates:write'], { merge: 403, undo: 403, list: 403 }],
    [['duplicates:write', 'companies:write'], { merge: 403, undo: 403, list: 403 }],
    [reads, { merge: 403, undo: 403, list: 200, block: 'not_permitted' }],
    [['contacts:write'], { merge: 403, undo: 403, list: 403 }],
    [[], { merge: 403, undo: 403, list: 403 }],
  ])('a key with %j can merge, undo and list as its permissions say', async (permissions, may) => {
    const key = await app.newKey(org.orgId, { permissions })
    const before = await rowsOf(org)
    const merged = await key.post('/duplicates/merge', body({ dry_run: true }))
    expect(merged.status, merged.text).toBe(may.merge)
    const back = await key.post(`/duplicates/undo-merge/${applied}`, { dry_run: true })
    expect(back.status, back.text).toBe(may.undo)
    const listed = await key.get('/duplicates/recent-merges?entity_type=contact')
    expect(listed.status).toBe(may.list)
    if (may.list === 200) {
      const row = listed.body.data.find(({ merge_id }: { merge_id: string }) => merge_id === applied)
      expect([row.can_undo, row.undo_blocked_reason]).toEqual([may.block === null, may.block])
    } else {
      const all = await key.get('/duplicates/recent-merges')
      expect(all.text).not.toContain(applied)
    }
    expect(await rowsOf(org)).toEqual(before)
  })
})

describe('a dry run changes nothing', () => {
  test.each<[string, () => [string, object]]>([
    [
      'a merge',
      () => [
        '/duplicates/merge',
        body({ loser_ids: [ids.b, ids.root], field_choices: { first_name: ids.b } }),
      ],
    ],
    [
      'a merge with force',
      () => ['/duplicates/merge', body({ survivor_id: ids.one, loser_ids: [ids.two], force: true })],
    ],
    ['an undo', () => [`/duplicates/undo-merge/${applied}`, {}]],
  ])('a dry run of %s changes nothing, and the real request gives the same answer', async (_name, make) => {
    const before = await rowsOf(org)
    const [path, what] = make()
    const dry = await org.post(path, { ...what, dry_run: true })
    expect(dry.status, dry.text).toBe(200)
    expect(await rowsOf(org)).toEqual(before)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await org.post(path, { ...what, dry_run: true }, { headers })
    const again = await org.post(path, { ...what, dry_run: true }, { headers })
    expect([first.status, again.text]).toEqual([200, first.text])
    expect(await rowsOf(org)).toEqual(before)
    const real = await org.post(path, what)
    expect(real.text.replaceAll(dryRunsDiffer, '')).toBe(dry.text.replaceAll(dryRunsDiffer, ''))
    const merges = real.body.data.merges ?? []
    for (const { merge_id } of merges)
      expect((await org.post(`/duplicates/undo-merge/${merge_id}`)).status).toBe(200)
    if (merges.length === 0) await org.post(`/duplicates/redo-merge/${applied}`)
  })
})

test('a stored answer is not replayed to an API key that lost its permission', async () => {
  const org = await app.newOrg()
  const make = async (first_name: string) =>
    (await org.post('/contacts', { first_name })).body.data.contact_id as string
  const order = { entity_type: 'contact', survivor_id: await make('Ada'), loser_ids: [await make('Adah')] }
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
  const merged = await org.post('/duplicates/merge', order, withKey('merge'))
  const undo = `/duplicates/undo-merge/${merged.body.data.merges[0].merge_id}`
  expect((await org.post(undo, {}, withKey('undo'))).status).toBe(200)
  for (const permissions of [['duplicates:write'], ['duplicates:write', 'companies:write']]) {
    const other = await app.newKey(org.orgId, { permissions })
    for (const answer of [
      await other.post('/duplicates/merge', order, withKey('merge')),
      await other.post(undo, {}, withKey('undo')),
    ])
      expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('contacts:write')])
  }
  const enough = await app.newKey(org.orgId, { permissions: ['duplicates:write', 'contacts:write'] })
  const replayed = await enough.post('/duplicates/merge', order, withKey('merge'))
  expect([replayed.status, replayed.text]).toEqual([200, merged.text])
})
