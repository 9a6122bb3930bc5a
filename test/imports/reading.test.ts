import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { xlsxOf } from '../support/xlsx.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const german = 'Vorname;Nachname;Straße;Stadt\r\nJörg;Müller;Hauptstraße 5;Köln\r\n'
const latin = Buffer.from(german, 'latin1')

const firstContact = async (org: TestOrg) => (await org.get('/contacts')).body.data[0]

describe('a file', () => {
  const jörg = { first_name: 'Jörg', last_name: 'Müller', city: 'Köln', custom: { Straße: 'Hauptstraße 5' } }
  const utf16 = Buffer.from(`\ufeff${german}`, 'utf16le')

  test.each<[string, Uint8Array, object, string]>([
    ['in UTF-8 with a byte order mark', Buffer.from(`\ufeff${german}`), {}, 'utf-8'],
    ['in UTF-16', utf16, {}, 'utf-16le'],
    ['in UTF-16 BE', Buffer.from(utf16).swap16(), {}, 'utf-16be'],
    ['in Windows-1252', latin, {}, 'windows-1252'],
    [
      'in ISO 8859-1, which Content-Type names',
      latin,
      { headers: { 'content-type': 'text/csv; charset="ISO-8859-1"' } },
      'windows-1252',
    ],
    ['in Windows-1250, which encoding names', latin, { query: { encoding: 'windows-1250' } }, 'windows-1250'],
    [
      'in Windows-1252, which encoding names and Content-Type does not',
      latin,
      { query: { encoding: 'cp1252' }, headers: { 'content-type': 'text/csv; charset=utf-8' } },
      'windows-1252',
    ],
  ])('a file %s is imported, and the import names its encoding', async (_what, file, where, encoding) => {
    const org = await app.newOrg()
    expect(await importCsv(org, file, where)).toMatchObject({ status: 'succeeded', encoding })
    expect(await firstContact(org)).toMatchObject(jörg)
  })

  test('a file with its first umlaut after 1 MiB is read in the right encoding', async () => {
    const org = await app.newOrg()
    const rows = Array.from({ length: 18 }, (_, n) => `Ada;${n};${'x'.repeat(60_000)};London\n`)
    const file = Buffer.from(`Vorname;Nachname;Notes;Stadt\n${rows.join('')}Jörg;Müller;;Köln\n`, 'latin1')
    expect(await importCsv(org, file)).toMatchObject({ encoding: 'windows-1252', counts: { refused: 0 } })
    expect(await firstContact(org)).toMatchObject({ first_name: 'Jörg', city: 'Köln' })
  })

  test('a header that was read as UTF-8 is read again if a later part of the file is not UTF-8', async () => {
    const org = await app.newOrg()
    const start = 'Straße;Name\n'
    const rows = `${'x'.repeat(60_000)};Ada\n`.repeat(20)
    const file = Buffer.concat([Buffer.from(start + rows), Buffer.from(`${'ä;ö\n'.repeat(9)}`, 'latin1')])
    const { status, body } = await uploadCsv(org, file, { mapping: { Straße: 'city' } })
    const msg = expect.stringContaining('not a column of this file')
    expect([status, body.detail]).toMatchObject([422, [{ loc: ['query', 'mapping'], msg }]])
  })

  test.each<[string, object, string[], RegExp]>([
    ['encoding=utf-8', { query: { encoding: 'utf-8' } }, ['body'], /request says that the file is UTF-8/],
    [
      'charset=utf-8',
      { headers: { 'content-type': 'text/csv;charset=UTF-8' } },
      ['body'],
      /request says that the file is UTF-8/,
    ],
    ['encoding=shift_jis', { query: { encoding: 'shift_jis' } }, ['body'], /not SHIFT_JIS/],
    ['encoding=klingon', { query: { encoding: 'klingon' } }, ['query', 'encoding'], /windows-1252/],
    [
      'charset=klingon',
      { headers: { 'content-type': 'text/csv; charset=klingon' } },
      ['header', 'content-type'],
      /not a known encoding/,
    ],
  ])('a file in Windows-1252 with %s gets one 422', async (_what, where, loc, says) => {
    const { status, body } = await uploadCsv(await app.newOrg(), latin, where)
    expect([status, body.detail]).toMatchObject([422, [{ loc, msg: expect.stringMatching(says) }]])
  })
})

