import type { Fields, RecordType } from './record-type.ts'

/** The path of a column's field in a request: `consent.email`. */
const pathOf = ({ paths }: RecordType, column: string): string => paths[column] ?? column

/** The field of a request that sets a column: `consent` for `consent_email`. */
export function fieldOf(type: RecordType, column: string): string {
  const [field = column] = pathOf(type, column).split('.')
  return field
}

/** Returns whether a request has a value or null for the column. */
export function isNamed(type: RecordType, fields: Fields, column: string): boolean {
  let value: unknown = fields
  for (const name of pathOf(type, column).split('.')) {
    if (value === null) return true
    value = (value as Fields)[name]
    if (value === undefined) return false
  }
  return true
}
