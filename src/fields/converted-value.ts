import { Refusal } from '../platform/http/refusal.ts'
import type { FieldDefinition } from '../records/defined-fields/definition.ts'
import { readValue } from '../records/defined-fields/read-value.ts'

/** The new name of each renamed option. */
export type Renames = Readonly<Record<string, string>>

/**
 * Converts a stored value to a definition: first by the new names of options, then as a write reads it. A value that still
 * does not fit gets the nearest form that fits (5 is the text "5", a time is its day).
 * @returns null for empty text; a Refusal if no form fits
 */
export function convertedValue(
  definition: FieldDefinition,
  renames: Renames,
  stored: unknown,
  defaultCountry: string | null,
): unknown | Refusal {
  const value = renamed(renames, stored)
  const read = readValue(definition, value, defaultCountry)
  if (!(read instanceof Refusal)) return read
  for (const form of formsOf(definition, value)) {
    const other = readValue(definition, form, defaultCountry)
    if (!(other instanceof Refusal)) return other
  }
  return read
}

/** A stored value with the new names of options. Everything else stays. */
export function renamed(renames: Renames, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(renames, each))
  return typeof value === 'string' && Object.hasOwn(renames, value) ? renames[value] : value
}

const dayPattern = /^\d{4}-\d\d-\d\d$/
const momentPattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\dZ$/

/** Other forms in which the same value can be read. */
function formsOf({ type }: FieldDefinition, value: unknown): unknown[] {
  if (Array.isArray(value)) {
    if (value.length === 1) return [value[0], ...(typeof value[0] === 'string' ? [] : [String(value[0])])]
    return type === 'text' && value.every((each) => typeof each !== 'object') ? [value.join(', ')] : []
  }
  if (JSON.isRawJSON(value)) return [(value as { rawJSON: string }).rawJSON]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'string') return []
  if (type === 'datetime' && dayPattern.test(value)) return [`${value}T00:00:00Z`]
  const day = type === 'date' ? momentPattern.exec(value)?.[1] : undefined
  return day === undefined ? [] : [day]
}
