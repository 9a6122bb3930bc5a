import { refuse } from '../platform/http/fields.ts'
import { tooManyItems } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { StoredColumns } from './record-type.ts'

/**
 * Applies a write of a primary value, of its list, of both or of neither, and returns the new list of all values. The
 * primary value comes first. Naming a primary value from the list moves it to the front. A new primary value replaces
 * the old one. null removes the primary value, and the next value becomes primary. With `add`, nothing is removed, and
 * existing values stay in front.
 */
export function applyPrimary(
  before: readonly string[],
  one: string | null | undefined,
  all: readonly string[] | null | undefined,
  keyOf: (value: string) => string,
  add: boolean,
): string[] {
  const unique = (values: readonly string[]) => {
    // Most lists have one value, and making the key of this value would take longer than the rest of this
    // function.
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

/** Requires a value in at least one of `columns`, or an external id. @throws ValidationError with the text `words` */
export function requireIdentity(state: StoredColumns, columns: readonly string[], words: string): void {
  if (columns.some((column) => state[column]) || Object.keys(state.external_ids as object).length > 0) return
  throw new ValidationError([detailAt(['body'], refuse(words))], 'identity_missing')
}

/** Refuses a list that a write makes longer than a request may send it. @throws ValidationError at the column of each such list */
export function requireRoom(
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
