import { refuse } from '../platform/http/fields.ts'
import { tooManyItems } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { StoredColumns } from './record-type.ts'

/**
 * Applies a write of a primary value, of its list, or of both. Returns all values, the primary value first. A primary
 * value of null makes the next value primary. With `add`, nothing is removed.
 */
export function applyPrimary(
  before: readonly string[],
  one: string | null | undefined,
  all: readonly string[] | null | undefined,
  keyOf: (value: string) => string,
  add: boolean,
): string[] {
  const unique = (values: readonly string[]) => {
    // For one value, making its key would take longer than the rest of this function.
    if (values.length < 2) return [...values]
    const firsts = new Map<string, string>()
    for (const value of values) {
      const key = keyOf(value)
      if (!firsts.has(key)) firsts.set(key, value)
    }
    return [...firsts.values()]
  }
  const given = all === undefined ? undefined : (all ?? [])
  if (add) return unique([...before, ...(one ? [one] : []), ...(given ?? [])])
  if (given !== undefined) return unique(one ? [one, ...given] : given)
  if (one === undefined) return [...before]
  const [, ...rest] = before
  if (one === null) return rest
  const known = before.some((value) => keyOf(value) === keyOf(one))
  return unique([one, ...(known ? before : rest)])
}

/** Requires a value in one of `columns`, or an external id. @throws ValidationError with the text `words` */
export function requireIdentity(state: StoredColumns, columns: readonly string[], words: string): void {
  if (columns.some((column) => state[column]) || Object.keys(state.external_ids as object).length > 0) return
  throw new ValidationError([detailAt(['body'], refuse(words))], 'identity_missing')
}

/**
 * A list above its limit, for example after a merge, may stay but not grow.
 * @throws ValidationError with each list that grows above its limit
 */
export function requireListLimits(
  before: StoredColumns | null,
  after: StoredColumns,
  most: Readonly<Record<string, number>>,
): void {
  const sizeOf = (state: StoredColumns | null, column: string) => Object.keys(state?.[column] ?? []).length
  const problems = Object.entries(most).flatMap(([column, max]) => {
    const size = sizeOf(after, column)
    if (size <= max || size <= sizeOf(before, column)) return []
    return detailAt(['body', column], tooManyItems('List', max, size))
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
