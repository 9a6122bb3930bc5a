import { type Archive, BrokenSpreadsheet } from './archive.ts'
import { isDateFormat, leastDigits, unescapeText, valueCharactersMax } from './values.ts'
import { parseXml } from './xml.ts'

/** The text of cells whose text is too long. Their rows are refused. */
const tooLongText = '?'.repeat(valueCharactersMax + 1)

const partBytesMax = 8 * 1024 * 1024
const stringBytesMax = 32 * 1024 * 1024
const stringsMax = 1_000_000

/** `date`, or the least number of digits. */
export type NumberFormat = 'date' | number

export type Workbook = {
  sheet: string
  strings: string[]
  /** For each cell style, how it shows numbers. */
  formats: NumberFormat[]
  startsIn1904: boolean
}

/** Reads all parts except the sheet. @throws BrokenSpreadsheet */
export async function readWorkbook(archive: Archive, owner: string): Promise<Workbook> {
  if (!archive.has('xl/workbook.xml'))
    throw new BrokenSpreadsheet('The file is not an .xlsx spreadsheet. Save it as .xlsx, or as CSV in UTF-8.')
  const { sheets, startsIn1904 } = await readSheets(archive, owner)
  const targets = await readTargets(archive, owner)
  const sheet = sheets.map((id) => targets.get(id)).find((target) => target !== undefined)
  if (sheet === undefined) throw new BrokenSpreadsheet('The spreadsheet has no visible sheet of cells.')
  return {
    sheet,
    startsIn1904,
    strings: await readStrings(archive, owner),
    formats: await readStyles(archive, owner),
  }
}

/** Returns the relationship ids of the visible sheets, in the order of the workbook. */
async function readSheets(
  archive: Archive,
  owner: string,
): Promise<{ sheets: string[]; startsIn1904: boolean }> {
  const sheets: string[] = []
  let startsIn1904 = false
  const open = (name: string, attributes: Record<string, string>) => {
    if (name === 'workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    const id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1]
    if (name === 'sheet' && id !== undefined && (attributes.state ?? 'visible') === 'visible') sheets.push(id)
  }
  await parseXml(archive.read('xl/workbook.xml', partBytesMax), { open }, owner)
  return { sheets, startsIn1904 }
}

/** Returns the parts that contain sheets of cells, by relationship id. */
async function readTargets(archive: Archive, owner: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  const open = (name: string, { Id: id, Type: type, Target: target }: Record<string, string>) => {
    if (name !== 'Relationship' || id === undefined || target === undefined) return
    if (type?.endsWith('/worksheet'))
      targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  await parseXml(archive.read('xl/_rels/workbook.xml.rels', partBytesMax), { open }, owner)
  return targets
}

/** Reads the texts of the workbook that cells refer to by number. */
async function readStrings(archive: Archive, owner: string): Promise<string[]> {
  const strings: string[] = []
  if (!archive.has('xl/sharedStrings.xml')) return strings
  let current = ''
  let isText = false
  let phonetic = 0
  const handler = {
    open(name: string) {
      if (name === 'si') current = ''
      // Skip `rPh`: it contains the pronunciation of the text.
      else if (name === 'rPh') phonetic += 1
      else if (name === 't') isText = phonetic === 0
    },
    text(text: string) {
      if (isText && current.length <= valueCharactersMax) current += text
    },
    close(name: string) {
      if (name === 'rPh') phonetic -= 1
      else if (name === 't') isText = false
      else if (name === 'si' && strings.push(readText(current)) > stringsMax)
        throw new BrokenSpreadsheet(`The spreadsheet has more than ${stringsMax} texts. Save it as CSV.`)
    },
  }
  await parseXml(archive.read('xl/sharedStrings.xml', stringBytesMax), handler, owner)
  return strings
}

/** Trims the text here, and not for each cell: a million cells can name one text of 128 KB of blanks. */
const readText = (text: string): string =>
  text.length > valueCharactersMax ? tooLongText : unescapeText(text).trim()

const formatOf = (id: number, code: string | undefined): NumberFormat =>
  isDateFormat(id, code) ? 'date' : leastDigits(code)

async function readStyles(archive: Archive, owner: string): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = []
  if (!archive.has('xl/styles.xml')) return formats
  const codes = new Map<number, string>()
  /** The results by format: a small file can have 400,000 styles of one format. */
  const known = new Map<number, NumberFormat>()
  let isInCellFormats = false
  const handler = {
    open(name: string, attributes: Record<string, string>) {
      const id = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmt') codes.set(id, attributes.formatCode ?? '')
      else if (name === 'cellXfs') isInCellFormats = true
      else if (name === 'xf' && isInCellFormats) {
        const shown = known.get(id) ?? formatOf(id, codes.get(id))
        known.set(id, shown)
        formats.push(shown)
      }
    },
    close(name: string) {
      if (name === 'cellXfs') isInCellFormats = false
    },
  }
  await parseXml(archive.read('xl/styles.xml', partBytesMax), handler, owner)
  return formats
}