describe('spreadsheets', () => {
  const date = (cell: string, value: number) => ({ xml: `<c r="${cell}" s="1"><v>${value}</v></c>` })
  const file = xlsxOf([
    ['Vorname', 'Nachname', 'Telefon', 'Geburtstag'],
    ['Jörg', 'Müller', 3023125000, date('D2', 29221)],
    ['Zoë', '', { xml: '<c r="C3"><v>3.023125001E9</v></c>' }, ''],
    ['Too', 'many', 'values', '', 'here'],
  ])

  test.each(['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'])(
    'a spreadsheet is imported as %s',
    async (type) => {
      const org = await app.newOrg({ country: 'DE' })
      const done = await importCsv(org, file, { headers: { 'content-type': type } })
      expect(done).toMatchObject({ encoding: null, counts: { rows_read: 3, created: 2, refused: 1 } })
      expect((await org.get('/contacts')).body.data).toMatchObject([
        { first_name: 'Zoë', phone: '+493023125001' },
        { last_name: 'Müller', phone: '+493023125000', custom: { Geburtstag: '1980-01-01' } },
      ])
      expect((await org.get(`/imports/${done.import_id}/rows`)).body.data).toMatchObject([
        { line: 4, reason: expect.stringContaining('5 values') },
      ])
    },
  )

  test('a spreadsheet of several pieces is imported whole', async () => {
    const org = await app.newOrg()
    const text = (n: number) => randomBytes(15_000).toString('base64') + n
    const rows = Array.from({ length: 100 }, (_, n) => [`person ${n}`, text(n)])
    const big = xlsxOf([['Name', 'Notes'], ...rows])
    expect(await importCsv(org, big)).toMatchObject({ counts: { created: 100, refused: 0 } })
  })
})

describe('dry runs', () => {
  const csv = 'name,email,consent email\nAda,ada@example.com,yes\nAlan,,perhaps\n'

  test.each([
    ['a text/csv body', (org: TestOrg) => uploadCsv(org, csv, { query: { dry_run: 'true' } })],
    ['a JSON body', (org: TestOrg) => org.post('/contacts/imports', { csv, dry_run: true })],
  ])('a dry run of %s reads every row, counts refused rows, and creates nothing', async (_what, send) => {
    const org = await app.newOrg()
    const { status, body } = await send(org)
    expect([status, body.data.dry_run]).toEqual([202, true])
    const done = await untilEnded(org, body.data.import_id)
    expect(done).toMatchObject({
      status: 'succeeded',
      counts: { rows_read: 2, created: 1, refused: 1 },
      refused_by_code: { validation_failed: 1 },
    })
    expect((await org.get(`/imports/${done.import_id}/rows`)).body.data).toMatchObject([{ line: 3 }])
    expect((await org.get('/contacts')).body.data).toEqual([])
    expect((await org.get('/events?type=contact.created')).body.data).toEqual([])
    const revert = await org.post(`/imports/${done.import_id}/revert`)
    expect([revert.status, revert.body.detail]).toEqual([409, expect.stringContaining('dry run')])
  })
})

test.each([
  ['of refused rows', 'email,consent email\na@example.com,perhaps\n', 'Every row was refused'],
  ['without rows', 'email\n\n', 'no rows below its header'],
])('an import %s has failed', async (_what, csv, says) => {
  const org = await app.newOrg()
  const done = await importCsv(org, csv)
  const error = { code: 'nothing_imported', message: expect.stringContaining(says) }
  expect(done).toMatchObject({ status: 'failed', error, finished_at: expect.any(Number) })
  const { body } = await org.get(`/events?object_id=${done.import_id}`)
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['import.failed', 'import.created'])
})

test('columns with the same header are mapped by position', async () => {
  const org = await app.newOrg()
  const csv = 'Name,Notes,Notes,Notes\nAda,London,first,second\n'
  await importCsv(org, csv, { mapping: { '#2': 'city', '#4': 'custom:other' } })
  expect(await firstContact(org)).toMatchObject({
    city: 'London',
    custom: { 'Notes (2)': 'first', other: 'second' },
  })
})

test('refused rows can be downloaded as a CSV file with line, code and reason', async () => {
  const org = await app.newOrg()
  const csv = `name,consent email\nAda,yes\n${'Zoe,perhaps\n'.repeat(260)}`
  const done = await importCsv(org, csv)
  const path = `/imports/${done.import_id}/rows/export`
  const { status, text, headers } = await org.get(path)
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
  const lines = text.split('\r\n')
  expect([lines.length, lines[0], lines[261]]).toEqual([262, 'line,code,reason', ''])
  const rows = (await org.get(`/imports/${done.import_id}/rows?limit=1`)).body.data
  expect(lines[1]).toBe(`3,${rows[0].code},"${rows[0].reason.replaceAll('"', '""')}"`)
  const deals = await app.newKey(org.orgId, { permissions: ['companies:read'] })
  expect((await deals.get(path)).status).toBe(403)
  expect((await (await app.newOrg()).get(path)).status).toBe(404)
})
