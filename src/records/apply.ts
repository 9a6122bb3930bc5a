import { refuse } from '../platform/http/fields.ts'
import { filterText } from '../platform/http/list.ts'
import { tooManyItems } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Policy } from './clusters/survivorship.ts'
import { profileColumns } from './fields.ts'
import type { ExactKey, Fields, KeyFilter, ListColumn, State } from './record-type.ts'

/** Text columns whose field has the same name: what was given, else what was; '' clears as null does. */
export function applyText(before: State | null, fields: Fields, names: readonly string[]): State {
  return Object.fromEntries(
    names.map((name) => [name, fields[name] === undefined ? (before?.[name] ?? null) : fields[name] || null]),
  )
}

/**
 * A primary value and the list of all, after a write that names one of them, both or none. The primary is always the
 * first of the list. Naming a primary that is in the list moves it to the front; a new one takes the old one's
 * place; null removes it, and the next one follows. With `add`, nothing is removed, and what is there stays in front.
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

/** Columns of where people and companies are found, after a write. */
export const applyProfile = (before: State | null, fields: Fields): State =>
  applyText(before, fields, Object.keys(profileColumns))

/** Columns that every kind of record has, after a write. */
export function applyCommon(before: State | null, fields: Fields, add: boolean): State {
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

/** How the columns that every kind of record has come together when records are merged. */
export const commonLists: Readonly<Record<string, ListColumn>> = {
  tags: { keyOf: String },
  external_ids: { keyOf: (entry) => (entry as [string, string]).join('\0') },
}

export const commonPolicies: Readonly<Record<string, Policy>> = { custom: 'members' }

/** Keys of external ids, those of absorbed records among them: the system and the id in it. */
export function externalIdKeys(state: State): ExactKey[] {
  const aliases = (state.aliases ?? []) as [string, string][]
  return [...Object.entries(state.external_ids as Record<string, string>), ...aliases].map(
    ([system, id]) => ({
      kind: 'external_id',
      value: `${system}\0${id}`,
    }),
  )
}

export function tagKeys(state: State): ExactKey[] {
  return (state.tags as string[]).map((tag) => ({ kind: 'tag', value: tag }))
}

/** Finds by a tag. */
export const tagFilter: KeyFilter = {
  schema: filterText(100),
  description: 'Exactly this tag.',
  key: (value) => ({ kind: 'tag', value }),
}

/** @throws ValidationError for a record that has none of these columns, and no id in another system; `words` say so */
export function requireIdentity(state: State, columns: readonly string[], words: string): void {
  if (columns.some((column) => state[column]) || Object.keys(state.external_ids as object).length > 0) return
  throw new ValidationError([detailAt(['body'], refuse(words))])
}

/** @throws ValidationError at the columns in which more has come together than a writer may send at once */
export function requireRoom(
  before: State | null,
  after: State,
  most: Readonly<Record<string, number>>,
): void {
  const sizeOf = (state: State | null, column: string) => Object.keys(state?.[column] ?? []).length
  const problems = Object.entries(most).flatMap(([column, max]) => {
    const size = sizeOf(after, column)
    if (size <= max || size <= sizeOf(before, column)) return []
    return detailAt(['body', column], tooManyItems('List', max, size))
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
