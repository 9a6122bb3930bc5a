import type { Fields, RecordType } from './record-type.ts'

/** Where a writer names a column: the path of its field, `consent.email`. */
function pathOf(type: RecordType, column: string): string {
  const referring = [...type.references, ...type.links]
  const reference = referring.find((each) => each.rawColumn === column || each.column === column)
  return reference?.field ?? type.fieldNames[column] ?? column
}

/** The wire name of the field that a column belongs to. */
export function fieldOf(type: RecordType, column: string): string {
  return pathOf(type, column).split('.')[0]!
}

/** True if a writer's `fields` say something of a column, be it null. */
export function isNamed(type: RecordType, fields: Fields, column: string): boolean {
  let value: unknown = fields
  for (const name of pathOf(type, column).split('.')) {
    if (value === null) return true
    value = (value as Fields)[name]
    if (value === undefined) return false
  }
  return true
}
