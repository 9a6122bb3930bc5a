import { Refusal } from '../../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../../platform/http/validation.ts'
import { customKey } from '../filters/custom.ts'
import { signMissing } from '../filters/relative-day.ts'
import { type Comparison, comparisonsIn, type Scalar, type SentFilter } from '../filters/tree.ts'
import type { FieldDefinition } from './definition.ts'
import { readValue } from './read-value.ts'

type RefusedValue = {
  value: Scalar
  /** The place in the list of `in`; null: there is no list. */
  index: number | null
  why: Refusal
}

/**
 * Refuses a filter that compares a field with a value that is none of its options, or with a relative day without a sign.
 * Stored comparisons are not refused: they find the records that still have a removed option.
 * @throws ValidationError at each such value
 */
export function requireFittingValues(
  { tree, places, stored }: SentFilter,
  definitions: readonly FieldDefinition[],
): void {
  const problems = comparisonsIn(tree).flatMap((comparison): Detail[] => {
    const place = places.get(comparison)
    if (!place || stored?.has(comparison)) return []
    const refused = [...unknownOptions(comparison, definitions), ...unsignedDays(comparison, definitions)]
    return refused.map(({ why, index }) => detailAt(index === null ? place : [...place, index], why))
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/**
 * The compared values that are not options of their field. `starts_with` compares with a part of an option, so it
 * accepts all texts.
 */
export function unknownOptions(
  comparison: Comparison,
  definitions: readonly FieldDefinition[],
): RefusedValue[] {
  const definition = definitionOf(comparison, definitions)
  const { op } = comparison
  if (!definition?.options.length || (op !== 'eq' && op !== 'ne' && op !== 'in')) return []
  const select = { ...definition, type: 'select' } as const
  return refusedIn(comparison, (value) => readValue(select, String(value), null))
}

function unsignedDays(comparison: Comparison, definitions: readonly FieldDefinition[]): RefusedValue[] {
  const { type } = definitionOf(comparison, definitions) ?? {}
  const isDay = type === 'date' || type === 'datetime'
  return isDay && comparison.op !== 'starts_with' ? refusedIn(comparison, signMissing) : []
}

const definitionOf = ({ field }: Comparison, definitions: readonly FieldDefinition[]) =>
  definitions.find(({ key }) => key === customKey(field))

const refusedIn = ({ value: operand }: Comparison, read: (value: Scalar) => unknown): RefusedValue[] =>
  [operand].flat().flatMap((each, index) => {
    const [value, why] = [each as Scalar, read(each as Scalar)]
    return why instanceof Refusal ? [{ value, index: Array.isArray(operand) ? index : null, why }] : []
  })
