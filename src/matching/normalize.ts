import type { Locale } from './fields/field-type.ts'
import type { ComparedField } from './fields/plan.ts'
import { readPersonName } from './names/person.ts'
import type { Cell, Features, MatchRecord } from './schema.ts'

/** Increase this number with every change that can change a record's features or keys. */
export const normalizationVersion = 3

const valuesMax = 20

/**
 * Returns each field in its normal form. Several values are sorted and joined. The function is pure, and never
 * throws.
 */
export function normalizeRecord(
  fields: readonly ComparedField[],
  record: MatchRecord,
  locale: Locale,
): Features {
  return fields.map((field) => normalizeCell(field, record[field.column], locale))
}

function normalizeCell(field: ComparedField, cell: Cell, locale: Locale): string | null {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'string') return normalizeValue(field, cell, locale)
  const values = new Set<string>()
  for (const value of cell.slice(0, valuesMax)) {
    const normal = normalizeValue(field, value, locale)
    if (normal !== null) values.add(normal)
  }
  return values.size === 0 ? null : [...values].sort().join('\n')
}

function normalizeValue({ type, part }: ComparedField, value: string, locale: Locale): string | null {
  const trimmed = value.trim()
  if (trimmed === '') return null
  const text = part === null ? trimmed : partOfName(trimmed, part)
  if (text === '') return null
  const normal = type.normalize(text, locale)
  return normal?.includes('\n') ? normal.replaceAll('\n', ' ') : normal
}

/** Returns the given names (`first`) or the family names (`last`) of a full name, which may begin with either. */
function partOfName(name: string, part: 'first' | 'last'): string {
  const { tokens, familyFrom } = readPersonName(name)
  const words = part === 'first' ? tokens.slice(0, familyFrom) : tokens.slice(familyFrom)
  return words.map(({ text }) => text).join(' ')
}
