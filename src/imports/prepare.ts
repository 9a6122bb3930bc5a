import type { CsvRow } from '../csv/csv-rows.ts'
import { readPhone } from '../normalize/phone.ts'
import { DomainError } from '../platform/domain-error.ts'
import type { ErrorCode } from '../platform/error-codes/catalog.ts'
import { ValidationError, validator } from '../platform/http/validation.ts'
import { newColumns } from '../records/create.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import type { Column } from './columns.ts'
import { rowToFields } from './row-fields.ts'

/** A row that is refused, and why. */
export type Refused = { line: number; code: ErrorCode; reason: string }

/** Turns a row of a CSV file into the columns of a record, or into the reason why the row is refused. */
export type Prepare = (row: CsvRow) => PreparedRow | Refused

/** A record that a row makes. */
export type PreparedRow = { line: number; state: StoredColumns }

export type Prepared = { rows: PreparedRow[]; refused: Refused[] }

/** The function that prepares the rows of one import. */
export function preparer(type: RecordType, columns: Column[], orgDefaults: OrgDefaults): Prepare {
  const validate = validator([{ in: 'body', schema: type.input }])
  function prepare(cells: string[]): StoredColumns {
    const fields: Fields = { source: 'import', ...rowToFields(columns, cells) }
    const raw = removeUnreadablePhones(fields, orgDefaults)
    const { body } = validate({ body: fields })
    return newColumns(type, raw === null ? body : { ...body, phone_raw: raw }, orgDefaults)
  }
  return (row) => {
    if ('problem' in row) return { line: row.line, code: 'row_unreadable', reason: row.problem }
    try {
      return { line: row.line, state: prepare(row.cells) }
    } catch (error) {
      return refusedRow(row.line, error)
    }
  }
}

/** Removes the phone numbers that cannot be read from `fields`, and returns them: an import stores them as `phone_raw`. */
function removeUnreadablePhones(fields: Fields, { defaultCountry }: OrgDefaults): string | null {
  const given = [fields.phone, ...((fields.phones as unknown[] | undefined) ?? [])]
  const phones = [...new Set(given.filter((phone) => typeof phone === 'string'))]
  const isReadable = (phone: string) => 'e164' in readPhone(phone, defaultCountry)
  const readable = phones.filter(isReadable)
  if (readable.length === phones.length) return null
  delete fields.phone
  delete fields.phones
  if (readable.length > 0) fields.phones = readable
  return phones.filter((phone) => !readable.includes(phone)).join('; ')
}

/** The refusal of a row. @throws `error` itself if it is not about the row */
export function refusedRow(line: number, error: unknown): Refused {
  if (error instanceof DomainError) return { line, code: error.code, reason: error.message }
  if (error instanceof ValidationError) return { line, code: error.code, reason: inWords(error) }
  throw error
}

function inWords({ details }: ValidationError): string {
  return details
    .map(({ loc, msg }) => {
      const where = loc.slice(1).join('.')
      return where ? `${where}: ${msg}` : msg
    })
    .join('; ')
}
