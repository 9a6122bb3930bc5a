import { toCell } from '../../csv/cell.ts'
import { parseExactJson } from '../../platform/http/json-body.ts'
import type { FieldDefinition } from '../defined-fields/definition.ts'
import { readValue } from '../defined-fields/read-value.ts'

/** The headers of the columns that replace `custom`: `custom.<key>` of each defined field, then `custom` for other members. */
export const definedColumns = (definitions: readonly FieldDefinition[]): string[] => [
  ...definitions.map(({ key }) => toCell(`custom.${key}`)),
  'custom',
]

/**
 * Returns a function that makes the cells of these columns from the JSON of `custom`. A value that an import would read
 * differently stays in the cell `custom`, so that no value is lost.
 */
export const definedCells = (definitions: readonly FieldDefinition[]) => (json: string) => {
  const members = new Map(Object.entries(parseExactJson(json) as object))
  const cells = definitions.map((definition) => {
    const cell = cellOf(definition, members.get(definition.key))
    if (cell !== null) members.delete(definition.key)
    return cell ?? ''
  })
  const rest = members.size === 0 ? '' : toCell(JSON.stringify(Object.fromEntries(members)))
  return [...cells, rest].join(',')
}

/** The cell of a value; null if an import would read its text as another value. */
function cellOf(definition: FieldDefinition, value: unknown): string | null {
  if (value === undefined || value === null) return ''
  const text = textOf(value)
  if (text === null || JSON.stringify(readValue(definition, text, null)) !== JSON.stringify(value))
    return null
  // A negative number is no formula.
  return definition.type === 'number' ? text : toCell(text)
}

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(';')
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value)
    ? JSON.stringify(value)
    : null
}
