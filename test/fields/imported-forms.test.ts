import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  for (const type of ['date', 'datetime', 'number'])
    await org.post('/fields', { entity: 'contact', key: type, label: type, type })
})
afterAll(() => app.close())

const importValue = (type: string, value: string) =>
  importCsv(org, `email;${type}\nada@x.example;${value}\n`, { query: { match_on: 'email' } })

test.each([
  ['date', '31.12.2025', '2025-12-31'],
  ['date', '1.2.2026', '2026-02-01'],
  ['datetime', '31.12.2025', '2025-12-31T00:00:00Z'],
  ['number', '1.234,50', 1234.5],
  ['number', '1,234.50', 1234.5],
  ['number', '-1.234.567,8', -1234567.8],
  ['number', '+1,234,567.25', 1234567.25],
  ['number', '1.234', 1.234],
])('an import reads a %s %j as %j', async (type, value, expected) => {
  expect(await importValue(type, value)).toMatchObject({ counts: { refused: 0 } })
  const { body } = await org.get('/contacts?email=ada@x.example')
  expect(body.data[0].custom[type]).toBe(expected)
})

test.each([
  ['date', '03/04/2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '31.02.2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '12.31.2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '31.12.25', 'a day must exist and be written YYYY-MM-DD'],
  ['datetime', '31.12.2025 09:30', 'a time must exist and have an offset'],
  ['number', '1,5', 'the value is not a number'],
  ['number', '1,234', 'the value is not a number'],
  ['number', '1.23,50', 'the value is not a number'],
  ['number', '0.123,50', 'the value is not a number'],
  ['number', '1.234,567,8', 'the value is not a number'],
])('an import refuses a %s %j', async (type, value, reason) => {
  const done = await importValue(type, value)
  expect(done).toMatchObject({ counts: { refused: 1 } })
  const { body } = await org.get(`/imports/${done.import_id}/rows`)
  expect(body.data[0].reason).toContain(reason)
})

test('a request of the API refuses the forms of spreadsheets', async () => {
  const custom = { date: '31.12.2025', number: '1.234,50' }
  const refused = await org.post('/contacts', { email: 'eve@x.example', custom })
  expect(refused.body.detail).toMatchObject([
    { loc: ['body', 'custom', 'date'] },
    { loc: ['body', 'custom', 'number'] },
  ])
})
