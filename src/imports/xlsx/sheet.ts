import { columnsMax } from '../../csv/header.ts'
import type { Archive } from './archive.ts'
import { isoDate, plainNumber, unescapeText, valueCharactersMax, withZeros } from './values.ts'
import type { NumberFormat, Workbook } from './workbook.ts'
import { parsingXml } from './xml.ts'

const sheetBytesMax = 256 * 1024 * 1024
/** The maximum number of columns of a sheet. Cells in later columns are not counted. */
const sheetColumnsMax = 16_384

/**
 * `width` counts the cells up to the last value. `cells` ends at the last column of the first row, and has no more cells than
 * a file may have columns: a 1 MB file can have 300,000 rows of 16,384 cells.
 */
export type SheetRow = { line: number; width: number; cells: string[] }

/**
 * Yields the non-empty rows of the sheet, in batches.
 * @param sampleBytes reading ends after about this many unpacked bytes. A file of 400 KB can unpack to 250 MB of empty
 * rows
 * @throws BrokenSpreadsheet
 */
export async function* readSheet(
  archive: Archive,
  workbook: Workbook,
  owner: string,
  sampleBytes: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<SheetRow[], void> {
  const sheet = new SheetReader(workbook)
  const start = startOf(archive.read(workbook.sheet, sheetBytesMax), sampleBytes)
  for await (const _ of parsingXml(start, sheet, owner)) {
    const rows = sheet.takeRows()
    if (rows.length > 0) yield rows
  }
  const rest = sheet.takeRows()
  if (rest.length > 0) yield rest
}

async function* startOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    if (bytes >= bytesMax) return
  }
}

class SheetReader {
  readonly #workbook: Workbook
  #rows: SheetRow[] = []
  #line = 0
  #cells: string[] = []
  #width = 0
  #widthOfFirst: number | null = null
  #column = -1
  #type = 'n'
  #format: NumberFormat = 0
  #value = ''
  #isValue = false
  #phonetic = 0

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  takeRows(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'row') {
      // Line numbers identify refused rows, so they must increase even if the file's own numbers do not.
      this.#line = Math.max(this.#line + 1, Math.min(Math.trunc(Number(attributes.r)) || 0, 2 ** 31))
      this.#cells = []
      this.#width = 0
      this.#column = -1
    } else if (name === 'c') {
      this.#column = columnOf(attributes.r) ?? this.#column + 1
      this.#type = attributes.t ?? 'n'
      this.#format = this.#workbook.formats[Number(attributes.s ?? 0)] ?? 0
      this.#value = ''
    } else if (name === 'rPh') this.#phonetic += 1
    else if (name === 'v' || name === 't') this.#isValue = this.#phonetic === 0
  }

  text(text: string): void {
    if (this.#isValue && this.#value.length <= valueCharactersMax) this.#value += text
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false
    else if (name === 'rPh') this.#phonetic -= 1
    else if (name === 'c') this.#endCell()
    else if (name === 'row' && this.#width > 0) this.#endRow()
  }

  #endRow(): void {
    this.#widthOfFirst ??= this.#width
    this.#rows.push({ line: this.#line, width: this.#width, cells: this.#cells })
  }

  #endCell(): void {
    const value = this.#text().trim()
    if (value === '' || this.#column >= sheetColumnsMax) return
    this.#width = Math.max(this.#width, this.#column + 1)
    if (this.#column >= Math.min(this.#widthOfFirst ?? columnsMax, columnsMax)) return
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells[this.#column] = value
  }

  #text(): string {
    const value = this.#value
    switch (this.#type) {
      case 's':
        return this.#workbook.strings[Number(value)] ?? ''
      case 'str':
      case 'inlineStr':
        return unescapeText(value)
      case 'b':
        return value === '1' ? 'true' : 'false'
      // An error such as #N/A is an empty cell.
      case 'e':
        return ''
      case 'n':
        return this.#format === 'date'
          ? isoDate(value, this.#workbook.startsIn1904)
          : withZeros(plainNumber(value), this.#format)
      default:
        return value
    }
  }
}

/** Returns the column index of a cell reference such as `AB12`; null if the cell has no reference. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase()
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
