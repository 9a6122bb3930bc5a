import { isNamed } from '../field-names.ts'
import { type HashedKey, hashedKeys, keyName } from '../keys.ts'
import type { Fields, RecordType, State, Surroundings } from '../record-type.ts'
import { attribute, type Cluster, elementsOf, unitsOf, type Write } from './facts.ts'
import { ownState } from './store.ts'
import { viewOf } from './view.ts'

/** What a writer sent: `recordId` is the id that was named, which may be that of an absorbed record. */
export type Sent = { recordId: string; fields: Fields; surroundings: Surroundings; add: boolean }

/** What `sent` says of a record whose root shows `before`, and `after` it. */
export function writeOf(type: RecordType, sent: Sent, before: State, after: State): Write {
  const { recordId, fields, surroundings, add } = sent
  const differs = (column: string) =>
    JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null)
  const primaries = new Set(Object.values(type.merging.lists).map(({ primary }) => primary))
  const named = (column: string) => isNamed(type, fields, column)
  const units = unitsOf(type).filter(([unit, columns]) =>
    // A list that grows keeps its primary element, whatever is added.
    columns.some((column) => differs(column) || (named(column) && !(add && primaries.has(unit)))),
  )
  const fresh = type.apply(null, fields, surroundings, false)
  const lists: Record<string, { said: readonly unknown[]; replaces: boolean }> = {}
  for (const [column, { primary }] of Object.entries(type.merging.lists)) {
    if (named(column) || (primary && named(primary)) || differs(column))
      lists[column] = { said: elementsOf(fresh[column]), replaces: !add && named(column) }
  }
  return { recordId, units: units.map(([unit]) => unit), lists }
}

/**
 * What a root shows and is made of after a write: `after`, but for its lists, which are in the order of the cluster.
 */
export function attributed(
  type: RecordType,
  cluster: Cluster,
  write: Write,
  before: State,
  after: State,
  seq: number,
): { state: State; cluster: Cluster } {
  const written = attribute(type, cluster, write, before, after, seq)
  const view = viewOf(type, written)
  const state: State = { ...after, aliases: view.aliases }
  for (const column in write.lists) {
    const isLink = type.links.find(({ rawColumn }) => rawColumn === column)
    if (isLink)
      Object.assign(state, inOrder(view[column] as string[], after, isLink.rawColumn, isLink.column))
    else state[column] = view[column]
  }
  return { state, cluster: written }
}

/** Ids as they were named, in an order, and what stands for each; those that nothing stands for are left out. */
function inOrder(order: readonly string[], state: State, rawColumn: string, column: string): State {
  const raws = state[rawColumn] as string[]
  const roots = new Map(raws.map((raw, index) => [raw, (state[column] as string[])[index]]))
  const known = order.filter((raw) => roots.has(raw))
  return { [rawColumn]: known, [column]: known.map((raw) => roots.get(raw)) }
}

/**
 * The member that an upsert means: the one whose own keys it matches by; the root if that is one of several, or none.
 */
export function matchedMember(
  type: RecordType,
  { rootId, members }: Cluster,
  matchOn: string,
  keys: readonly HashedKey[],
): string {
  const wanted = new Set(keys.map(keyName))
  const owners = [...members]
    .filter(([, facts]) =>
      hashedKeys(type.matchOn[matchOn]!(ownState(type, facts))).some((key) => wanted.has(keyName(key))),
    )
    .map(([recordId]) => recordId)
  return owners.length === 1 ? owners[0]! : rootId
}
