import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { fromCell } from '../../src/csv/cell.ts'
import { readCsv } from '../../src/csv/csv.ts'
import { csvLine } from '../../src/voice/suppressions/csv.ts'
import { sharedTestApp, type TestClient, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const path = '/voice/suppressions'
const csvType = { 'content-type': 'text/csv' }
const importCsv = (org: TestClient, raw: string, key?: string) =>
  org.post(`${path}/import`, undefined, {
    raw,
    headers: { ...csvType, ...(key && { 'idempotency-key': key }) },
  })
const listed = async (org: TestOrg, query = '') => (await org.get(`${path}${query}`)).body
const eventsOf = async (org: TestOrg): Promise<string[]> =>
  (await org.get('/events')).body.data
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => type.startsWith('suppression.'))

describe('single suppressions', () => {
  test('a suppression is created, read, found by its number, and deleted, with its events', async () => {
    const org = await app.newOrg()
    const before = Math.floor(Date.now() / 1000)
    const sent = {
      number: '+1 (202) 555-0147',
      reason: ' Asked on 1 July ',
      source: 'support',
      since: 1_782_864_000,
    }
    const created = await org.post(path, sent)
    const { outcome, ...suppression } = created.body.data
    expect([created.status, outcome, suppression]).toEqual([
      200,
      'created',
      {
        ...{ suppression_id: expect.any(String), number: '+12025550147', reason: 'Asked on 1 July' },
        ...{ source: 'support', since: 1_782_864_000, created_at: expect.any(Number) },
      },
    ])
    const bare = (await org.post(path, { number: '+12025550148' })).body.data
    expect(bare).toMatchObject({ reason: null, source: 'api', since: bare.created_at })
    expect(bare.since).toBeGreaterThanOrEqual(before)
    expect((await org.get(`${path}/${suppression.suppression_id}`)).body.data).toEqual(suppression)
    const { outcome: _, ...second } = bare
    expect((await listed(org)).data).toEqual([second, suppression])
    expect(await listed(org, '?number=+12025550147')).toMatchObject({
      data: [suppression],
      pagination: { total: 1 },
    })
    expect((await listed(org, '?limit=1')).pagination).toMatchObject({ total: 2, has_next: true })
    expect((await org.delete(`${path}/${bare.suppression_id}`)).status).toBe(204)
    expect((await listed(org)).pagination.total).toBe(1)
    for (const method of ['GET', 'DELETE'])
      expect((await org.send(method, `${path}/${bare.suppression_id}`)).status).toBe(404)
    expect(await eventsOf(org)).toEqual(['suppression.deleted', 'suppression.created', 'suppression.created'])
  })

  test('a number has at most one suppression, which keeps its first reason', async () => {
    const org = await app.newOrg()
    await org.patch('/organization', { default_country: 'US' })
    const all = await Promise.all(
      ['+12025550147', '202-555-0147', '0012025550147'].map((number, index) =>
        org.post(path, { number, reason: `${index}` }),
      ),
    )
    const outcomes = all.map(({ body }) => body.data.outcome).sort()
    expect(outcomes).toEqual(['created', 'existing', 'existing'])
    expect(new Set(all.map(({ body }) => body.data.reason)).size).toBe(1)
    expect(await eventsOf(org)).toEqual(['suppression.created'])
  })

  test('a suppression is created once for each Idempotency-Key, even after it was deleted', async () => {
    const org = await app.newOrg()
    const create = () => org.post(path, { number: '+12025550147' }, { headers: { 'idempotency-key': 'k' } })
    const { suppression_id: id } = (await create()).body.data
    await org.delete(`${path}/${id}`)
    expect((await create()).body.data).toMatchObject({ suppression_id: id, outcome: 'created' })
    expect((await listed(org)).data).toEqual([])
  })

  test('a suppression is refused for an invalid phone number', async () => {
    const org = await app.newOrg()
    const answer = await org.post(path, { number: '555-0147', since: -1 })
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'since'] }])
    const national = await org.post(path, { number: '555-0147' })
    expect([national.status, national.body.detail[0].loc]).toEqual([422, ['body', 'number']])
  })

  test('a suppression is written with voice:write, deleted with voice:manage, and visible only to its own org', async () => {
    const [org, stranger] = [await app.newOrg(), await app.newOrg()]
    const [reader, writer] = [
      await app.newKey(org.orgId, { permissions: ['voice:read'] }),
      await app.newKey(org.orgId, { permissions: ['voice:write'] }),
    ]
    expect((await reader.post(path, { number: '+12025550147' })).status).toBe(403)
    expect((await importCsv(reader, 'number\n+12025550147\n')).status).toBe(403)
    const { suppression_id: id } = (await writer.post(path, { number: '+12025550147' })).body.data
    expect((await writer.delete(`${path}/${id}`)).status).toBe(403)
    expect((await reader.get(`${path}/export`)).text).toContain('+12025550147')
    expect((await stranger.get(`${path}/${id}`)).status).toBe(404)
    expect((await stranger.delete(`${path}/${id}`)).status).toBe(404)
    expect((await stranger.get(`${path}/export`)).text).toBe('number,reason,source,since\r\n')
  })
})

