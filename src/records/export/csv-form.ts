import { toCell } from '../../csv/cell.ts'
import {
  asValue,
  type ColumnKind,
  type JsonMember,
  readTexts,
  selectOf,
  type TextRow,
  type Value,
} from '../../platform/db/json-columns.ts'
import { rawSql, type Sql } from '../../platform/db/sql.ts'
import type { FieldDefinition } from '../defined-fields/definition.ts'
import type { RecordType } from '../record-type.ts'
import { definedCells, definedColumns } from './defined-columns.ts'

/** The form of a file: the columns to read from a row `r`, the first line, and the line of a row. */
export type Form = { columns: Sql; heading: string; line(row: TextRow): string }

/**
 * A CSV file (RFC 4180). Spreadsheets never read a cell as a formula. Lists are joined with semicolons, other objects
 * are JSON, and a missing value is an empty cell. Times are Unix seconds, or with a time zone its local time and offset.
 * @param defined the fields that have a column of their own; undefined: all of them are in the column `custom`
 */
export function csvForm(
  type: RecordType,
  members: readonly string[],
  timeZone?: string,
  defined: readonly FieldDefinition[] = [],
): Form {
  const columns = members.flatMap((name) => columnsOf(type, name))
  const toCells = timeZone === undefined ? toText : { ...toText, seconds: localTime(timeZone) }
  const isSplit = (name: string) => name === 'custom' && defined.length > 0
  const cells = columns.map(([name, { kind }]) => (isSplit(name) ? definedCells(defined) : toCells[kind]))
  const headings = columns.flatMap(([name]) => (isSplit(name) ? definedColumns(defined) : [name]))
  return {
    columns: rawSql(columns.map(([, value]) => selectOf(value)).join(', ')),
    heading: `${headings.join(',')}\r\n`,
    line(row) {
      let line = ''
      for (const [index, cell] of cells.entries()) {
        const text = row[index]
        if (index > 0) line += ','
        if (typeof text === 'string') line += cell(text)
      }
      return `${line}\r\n`
    },
  }
}

type Column = readonly [name: string, value: Value]

/** Returns the columns of a member: `consent` has `consent_email` and `consent_phone`. */
function columnsOf({ fields, members }: RecordType, name: string): Column[] {
  const { csvColumns } = fields[name] ?? {}
  const member = members[name]
  return csvColumns ? Object.entries(csvColumns) : member === undefined ? [] : flat(name, member)
}

function flat(name: string, member: JsonMember): Column[] {
  if (typeof member === 'object' && 'object' in member)
    return Object.entries(member.object).flatMap(([inner, each]) => flat(`${name}_${inner}`, each))
  return [[name, asValue('r', name, member)]]
}

const plain = (text: string) => text
const objectCell = (text: string) => (text === '{}' ? '' : toCell(text))

/** Matches text that an import would split, or would read as a JSON list. */
const needsJson = /[;,|"\n]|^\[/

function listCell(text: string): string {
  if (text === '{}') return ''
  const items = readTexts(text)
  return toCell(items.some((item) => needsJson.test(item)) ? JSON.stringify(items) : items.join(';'))
}

/** Converts Unix seconds to a local time with its offset (RFC 3339), such as 2026-01-31T09:30:00+01:00. */
const localTime = (timeZone: string) => (seconds: string) =>
  Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000).toString({
    timeZone,
    smallestUnit: 'second',
  })

/** Converts PostgreSQL's text of each kind of value to a cell. */
const toText: Record<ColumnKind, (text: string) => string> = {
  uuid: plain,
  text: toCell,
  'text[]': listCell,
  integer: plain,
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  json: objectCell,
  jsonb: (text) => (text === '{}' ? '' : toCell(JSON.stringify(JSON.parse(text)))),
  seconds: plain,
}
