import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { xlsxOf } from '../support/xlsx.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
  org = await app.newOrg()
  for (const type of ['date', 'datetime', 'number'])
    await org.post('/fields', { entity: 'contact', key: type, label: type, type })
})
afterAll(() => app.close())

const importValue = (type: string, value: string, options: Record<string, string> = {}) =>
  importCsv(org, `email;${type}\nada@x.example;${value}\n`, { query: { match_on: 'email', ...options } })
const storedValue = async (type: string) =>
  (await org.get('/contacts?email=ada@x.example')).body.data[0].custom[type]

test.each([
  ['date', '31.12.2025', '2025-12-31'],
  ['date', '1.2.2026', '2026-02-01'],
  ['datetime', '31.12.2025', '2025-12-31T00:00:00Z'],
  ['datetime', '31.12.2025 09:30', '2025-12-31T09:30:00Z'],
  ['datetime', '2025-12-31 9:30:15', '2025-12-31T09:30:15Z'],
  ['number', '1.234,50', 1234.5],
  ['number', '1,234.50', 1234.5],
  ['number', '-1.234.567,8', -1234567.8],
  ['number', '+1,234,567.25', 1234567.25],
  ['number', '1.234', 1.234],
])('an import reads a %s %j as %j', async (type, value, expected) => {
  expect(await importValue(type, value)).toMatchObject({ counts: { refused: 0 } })
  expect(await storedValue(type)).toBe(expected)
})

const [comma, point] = [{ decimal_sign: 'comma' }, { decimal_sign: 'point' }]
const [dayFirst, monthFirst] = [{ date_order: 'day_month' }, { date_order: 'month_day' }]

test.each([
  [comma, 'number', '1.234', 1234],
  [comma, 'number', '1,5', 1.5],
  [comma, 'number', '-1.234.567,8', -1234567.8],
  [comma, 'number', '1 234,50', 1234.5],
  [comma, 'number', '7', 7],
  [point, 'number', '1,234', 1234],
  [point, 'number', '1.234', 1.234],
  [point, 'number', "1'234.50", 1234.5],
  [dayFirst, 'date', '03/04/2025', '2025-04-03'],
  [monthFirst, 'date', '3/4/2025', '2025-03-04'],
  [monthFirst, 'date', '03.04.2025', '2025-04-03'],
  [monthFirst, 'datetime', '12/31/2025', '2025-12-31T00:00:00Z'],
  [monthFirst, 'datetime', '12/31/2025 9:30 PM', '2025-12-31T21:30:00Z'],
  [monthFirst, 'datetime', '12/31/2025 12:05 am', '2025-12-31T00:05:00Z'],
])('with %j, an import reads a %s %j as %j', async (options, type, value, expected) => {
  const done = await importValue(type, value, options)
  expect(done).toMatchObject({ counts: { refused: 0 }, ...options })
  expect(await storedValue(type)).toBe(expected)
})

test.each([
  [comma, 'number', '1,234.50'],
  [comma, 'number', '1.23,4'],
  [point, 'number', '1,23'],
  [dayFirst, 'date', '12/31/2025'],
  [monthFirst, 'date', '31/12/2025'],
  [monthFirst, 'datetime', '12/31/2025 13:00 PM'],
])('with %j, an import refuses a %s %j', async (options, type, value) => {
  expect(await importValue(type, value, options)).toMatchObject({ counts: { refused: 1 } })
})

test('with decimal_sign=comma, an import still reads the numbers of a spreadsheet as they are stored', async () => {
  const file = xlsxOf([
    ['email', 'number'],
    ['ada@x.example', 1.234],
  ])
  const query = { match_on: 'email', ...comma }
  expect(await importCsv(org, file, { query })).toMatchObject({ counts: { refused: 0 } })
  expect(await storedValue('number')).toBe(1.234)
})

test.each([
  ['date', '03/04/2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '31.02.2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '12.31.2025', 'a day must exist and be written YYYY-MM-DD'],
  ['date', '31.12.25', 'a day must exist and be written YYYY-MM-DD'],
  ['datetime', '31.12.2025 25:30', 'a time must exist and have an offset'],
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
