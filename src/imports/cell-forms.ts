import type { DefinedFieldType, FieldDefinition } from '../records/defined-fields/definition.ts'

/** For some types: returns a cell as requests write its value, or null if the cell has no other form. */
const forms: Partial<Readonly<Record<DefinedFieldType, (cell: string) => string | null>>> = {
  date: hyphenated,
  datetime: inUtc,
  number: withDecimalPoint,
}

/**
 * Rewrites cells of defined fields that have a form of spreadsheets, such as 31.01.2026 and 1.234,50. Forms with
 * several meanings, such as 1,234 and 03/04/2026, stay. Changes `custom`.
 */
export function readCellForms(custom: unknown, definitions: readonly FieldDefinition[]): void {
  const members = custom as Record<string, unknown> | undefined
  if (members === undefined) return
  for (const { key, type } of definitions) {
    const value = Object.hasOwn(members, key) ? members[key] : null
    if (typeof value === 'string') members[key] = forms[type]?.(value.trim()) ?? value
  }
}

/** Reads 31.01.2026: a date with dots begins with the day of the month. */
function hyphenated(cell: string): string | null {
  const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? []
  return year === undefined ? null : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const withoutOffset = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/

/** The cells of a spreadsheet are days or times without an offset. */
function inUtc(cell: string): string | null {
  const [day, time] = withoutOffset.exec(hyphenated(cell) ?? cell) ?? []
  if (day === undefined) return null
  return time === undefined ? `${day}T00:00:00Z` : `${day}Z`
}

/** If a number has points and commas, the last one of them separates the decimals. */
function withDecimalPoint(cell: string): string | null {
  if (/^[-+]?[1-9]\d{0,2}(?:,\d{3})+\.\d+$/.test(cell)) return cell.replaceAll(',', '')
  if (/^[-+]?[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(cell)) return cell.replaceAll('.', '').replace(',', '.')
  return null
}
