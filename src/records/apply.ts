import { refuse } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { tooManyItems } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Policy } from './clusters/survivorship.ts'
import { profileColumns } from './fields.ts'
import type { ExactKey, Fields, KeyFilter, ListColumn, StoredColumns } from './record-type.ts'

/** Text columns after a write: the given value, or else the old one. '' clears like null. */
export function applyText(
  before: StoredColumns | null,
  fields: Fields,
  names: readonly string[],
): StoredColumns {
  return Object.fromEntries(
    names.map((name) => [name, fields[name] === undefined ? (before?.[name] ?? null) : fields[name] || null]),
  )
}

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

/** The profile columns of contacts and companies after a write. */
export const applyProfile = (before: StoredColumns | null, fields: Fields): StoredColumns =>
  applyText(before, fields, Object.keys(profileColumns))

/** The columns of all record types after a write. */
export function applyCommon(before: StoredColumns | null, fields: Fields, add: boolean): StoredColumns {
  const tags = (before?.tags ?? []) as string[]
  const ids = (before?.external_ids ?? {}) as Record<string, string>
  const given = {
    tags: fields.tags as string[] | null | undefined,
    ids: fields.external_ids as Record<string, string> | null | undefined,
  }
  return {
    source: fields.source === undefined ? (before ? before.source : 'api') : fields.source || null,
    tags: given.tags === undefined ? tags : [...new Set([...(add ? tags : []), ...(given.tags ?? [])])],
    custom: fields.custom === undefined ? (before?.custom ?? {}) : (fields.custom ?? {}),
    external_ids: given.ids === undefined ? ids : { ...(add ? ids : {}), ...given.ids },
  }
}

/** How the common lists are combined by a merge. */
export const commonLists: Readonly<Record<string, ListColumn>> = {
  tags: { keyOf: String },
  external_ids: { keyOf: (entry) => (entry as [string, string]).join('\0') },
}

export const commonPolicies: Readonly<Record<string, Policy>> = { custom: 'members' }

/** The keys of external ids, including those of absorbed records: the system and the id in it. */
export function externalIdKeys(state: StoredColumns): ExactKey[] {
  const aliases = (state.aliases ?? []) as [string, string][]
  return [...Object.entries(state.external_ids as Record<string, string>), ...aliases].map(
    ([system, id]) => ({
      kind: 'external_id',
      value: `${system}\0${id}`,
    }),
  )
}

export function tagKeys(state: StoredColumns): ExactKey[] {
  return (state.tags as string[]).map((tag) => ({ kind: 'tag', value: tag }))
}

/** The filter by tag. */
export const tagFilter: KeyFilter = {
  schema: filterText(100),
  description: 'Exactly this tag.',
  key: (value) => ({ kind: 'tag', value }),
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
