import { readCsv } from '../csv/csv.ts'
import type { CsvRow } from '../csv/csv-rows.ts'
import { peekStart } from '../csv/peek-start.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Column, type DefinedName, mapColumns } from './columns.ts'
import { missingKeyColumn } from './match-key.ts'
import type { ImportError } from './schema.ts'
import type { Entity } from './synonyms.ts'
import { isZip, readXlsx, spreadsheetTooLarge, xlsxBytesMax } from './xlsx/xlsx.ts'

export class UnusableFile extends Error {
  override name = 'UnusableFile'
  /** The part of the request that the user must correct. */
  readonly part: 'file' | 'mapping' | 'match_on'

  constructor(message: string, part: UnusableFile['part'] = 'file') {
    super(message)
    this.part = part
  }
}

/** The stored `error` of an import that failed because of an unusable file. */
export const unusableFileError = ({ part, message }: UnusableFile): ImportError => ({
  code: part === 'file' ? 'file_unusable' : 'mapping_unusable',
  message,
})

export type Table = { columns: Column[]; encoding: string | null; rows: AsyncIterable<CsvRow[]> }

export type TableOptions = {
  mapping?: Record<string, string> | undefined
  matchOn?: string | undefined
  /** The encoding of a CSV file; by default, the first 64 KiB decide. */
  encoding?: string | undefined
  /** The org whose slices of thread time are used to read the table. */
  owner?: string
  /** Whether only the header and the first rows are needed. A spreadsheet may end after its start then. */
  sampled?: boolean
  /** The defined fields that a header can name. */
  defined?: readonly DefinedName[]
}

/** @throws UnusableFile if the file is not a table, or if the mapping does not fit the header */
export async function openTable(
  source: AsyncIterable<Uint8Array>,
  type: RecordType,
  { mapping, matchOn, encoding, owner, sampled, defined }: TableOptions = {},
): Promise<Table> {
  const file = await openFile(source, { encoding, ...(owner && { owner }), ...(sampled && { sampled }) })
  if ('problem' in file) throw new UnusableFile(file.problem)
  const { columns, problems } = mapColumns(file.header, type.entity as Entity, mapping, matchOn, defined)
  if (problems.length > 0) throw new UnusableFile(problems.join(' '), 'mapping')
  const missing = matchOn === undefined ? null : missingKeyColumn(columns, matchOn)
  if (missing !== null) throw new UnusableFile(missing, 'match_on')
  return { columns, encoding: file.encoding, rows: file.rows }
}

/** A file whose header was read, before the columns have fields. */
export type OpenFile = {
  format: 'csv' | 'xlsx'
  header: string[]
  delimiter: string | null
  encoding: string | null
  rows: AsyncIterable<CsvRow[]>
}

/** Opens a CSV file or a spreadsheet. The first bytes show which of the two it is. Returns a problem if it is unreadable. */
export async function openFile(
  source: AsyncIterable<Uint8Array>,
  { encoding, owner, sampled }: Pick<TableOptions, 'encoding' | 'owner' | 'sampled'> = {},
): Promise<OpenFile | { problem: string }> {
  const { start, bytes } = await peekStart(source)
  if (!isZip(start)) {
    const file = await readCsv(bytes, { encoding, ...(owner && { owner }) })
    return 'problem' in file ? file : { format: 'csv', ...file }
  }
  const whole = await collect(bytes)
  if (whole === null) return { problem: spreadsheetTooLarge }
  const sheet = await readXlsx(whole, owner, { sampled: sampled === true })
  return 'problem' in sheet ? sheet : { format: 'xlsx', ...sheet, delimiter: null, encoding: null }
}

/** The rows of all batches, one after another. */
export async function* rowsOf(batches: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow, void> {
  for await (const batch of batches) yield* batch
}

/** Reads all bytes of a spreadsheet. Returns null if it is too large. */
async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > xlsxBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
