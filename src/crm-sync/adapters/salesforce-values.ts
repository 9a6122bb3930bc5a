import type { SalesforceFault } from './salesforce-answers.ts'
import { valuesOf } from './salesforce-objects.ts'

const isNumber = (type: string): boolean => valuesOf.get(type) === 'number'
const times = new Set(['date', 'datetime'])

/**
 * Converts values to the types of their fields. Salesforce would refuse the whole request for one value of a wrong
 * type, so the adapter refuses its record alone.
 * @param types the types of fields from Describe
 */
export function toFieldTypes(
  values: Readonly<Record<string, unknown>>,
  types: ReadonlyMap<string, string>,
): { values: Record<string, unknown> } | { fault: SalesforceFault } {
  const read: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    const type = types.get(field) ?? ''
    // Checkboxes are never null.
    if (type === 'boolean' && value === null) read[field] = false
    else if (value === null || !types.has(field)) read[field] = value
    else if (fitsType(type, value)) read[field] = isNotText(type) ? value : String(value)
    else {
      const message = `${field} takes ${typeWords(type)}, and not ${JSON.stringify(value)}`
      return { fault: { code: 'JSON_PARSER_ERROR', message, fields: [field] } }
    }
  }
  return { values: read }
}

function fitsType(type: string, value: unknown): boolean {
  if (type === 'boolean') return typeof value === 'boolean' || value === 'true' || value === 'false'
  if (isNumber(type))
    return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  if (times.has(type))
    return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
  return true
}

/** Returns whether values of a type are not strings in JSON. */
const isNotText = (type: string): boolean => type === 'boolean' || isNumber(type)

function typeWords(type: string): string {
  if (type === 'boolean') return 'true or false'
  return isNumber(type) ? 'numbers' : 'dates, such as 2026-11-21'
}
