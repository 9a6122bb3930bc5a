import { crc32, deflateRawSync } from 'node:zlib'

/** `xml` is the whole XML of a cell. */
export type XlsxCell = string | number | boolean | { xml: string }

export type XlsxOptions = {
  /** Whether the count of days starts in 1904. */
  startsIn1904?: boolean
  /** Parts of the file to replace or add; null removes a part. */
  parts?: Record<string, string | null>
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A file like Excel's: shared strings come after the sheet. Style 1 is a date, and style 2 a date with a time. */
export function xlsxOf(rows: XlsxCell[][], { startsIn1904 = false, parts = {} }: XlsxOptions = {}): Buffer {
  const strings = new Map<string, number>()
  const sheet = rows.map((row, index) => rowXml(row, index + 1, strings)).join('')
  const usual: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types/>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${startsIn1904 ? 1 : 0}"/><sheets><sheet name="Hidden" sheetId="2" state="hidden" r:id="rId2"/><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  }
  const all = Object.entries({ ...usual, ...parts })
  return zipOf(all.flatMap(([name, xml]) => (xml === null ? [] : [[name, Buffer.from(xml)] as const])))
}

function rowXml(row: XlsxCell[], line: number, strings: Map<string, number>): string {
  const cells = row.map((cell, index) => {
    const at = `r="${columnName(index)}${line}"`
    if (typeof cell === 'object') return cell.xml
    if (cell === '') return ''
    if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c ${at} t="b"><v>${cell ? 1 : 0}</v></c>`
    if (!strings.has(cell)) strings.set(cell, strings.size)
    return `<c ${at} t="s"><v>${strings.get(cell)}</v></c>`
  })
  return `<row r="${line}">${cells.join('')}</row>`
}

function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** Makes a ZIP file. `claims` replaces the unpacked size that it states. */
export function zipOf(
  files: readonly (readonly [string, Buffer])[],
  claims: Record<string, number> = {},
): Buffer {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, content] of files) {
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claims[name] ?? content.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const offset = Buffer.alloc(14)
    offset.writeUInt32LE(at, 10)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    bodies.push(body)
    entries.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, offset, Buffer.from(name)]),
    )
    at += body.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, directory, end])
}
