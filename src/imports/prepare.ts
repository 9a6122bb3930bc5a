import type { CsvRow } from '../csv/csv-rows.ts'
import { readCountryOrName } from '../normalize/country.ts'
import { DomainError } from '../platform/domain-error.ts'
import type { ErrorCode } from '../platform/error-codes/catalog.ts'
import { refuse } from '../platform/http/fields.ts'
import { parseUuid } from '../platform/http/parse-uuid.ts'
import { detailAt, ValidationError, validator } from '../platform/http/validation.ts'
import { newColumns, uncheckedColumns } from '../records/create.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import { resolvedFields } from '../records/resolved-fields.ts'
import { type CellForms, readCells } from './cell-forms.ts'
import type { Column } from './columns.ts'
import { reasonOf } from './reasons.ts'
import { type RowFields, rowToFields } from './row-fields.ts'
import { moveUnknownOwner } from './unknown-owner.ts'
import { removeUnreadable } from './unreadable.ts'

export type RowRefusal = { line: number; code: ErrorCode; reason: string }

/** @returns the columns of a record, or the reason why the row is refused */
export type Prepare = (row: CsvRow) => PreparedRow | RowRefusal

/** A prepared row: its fields, and the columns of the record that it would create. */
export type PreparedRow = {
  line: number
  /** The id of the record to update; missing unless rows match on ids. */
  recordId?: string
  fields: Fields
  state: StoredColumns
}

export type PreparedRows = { rows: PreparedRow[]; refused: RowRefusal[] }

/** Returns the function that prepares the rows of one import. */
export function rowPreparer(
  type: RecordType,
  columns: Column[],
  orgDefaults: OrgDefaults,
  matchOn: string | undefined,
  forms: CellForms,
): Prepare {
  const { idField } = type
  const matchesIds = matchOn === idField
  const columnsOf = matchOn === undefined ? newColumns : uncheckedColumns
  const validate = validator([{ in: 'body', schema: type.input }])
  function prepare(cells: string[]): Omit<PreparedRow, 'line'> {
    const given = rowToFields(columns, cells)
    const recordId = matchesIds ? readRecordId(idField, given[idField]) : undefined
    if (matchesIds) delete given[idField]
    const domain = given.company_domain
    if (domain !== undefined) delete given.company_domain
    const raw = removeUnreadable(given, () => countryOf(given) ?? orgDefaults.defaultCountry)
    moveUnknownOwner(given, columns, orgDefaults.owners)
    readCells(given.custom, orgDefaults.definitions ?? [], forms)
    const { body } = validate({ body: given })
    const fields: Fields = resolvedFields(raw === null ? body : { ...body, ...raw }, orgDefaults)
    const state =
      recordId === undefined
        ? columnsOf(type, { source: 'import', ...fields }, orgDefaults)
        : type.apply(null, fields, orgDefaults, false)
    // The company is found or created when the row is stored.
    if (domain !== undefined && fields.company_id === undefined) fields.company_domain = domain
    return recordId === undefined ? { fields, state } : { recordId, fields, state }
  }
  return (row) => {
    if ('problem' in row) return { line: row.line, code: 'row_unreadable', reason: row.problem }
    try {
      return { line: row.line, ...prepare(row.cells) }
    } catch (error) {
      return refusedRow(row.line, error, columns)
    }
  }
}

function readRecordId(idField: string, cell: unknown): string {
  if (typeof cell !== 'string') {
    const why = refuse(`match_on is ${idField}, but the row has no value in this column`)
    throw new ValidationError([detailAt(['body', idField], why)], 'match_key_missing')
  }
  const read = parseUuid(cell)
  if (typeof read === 'string') return read
  throw new ValidationError([detailAt(['body', idField], read)])
}

/** The country in the row's own fields; null if the row has none, or an unknown one. */
const countryOf = ({ country }: RowFields): string | null =>
  typeof country === 'string' ? readCountryOrName(country) : null

/**
 * Turns an error into the refusal of a row.
 * @throws `error` if it does not concern the row
 */
export function refusedRow(line: number, error: unknown, columns: readonly Column[]): RowRefusal {
  if (error instanceof DomainError || error instanceof ValidationError)
    return { line, code: error.code, reason: reasonOf(error, columns) }
  throw error
}