describe('imports', () => {
  test('if a quote is never closed, the row is refused after 8 KiB, and other rows are stored', async () => {
    const org = await app.newOrg()
    const file = `number,reason\n+12025550147,"${'x'.repeat(500_000)}\n+12025550148,fax\n`
    expect((await importCsv(org, file)).body.data).toMatchObject({
      ...{ created: 1, refused: 1 },
      refusals: [{ row: 2, reason: expect.stringContaining('longer than 8 KiB') }],
    })
  })

  test('an import of CSV stores all rows that can be read, and reports the others with their lines', async () => {
    const org = await app.newOrg()
    await org.post(path, { number: '+12025550140', reason: 'first' })
    const file = [
      'Number;Reason;since',
      '+12025550140;again;',
      '+1 202 555 0141;"said; ""no""";2026-08-02',
      '555;;',
      '+12025550142;;yesterday',
      `+12025550143;${'x'.repeat(201)};`,
      '+12025550141;twice;',
      '',
    ].join('\r\n')
    const answer = await importCsv(org, file, 'k')
    expect([answer.status, answer.body.data]).toEqual([
      200,
      {
        ...{ created: 1, existing: 2, refused: 3 },
        refusals: [
          {
            row: 4,
            code: 'validation_failed',
            reason: expect.stringContaining('number: value is not a valid phone number'),
          },
          { row: 5, code: 'validation_failed', reason: expect.stringContaining('since: write it as') },
          { row: 6, code: 'validation_failed', reason: 'reason: it has more than 200 characters' },
        ],
      },
    ])
    expect((await importCsv(org, file, 'k')).body).toEqual(answer.body)
    expect((await listed(org)).data).toMatchObject([
      { number: '+12025550141', reason: 'said; "no"', source: 'import', since: 1_785_628_800 },
      { number: '+12025550140', reason: 'first' },
    ])
    expect(await eventsOf(org)).toEqual(['suppression.created', 'suppression.created'])
  })

  test('an import of JSON stores all entries that can be read, and reports the others by their place', async () => {
    const org = await app.newOrg()
    const suppressions = [
      { number: '+12025550140', source: 'crm', since: 7 },
      { number: 'nobody' },
      { number: '+12025550140' },
    ]
    const { data } = (await org.post(`${path}/import`, { suppressions })).body
    expect(data).toEqual({
      ...{ created: 1, existing: 1, refused: 1 },
      refusals: [{ row: 2, code: 'validation_failed', reason: expect.stringContaining('number: ') }],
    })
    expect((await listed(org)).data).toMatchObject([{ number: '+12025550140', source: 'crm', since: 7 }])
  })

  test.each<[string, string, number, string]>([
    ['a file without numbers', 'phone\n+12025550140\n', 422, 'must name `number`'],
    ['a misspelled column', 'number,raeson\n+12025550140,x\n', 422, 'must name `number`'],
    ['a column twice', 'number,number\n+12025550140,+12025550141\n', 422, 'each once'],
    ['an empty file', '', 422, 'empty'],
    ['too many rows', `number\n${'+12025550140\n'.repeat(10_001)}`, 422, 'more than 10000 rows'],
    ['too large a file', `number\n${'x'.repeat(1024 * 1024)}`, 413, 'larger than'],
  ])('an import refuses %s, and stores nothing', async (_what, file, status, words) => {
    const org = await app.newOrg()
    const answer = await importCsv(org, file)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
    // The connection still works, although the server did not read the whole body.
    expect((await listed(org)).data).toEqual([])
  })

  test('an import of 10,000 rows does not block other requests', async () => {
    const org = await app.newOrg()
    const rows = Array.from({ length: 10_000 }, (_, n) => `+1 (415) 55${String(n).padStart(5, '0')}`)
    let isDone = false
    const importing = importCsv(org, `number\n${rows.join('\n')}\n`).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      await app.stranger.get('/healthz', { prefix: '' })
      answered++
    }
    expect((await importing).body.data).toMatchObject({ created: 10_000, refused: 0 })
    expect(answered).toBeGreaterThan(3)
    expect((await listed(org)).pagination.total).toBe(10_000)
    // Use so many rows that the server reads several pieces of the file.
    const { text, headers } = await org.get(`${path}/export`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(10_001)
    expect((await importCsv(await app.newOrg(), text.slice(0, text.indexOf('\r\n', 90_000)))).status).toBe(
      200,
    )
  })
})

