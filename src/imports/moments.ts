import type { FieldDefinition } from '../records/defined-fields/definition.ts'

const withoutOffset = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/

/**
 * Reads times of a file as UTC in fields of the type datetime: the cells of a spreadsheet are days or times without an
 * offset. Changes `custom`.
 */
export function readMoments(custom: unknown, definitions: readonly FieldDefinition[]): void {
  const members = custom as Record<string, unknown> | undefined
  if (members === undefined) return
  for (const { key, type } of definitions) {
    const value = type === 'datetime' && Object.hasOwn(members, key) ? members[key] : null
    const [day, time] = typeof value === 'string' ? (withoutOffset.exec(value.trim()) ?? []) : []
    if (day !== undefined) members[key] = time === undefined ? `${day}T00:00:00Z` : `${day}Z`
  }
}
