import { afterAll, describe, expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { sharedTestApp } from '../support/app.ts'
import { importCounts, importCsv } from '../support/csv-imports.ts'
import { xlsxOf } from '../support/xlsx.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const send = (org: TestOrg, raw: string | Uint8Array, query = '', type = 'text/csv', entity = 'contacts') =>
  org.send('POST', `/${entity}/imports/inspect${query}`, {
    raw: Buffer.from(raw),
    headers: { 'content-type': type },
  })

const german =
  'Vorname;Nachname;E-Mail;Notiz;Notiz;\r\nJörg;Müller;joerg@example.com;a;b;\r\nZoë;Müller;;c;;x\r\n'

test('inspecting a CSV file describes the file and creates nothing', async () => {
  const org = await app.newOrg({ key: { permissions: ['contacts:write'] } })
  const before = await importCounts(app)
  const { status, body } = await send(org, Buffer.from(german, 'latin1'))
  expect([status, body]).toEqual([
    200,
    {
      data: {
        format: 'csv',
        encoding: 'windows-1252',
        delimiter: ';',
        source: null,
        match_on: null,
        max_bytes: 2 ** 31,
        has_header: true,
        columns: [
          { position: 1, header: 'Vorname', field: 'first_name', samples: ['Jörg', 'Zoë'] },
          { position: 2, header: 'Nachname', field: 'last_name', samples: ['Müller'] },
          { position: 3, header: 'E-Mail', field: 'email', samples: ['joerg@example.com'] },
          { position: 4, header: 'Notiz', field: null, samples: ['a', 'c'] },
          { position: 5, header: 'Notiz', field: null, samples: ['b'] },
          { position: 6, header: 'column 6', field: null, samples: ['x'] },
        ],
        mapping: {
          Vorname: 'first_name',
          Nachname: 'last_name',
          'E-Mail': 'email',
          '#4': 'custom:Notiz',
          '#5': 'custom:Notiz (2)',
          'column 6': 'custom:column 6',
        },
      },
      pagination: null,
    },
  ])
  expect(await importCounts(app)).toEqual(before)
})

test('the mapping of an inspection can be sent with the import', async () => {
  const org = await app.newOrg()
  const { mapping } = (await send(org, german)).body.data
  const done = await importCsv(org, german, { mapping })
  expect(done).toMatchObject({ status: 'succeeded', counts: { created: 2 } })
  expect(done.columns.map(({ field }: { field: string }) => field)).toEqual(Object.values(mapping))
})

test('inspecting describes text in JSON, an export of another CRM and a spreadsheet', async () => {
  const org = await app.newOrg()
  const csv = 'Record ID,Email,Lifecycle Stage\n12,a@example.com,lead\n'
  const asJson = await org.post('/contacts/imports/inspect', { csv })
  expect(asJson.body.data).toMatchObject({
    source: 'hubspot',
    encoding: 'utf-8',
    mapping: { 'Record ID': 'external_id:hubspot' },
  })
  const sheet = xlsxOf([
    ['Company', 'Site'],
    ['Acme', 'acme.example'],
  ])
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const asSheet = await send(org, sheet, '', type, 'companies')
  expect(asSheet.body.data).toMatchObject({
    format: 'xlsx',
    encoding: null,
    delimiter: null,
    columns: [
      { header: 'Company', field: 'name', samples: ['Acme'] },
      { header: 'Site', field: null },
    ],
  })
})

test('an old or encrypted Excel workbook gets 422, which says to save it as .xlsx or CSV', async () => {
  const workbook = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const org = await app.newOrg()
  const msg = expect.stringMatching(/\.xls\b.*save it as \.xlsx without a password, or as CSV in UTF-8/)
  for (const path of ['contacts/imports/inspect', 'contacts/imports']) {
    const answer = await org.post(`/${path}`, undefined, {
      raw: workbook,
      headers: { 'content-type': 'text/csv' },
    })
    expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining({ msg })]])
  }
})

test.each([
  ['Ada,ada@example.com\n', false],
  ['Ada,+49 30 23125000\n', false],
  ['Shoe,Hat\n', true],
  ['Email,2026-08-02\n', true],
])(
  'inspecting a file with the first row %j reports whether the row is a header: %j',
  async (csv, hasHeader) => {
    const { body } = await (await app.newOrg()).post('/contacts/imports/inspect', { csv })
    expect(body.data.has_header).toBe(hasHeader)
  },
)

describe('large files', () => {
  test('inspecting a large file reads its first 64 KiB, omits the incomplete last row, and shortens samples', async () => {
    const org = await app.newOrg()
    const csv = `Name,Notes\n${`Ada,${'x'.repeat(30_000)}\n`.repeat(2)}Zoe,"${'y'.repeat(3_000_000)}"\n`
    const { status, body } = await send(org, csv)
    expect([status, body.data.columns]).toEqual([
      200,
      [
        { position: 1, header: 'Name', field: 'full_name', samples: ['Ada'] },
        { position: 2, header: 'Notes', field: null, samples: ['x'.repeat(100)] },
      ],
    ])
  })

  test('inspecting a spreadsheet of more than 2 MiB gets 413', async () => {
    const { status, body } = await send(await app.newOrg(), Buffer.alloc(2 ** 21 + 1, 'PK\x03\x04'))
    expect([status, body.detail]).toEqual([413, expect.stringContaining('dry_run=true')])
  })
})

test.each<[string, string | Uint8Array, string, string[]]>([
  ['an empty file', '\n', '', ['body']],
  ['an archive', Buffer.from('\x1f\x8b', 'latin1'), '', ['body']],
  ['a damaged spreadsheet', 'PK\x03\x04', '', ['body']],
  ['an encoding that the file does not have', Buffer.from(german, 'latin1'), '?encoding=utf-8', ['body']],
  ['an unknown encoding', german, '?encoding=klingon', ['query', 'encoding']],
  ['a parameter of imports', german, '?dry_run=true', ['query', 'dry_run']],
])('inspecting %s gets a 422', async (_what, file, query, loc) => {
  const { status, body } = await send(await app.newOrg(), file, query)
  expect([status, body.detail]).toMatchObject([422, [{ loc }]])
})

test('inspecting a file stores no answer for an Idempotency-Key, because the samples are personal data', async () => {
  const org = await app.newOrg()
  const headers = { 'idempotency-key': 'k' }
  for (const csv of ['Name\nAda\n', 'Name\nZoe\n']) {
    const { status, body } = await org.post('/contacts/imports/inspect', { csv }, { headers })
    expect([status, body.data.columns[0].samples]).toEqual([200, [csv.slice(5, 8)]])
  }
})
