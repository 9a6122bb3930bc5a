import { expect, test } from 'vitest'
import { xlsxOf } from '../../../test/support/xlsx.ts'
import { limitSpreadsheets } from './limit-spreadsheets.ts'
import { readXlsx } from './xlsx.ts'

const emptyRows = '<row/>'.repeat(2_000_000)
const named = (line: number) => `<row r="${line}"><c t="inlineStr"><is><t>email</t></is></c></row>`
const sheetOf = (rows: string) =>
  xlsxOf([], {
    parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
  })

test('a sample ends after 8 MiB of the sheet, and a whole file does not', async () => {
  const file = sheetOf(`${named(1)}${named(2)}${emptyRows}${named(3)}`)
  const rowsWith = async (sampled: boolean) => {
    const sheet = await readXlsx(file, '', { sampled })
    const rows = 'rows' in sheet ? await Array.fromAsync(sheet.rows) : []
    return rows.flat().length
  }
  expect(await rowsWith(true)).toBe(1)
  expect(await rowsWith(false)).toBe(2)
})

test('a header after more than 8 MiB of empty rows is not found', async () => {
  const sheet = await readXlsx(sheetOf(`${emptyRows}${named(1)}`), '', { sampled: true })
  expect(sheet).toEqual({ problem: expect.stringContaining('begins with more than 8 MiB of empty rows') })
})

test('the keys and the members of an organization unpack one spreadsheet at a time, and leave room for other organizations', async () => {
  const began: string[] = []
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const unpack = (payerId: string, end = Promise.resolve()) =>
    limitSpreadsheets(payerId, async () => {
      began.push(payerId)
      await end
    })
  const key = unpack('one', ends[0]?.promise)
  const member = unpack('one:members', ends[1]?.promise)
  await unpack('other')
  expect(began).toEqual(['one', 'other'])
  for (const end of ends) end.resolve()
  await Promise.all([key, member])
  expect(began).toEqual(['one', 'other', 'one:members'])
})
