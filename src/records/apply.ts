import { refuse } from '../platform/http/fields.ts'
import { tooManyItems } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { StoredColumns } from './record-type.ts'

/**
 * The list of all values after a write that names the primary value, the list, both or neither. The primary value is
 * always first. Naming a primary value from the list moves it to the front, and a new one replaces the old one. null
 * removes it, and the next one becomes primary. With `add`, nothing is removed, and existing values stay in front.
 */
export function applyPrimary(
  before: readonly string[],
  one: string | null | undefined,
  all: readonly string[] | null | undefined,
  keyOf: (value: string) => string,
  add: boolean,
): string[] {
  const unique = (values: readonly string[]) => {
    const firsts = new Map<string, string>()
    for (const value of values) if (!firsts.has(keyOf(value))) firsts.set(keyOf(value), value)
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

/**
 * Requires one of some columns, or an external id.
 * @throws ValidationError with `words`
 */
export function requireIdentity(state: StoredColumns, columns: readonly string[], words: string): void {
  if (columns.some((column) => state[column]) || Object.keys(state.external_ids as object).length > 0) return
  throw new ValidationError([detailAt(['body'], refuse(words))])
}

/**
 * Refuses lists that grow beyond the limit of a request.
 * @throws ValidationError at the columns
 */
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
