import { readFile as readWhole } from 'node:fs/promises'
import { readCsv } from '../csv/csv.ts'
import { type Column, type ColumnType, columnTypes } from '../matching/schema.ts'
import { fileReasonOf, OperatorError } from '../platform/report.ts'
import { openFile, readFile } from './import-file.ts'

export type PreviewRow = { line: number; id: string; cells: string[] }

/** The rows of a file by row_id, and the compared columns. `cells` are in the order of `schema`. */
export type PreviewTable = {
  header: string[]
  idColumn: string
  schema: Column[]
  rows: PreviewRow[]
  /** The rows that cannot be read. */
  refused: { line: number; problem: string }[]
}

type ColumnMap = ReadonlyMap<string, ColumnType>

const example = '{"nr": "row_id", "surname": "last_name", "mail": "email"}'
export const mapDescription = `a JSON file that maps each column to its type, such as ${example}`

/** Reads the type of each column from a JSON file such as {"surname": "last_name", "nr": "row_id"}. @throws OperatorError */
export async function readMapFile(path: string): Promise<ColumnMap> {
  const text = path.trimStart().startsWith('{') ? path : await readText(path)
  let map: unknown
  try {
    map = JSON.parse(text)
  } catch (error) {
    throw new OperatorError(
      `${path} is not JSON (${(error as Error).message}). --map needs JSON such as ${example}.`,
    )
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw new OperatorError(
      `${path} must be a JSON object that maps each column to its type, such as ${example}.`,
    )
  }
  const entries = Object.entries(map)
  for (const [column, type] of entries) {
    if (columnTypes.includes(type as ColumnType)) continue
    throw new OperatorError(
      `${path}: the type of "${column}" is ${JSON.stringify(type)}; use one of ${columnTypes.join(', ')}.`,
    )
  }
  const ids = entries.filter(([, type]) => type === 'row_id')
  if (ids.length !== 1) {
    const what =
      ids.length === 0 ? 'no column is' : `${ids.map(([column]) => `"${column}"`).join(' and ')} are`
    throw new OperatorError(
      `${path}: ${what} "row_id". Give this type to the one column that identifies rows.`,
    )
  }
  if (entries.every(([, type]) => type === 'row_id' || type === 'ignore')) {
    throw new OperatorError(`${path} has no column to compare: add one or more, such as ${example}.`)
  }
  return new Map(entries.map(([column, type]) => [column.trim(), type as ColumnType]))
}

async function readText(path: string): Promise<string> {
  try {
    const text = await readWhole(path, 'utf8')
    return text.replace(/^\ufeff/, '')
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${fileReasonOf(error)}. --map is ${mapDescription}.`)
  }
}

/** Reads a CSV file with trimmed cells, sorted by row_id. @throws OperatorError if the file cannot be used */
export async function readTable(path: string, map: ColumnMap): Promise<PreviewTable> {
  await using file = await openFile(path)
  const csv = await readCsv(readFile(file, () => {}))
  if ('problem' in csv) throw new OperatorError(`${file.name}: ${csv.problem}`)
  const missing = [...map.keys()].filter(
    (column) => map.get(column) !== 'ignore' && !csv.header.includes(column),
  )
  if (missing.length > 0) {
    throw new OperatorError(
      `${file.name} has no column ${missing.map((column) => `"${column}"`).join(', ')}, which the map names. ` +
        `It has: ${csv.header.join(', ')}.`,
    )
  }
  const schema = csv.header.flatMap((name): Column[] => {
    const type = map.get(name)
    return type === undefined || type === 'ignore' || type === 'row_id' ? [] : [{ name, type }]
  })
  const places = schema.map(({ name }) => csv.header.indexOf(name))
  const idPlace = csv.header.findIndex((name) => map.get(name) === 'row_id')
  const rows: PreviewRow[] = []
  const refused: PreviewTable['refused'] = []
  for await (const batch of csv.rows) {
    for (const row of batch) {
      if ('problem' in row) refused.push({ line: row.line, problem: row.problem })
      else
        rows.push({
          line: row.line,
          id: row.cells[idPlace]!,
          cells: places.map((place) => row.cells[place]!),
        })
    }
  }
  if (rows.length === 0) {
    const [first] = refused
    const why = first
      ? `none of its rows can be read. Line ${first.line}: ${first.problem}`
      : 'it has a header and no rows.'
    throw new OperatorError(`${file.name}: ${why}`)
  }
  return {
    header: csv.header,
    idColumn: csv.header[idPlace]!,
    schema,
    rows: rowsInOrder(file.name, rows),
    refused,
  }
}

/** Sorts by row_id, so that the result does not depend on the order of the file. */
function rowsInOrder(name: string, rows: PreviewRow[]): PreviewRow[] {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.line - b.line))
  for (const [index, { id, line }] of sorted.entries()) {
    if (id === '')
      throw new OperatorError(`${name}: line ${line} has no row_id; every row needs one of its own.`)
    const before = sorted[index - 1]
    if (before?.id !== id) continue
    throw new OperatorError(
      `${name}: the row_id "${id}" occurs twice, on lines ${before.line} and ${line}. Each row needs its own row_id.`,
    )
  }
  return sorted
}
