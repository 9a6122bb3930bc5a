import { archiveProblem } from '../../csv/csv.ts'
import type { CsvRow } from '../../csv/csv-rows.ts'
import { headerProblem } from '../../csv/header.ts'
import { Archive, BrokenSpreadsheet } from './archive.ts'
import { readSheet, type SheetRow } from './sheet.ts'
import { valueCharactersMax } from './values.ts'
import { readWorkbook } from './workbook.ts'

/** The maximum size of a spreadsheet, in bytes. The whole file is in memory while it is read. */
export const xlsxBytesMax: number = 16 * 1024 * 1024
export const spreadsheetTooLarge: string =
  'The spreadsheet is larger than 16 MiB, the maximum. Save it as CSV.'
const rowCharactersMax = 1024 * 1024
/** Hundreds of rows of 1,000 cells. */
const sampleBytes = 8 * 1024 * 1024
const emptyStart =
  'The first sheet of the spreadsheet is empty, or begins with more than 8 MiB of empty rows, unpacked.'

/** True if a file starts with the bytes of a ZIP file, as .xlsx files do. */
export const isZip = (start: Buffer): boolean => start.toString('hex', 0, 4) === '504b0304'

/** Why a file with this start is neither .xlsx nor CSV; null: it may be. Both .xls and encrypted .xlsx files are OLE. */
export function unreadableStart(start: Buffer): { problem: string } | null {
  if (start.toString('hex', 0, 4) !== 'd0cf11e0') return isZip(start) ? null : archiveProblem(start)
  return {
    problem:
      'The file is an old Excel workbook (.xls), or encrypted: save it as .xlsx without a password, or as CSV in UTF-8.',
  }
}

/**
 * Each row has as many cells as the header. Empty rows are skipped. `line` is the row number in the
 * sheet.
 */
export type Spreadsheet = { header: string[]; rows: AsyncIterable<CsvRow[]> }

/**
 * Reads the first visible sheet of an .xlsx file. Values have the text of a CSV export: ISO dates, whole numbers
 * without exponent, stored results of formulas. Returns a problem if the file is unreadable.
 * @param owner the organization in whose slices of thread time the file is read
 * @param sampled reads only the first 8 MiB of the unpacked sheet
 */
export async function readXlsx(
  bytes: Buffer,
  owner = '',
  { sampled = false }: { sampled?: boolean } = {},
): Promise<Spreadsheet | { problem: string }> {
  try {
    const archive = await Archive.open(bytes)
    const batches = readSheet(
      archive,
      await readWorkbook(archive, owner),
      owner,
      sampled ? sampleBytes : undefined,
    )
    const [head, ...rest] = (await batches.next()).value ?? []
    if (head === undefined)
      return { problem: sampled ? emptyStart : 'The first sheet of the spreadsheet is empty.' }
    const problem = headerProblem(head.cells, head.width)
    if (problem !== null) return { problem }
    const row = widen(head, head.cells.length)
    if ('problem' in row) return { problem: `The header cannot be read. ${row.problem}` }
    return { header: head.cells, rows: fitted(head.cells.length, rest, batches) }
  } catch (error) {
    if (!(error instanceof BrokenSpreadsheet)) throw error
    return { problem: error.message }
  }
}

async function* fitted(
  width: number,
  first: SheetRow[],
  batches: AsyncGenerator<SheetRow[], void>,
): AsyncGenerator<CsvRow[], void> {
  let line = first.at(-1)?.line ?? 1
  try {
    if (first.length > 0) yield first.map((row) => widen(row, width))
    for await (const batch of batches) {
      line = batch.at(-1)?.line ?? line
      yield batch.map((row) => widen(row, width))
    }
  } catch (error) {
    if (!(error instanceof BrokenSpreadsheet)) throw error
    yield [{ line: line + 1, problem: error.message, stopped: true }]
  }
}

/** Makes a row as wide as the header. Returns the reason if the row is unusable. */
function widen({ line, width: own, cells }: SheetRow, width: number): CsvRow {
  if (own > width) return { line, problem: `The row has ${own} values, the header ${width}.` }
  let characters = 0
  for (const cell of cells) {
    characters += cell.length
    if (cell.length > valueCharactersMax) return { line, problem: 'A value is longer than 128 KB.' }
  }
  if (characters > rowCharactersMax) return { line, problem: 'The row is longer than 1 MiB.' }
  while (cells.length < width) cells.push('')
  return { line, cells }
}
