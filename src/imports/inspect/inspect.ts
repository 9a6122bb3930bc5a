import { Readable } from 'node:stream'
import { encodingOf } from '../../csv/encoding.ts'
import type { Org } from '../../platform/db/org.ts'
import { refuse } from '../../platform/http/fields.ts'
import { parseUuid } from '../../platform/http/parse-uuid.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { readFieldOverviews } from '../../records/defined-fields/definition.ts'
import type { RecordType } from '../../records/record-type.ts'
import { mapColumns } from '../columns.ts'
import { fieldName } from '../field-name.ts'
import type { Entity } from '../synonyms.ts'
import { openFile, rowsOf } from '../table.ts'
import { isZip, unreadableStart, xlsxBytesMax } from '../xlsx/xlsx.ts'
import type { Inspection } from './schema.ts'

const rowsRead = 100
const samplesShown = 3
const sampleCharacters = 100
/** The maximum number of characters of a field name in a mapping. */
const fieldCharactersMax = 200

/** The start of a file, or the whole of it. */
export type FileSample = { bytes: Buffer; isWhole: boolean; encoding: string | undefined; loc: string[] }

/**
 * Reads the header and the first rows of a file.
 * @param payerId the organization whose slices of thread time are used
 * @param importMaxBytes the maximum size of a CSV file
 * @throws ValidationError if the file cannot be read
 */
export async function inspect(
  type: RecordType,
  { bytes, isWhole, encoding, loc }: FileSample,
  org: Org,
  payerId: string,
  importMaxBytes: number,
): Promise<Inspection> {
  const encoded = isZip(bytes)
    ? { encoding: undefined }
    : (unreadableStart(bytes) ?? encodingOf(bytes, encoding))
  const file =
    'problem' in encoded
      ? encoded
      : await openFile(Readable.from([bytes]), {
          ...{ encoding: encoded.encoding, owner: payerId, sampled: true },
        })
  if ('problem' in file) throw new ValidationError([detailAt(loc, refuse(file.problem))])
  const rows: string[][] = []
  for await (const row of rowsOf(file.rows)) {
    if ('cells' in row) rows.push(row.cells)
    if (rows.length === rowsRead) break
  }
  // The sample may end inside a row, so drop the last row.
  if (!isWhole && rows.length < rowsRead) rows.pop()
  const matchOn = (await hasOwnIds(org, type, file.header, rows)) ? type.idField : undefined
  const entity = type.entity as Entity
  const defined = await org.read((tx) => readFieldOverviews(tx, entity))
  const { columns, source, detected } = mapColumns(file.header, entity, undefined, matchOn, defined)
  const counts = new Map<string, number>()
  for (const { header } of columns) counts.set(header, (counts.get(header) ?? 0) + 1)
  const keyOf = (header: string, index: number) => (counts.get(header) === 1 ? header : `#${index + 1}`)
  const mapping = columns.flatMap(({ header, field }, index) => {
    const name = detected[index] ? (fieldName(field) ?? 'ignore') : fieldName(field)
    // Suggest nothing for a longer header. Its column goes to `custom`.
    return name === null || name.length > fieldCharactersMax ? [] : [[keyOf(header, index), name] as const]
  })
  return {
    ...{ format: file.format, encoding: file.encoding, delimiter: file.delimiter, source },
    max_bytes: file.format === 'xlsx' ? Math.min(xlsxBytesMax, importMaxBytes) : importMaxBytes,
    has_header: detected.some((isKnown) => isKnown) || !file.header.some(isValue),
    columns: columns.map(({ header, field }, index) => ({
      position: index + 1,
      header,
      field: detected[index] ? (fieldName(field) ?? 'ignore') : null,
      samples: samplesOf(rows, index),
    })),
    mapping: Object.fromEntries(mapping),
    match_on: matchOn ?? null,
  }
}

/** Returns whether this organization exported the file: one of the ids is the id of a record of this organization. */
async function hasOwnIds(
  org: Org,
  type: RecordType,
  header: string[],
  rows: readonly string[][],
): Promise<boolean> {
  const { columns } = mapColumns(header, type.entity as Entity, undefined, type.idField)
  const index = columns.findIndex(({ field }) => field === type.idField)
  if (index === -1) return false
  const ids = rows
    .map((cells) => parseUuid(cells[index]?.trim() ?? ''))
    .filter((id) => typeof id === 'string')
  return (await org.read((tx) => readCanonicalIds(tx, type.entity, ids))).size > 0
}

/** Returns the first different values of a column, each cut to 100 characters. */
function samplesOf(rows: string[][], index: number): string[] {
  const samples = new Set<string>()
  for (const cells of rows) {
    const value = cells[index]?.trim().slice(0, sampleCharacters) ?? ''
    if (value !== '') samples.add(value)
    if (samples.size === samplesShown) break
  }
  return [...samples]
}

/** No e-mail address is longer: 64 characters, the sign, and 255 characters (RFC 5321, section 4.5.3.1). */
const valueMax = 320

/** True for a header that looks like a value: an e-mail address, a number, a date or a web address. */
const isValue = (text: string): boolean =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$|^\+?[\d\s./()-]*\d$|^https?:/i.test(text.trim().slice(0, valueMax))
