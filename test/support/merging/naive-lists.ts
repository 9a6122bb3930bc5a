import type { Fields } from './naive-rules.ts'
import { kinds, primariesOf } from './naive-rules.ts'
import {
  clusterOf,
  type Facts,
  listOf,
  membersOf,
  mergesBetween,
  recordOf,
  rootOf,
  shown,
  withPrimaryFirst,
} from './naive-view.ts'

export const distinct = (values: readonly string[]): string[] => [...new Set(values)]

/** The elements, with the primary one first; null if the write lacks the list. */
export function elementsIn(fields: Fields, list: string, primary: string | null): string[] | null {
  const one = (primary ? fields[primary] : undefined) as string | null | undefined
  const all = fields[list]
  if (one === undefined && all === undefined) return null
  const asList = Array.isArray(all)
    ? (all as string[])
    : Object.entries(all ?? {}).map((pair) => pair.join('='))
  return distinct([...(one ? [one] : []), ...asList])
}

/** Writes lists. A PATCH replaces a list; with `adds`, as in an upsert, the list grows. */
export function writeLists(facts: Facts, id: string, fields: Fields, adds: boolean, at: number): void {
  const { entity } = recordOf(facts, id)
  for (const [list, primary] of Object.entries(kinds[entity].lists)) {
    const named = elementsIn(fields, list, primary)
    if (named === null) continue
    if (adds) add(facts, id, list, primary, named)
    else if (fields[list] !== undefined) replace(facts, id, list, primary, named, at)
    else lead(facts, id, list, primary!, named[0] ?? null, at)
    // A written element is visible again, even if an earlier write left it out.
    facts.hidden = facts.hidden.filter(
      (each) => !(each.id === id && each.list === list && named.includes(each.element)),
    )
  }
}

function ownOf(facts: Facts, id: string, list: string): string[] {
  const { own, led } = recordOf(facts, id)
  return withPrimaryFirst(own[list]!, led[list]?.value ?? null)
}

function add(facts: Facts, id: string, list: string, primary: string | null, named: string[]): void {
  const record = recordOf(facts, id)
  const system = (entry: string) => entry.split('=')[0]
  const stays = (entry: string) =>
    list !== 'external_ids' || !named.some((other) => other !== entry && system(other) === system(entry))
  const own = primary ? ownOf(facts, id, list) : record.own[list]!
  record.own[list] = distinct([...own.filter(stays), ...named])
}

function replace(
  facts: Facts,
  id: string,
  list: string,
  primary: string | null,
  named: string[],
  at: number,
): void {
  const record = recordOf(facts, id)
  record.own[list] = named
  if (primary) record.led[list] = { at, value: named[0] ?? null }
  hide(facts, id, list, (element) => !named.includes(element))
}

/** Replaces the primary element that `id` shows, in the record that has it. */
function lead(
  facts: Facts,
  id: string,
  list: string,
  primary: string,
  value: string | null,
  at: number,
): void {
  const record = recordOf(facts, id)
  const before = withPrimaryFirst(listOf(facts, id, list), shown(facts, id)[primary])
  const after = led(before, value)
  const gone = before.filter((element) => !after.includes(element))
  const own = record.own[list]!.filter((element) => !gone.includes(element))
  const isOwn = (element: string) => element === value || own.includes(element)
  record.own[list] = distinct([...after.filter(isOwn), ...own])
  // After the primary element of an absorbed record is cleared, the records that absorbed it get no new one.
  if (value !== null || rootOf(facts, id) === id) record.led[list] = { at, value: after[0] ?? null }
  // A removed element that comes back is not primary.
  else if (gone.includes(record.led[list]?.value ?? '')) delete record.led[list]
  hide(facts, id, list, (element) => gone.includes(element), clusterOf(facts, id))
}

function led(elements: string[], value: string | null): string[] {
  if (value === null) return elements.slice(1)
  return distinct([value, ...(elements.includes(value) ? elements : elements.slice(1))])
}

/** Hides elements of other records as long as all merges between them and `id` are applied. */
function hide(
  facts: Facts,
  id: string,
  list: string,
  isOut: (element: string) => boolean,
  members: readonly string[] = membersOf(facts, rootOf(facts, id)),
): void {
  for (const other of members) {
    if (other === id) continue
    const by = mergesBetween(facts, id, other)
    for (const element of recordOf(facts, other).own[list]!.filter(isOut))
      facts.hidden.push({ id: other, list, element, by })
  }
}

/** The lists in which a write chose or removed an absorbed record's primary element. */
export function listsWithMovedPrimary(facts: Facts, id: string, fields: Fields): string[] {
  const { entity, own } = recordOf(facts, id)
  if (clusterOf(facts, id).length === 1) return []
  return primariesOf(entity).flatMap(([list, primary]) => {
    if (fields[primary] === undefined || fields[list] !== undefined) return []
    const all = listOf(facts, id, list)
    const has = (elements: readonly string[]) => elements.includes(fields[primary] as string)
    const sameFirst = (ownOf(facts, id, list)[0] ?? null) === shown(facts, id)[primary]
    return sameFirst && has(own[list]!) === has(all) ? [] : [list, primary]
  })
}