describe('exports', () => {
  test('an export contains no formulas, and importing the export creates the same suppressions', async () => {
    const [org, copy] = [await app.newOrg(), await app.newOrg()]
    const reasons = ['=1+1', "'=1+1", '+1', '-1', '@SUM(A1)', '"quoted", and\nmore', "it's", 'plain', null]
    for (const [index, reason] of reasons.entries())
      await org.post(path, { number: `+1202555010${index}`, reason, source: reason, since: index })
    const { text } = await org.get(`${path}/export`)
    expect(text).toContain(`+12025550100,'=1+1,'=1+1,1970-01-01T00:00:00Z\r\n`)
    expect(text).not.toMatch(/(^|,)"?[=@-]/m)
    expect((await importCsv(copy, text)).body.data).toMatchObject({ created: reasons.length, refused: 0 })
    const said = ({ number, reason, since }: { number: string; reason: string; since: number }) => [
      number,
      reason,
      since,
    ]
    expect((await listed(copy)).data.map(said).sort()).toEqual((await listed(org)).data.map(said).sort())
    expect((await copy.get(`${path}/export`)).text.split('\r\n').sort()).toEqual(text.split('\r\n').sort())
  })

  test('an export never begins a cell with a formula character, and an import restores each text', async () => {
    const text = fc.stringMatching(/^[=+\-@'"a,;\n ]{0,6}$/).map((value) => value.trim())
    await fc.assert(
      fc.asyncProperty(text, async (reason) => {
        const base = { suppression_id: '', number: '+12025550100', source: null, since: 0, created_at: 0 }
        const line = csvLine({ ...base, reason: reason || null })
        const file = await readCsv(Readable.from([Buffer.from(`number,reason,source,since\r\n${line}`)]))
        if ('problem' in file) throw new Error(file.problem)
        const cells: string[][] = []
        for await (const rows of file.rows) for (const row of rows) if ('cells' in row) cells.push(row.cells)
        expect(cells[0]![1]).not.toMatch(/^[=+\-@\t\r]/)
        expect(fromCell(cells[0]![1]!)).toBe(reason)
      }),
    )
  })
})
