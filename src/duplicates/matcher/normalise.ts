import type { Locale } from './fields/field-type.ts'
import type { Field } from './fields/plan.ts'
import { readPersonName } from './names/person.ts'
import type { Cell, Features, MatchRecord } from './schema.ts'

/** Rises whenever any record may get other features or keys than before. */
export const normVersion = 1

const valuesMost = 20

/** The features of a record: each field in its normal form, several values sorted and joined. Pure, never throws. */
export function normaliseRecord(fields: readonly Field[], record: MatchRecord, locale: Locale): Features {
  return fields.map((field) => normaliseCell(field, record[field.column], locale))
}

function normaliseCell(field: Field, cell: Cell, locale: Locale): string | null {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'string') return normaliseValue(field, cell, locale)
  const values = new Set<string>()
  for (const value of cell.slice(0, valuesMost)) {
    const normal = normaliseValue(field, value, locale)
    if (normal !== null) values.add(normal)
  }
  return values.size === 0 ? null : [...values].sort().join('\n')
}

function normaliseValue({ type, part }: Field, value: string, locale: Locale): string | null {
  const trimmed = value.trim()
  if (trimmed === '') return null
  const text = part === null ? trimmed : partOfName(trimmed, part)
  if (text === '') return null
  const normal = type.normalise(text, locale)
  return normal?.includes('\n') ? normal.replaceAll('\n', ' ') : normal
}

/** The given or the family names of a full name, in whatever order it is written. */
function partOfName(name: string, part: 'first' | 'last'): string {
  const { tokens, familyFrom } = readPersonName(name)
  const words = part === 'first' ? tokens.slice(0, familyFrom) : tokens.slice(familyFrom)
  return words.map(({ text }) => text).join(' ')
}
