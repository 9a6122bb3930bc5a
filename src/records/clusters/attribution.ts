import { isNamed } from '../field-names.ts'
import { type HashedKey, hashedKeys, keyName } from '../keys.ts'
import type { Fields, RecordType, State, Surroundings } from '../record-type.ts'
import {
  attribute,
  type Cluster,
  elementsOf,
  isExplained,
  type ListWrite,
  unitsOf,
  type Write,
} from './facts.ts'
import { ownState, viewOf } from './view.ts'

/** What a writer sent: `recordId` is the id that was named, which may be that of an absorbed record. */
export type Sent = { recordId: string; fields: Fields; surroundings: Surroundings; add: boolean }

/** What `sent` says of a record of `cluster`, whose root shows `before`, and `after` it. */
export function writeOf(type: RecordType, cluster: Cluster, sent: Sent, before: State, after: State): Write {
  const { recordId, fields, surroundings, add } = sent
  const own = ownState(type, cluster.members.get(recordId)!)
  const alone = type.apply(own, fields, surroundings, add)
  const fresh = type.apply(null, fields, surroundings, false)
  const differs = (column: string) =>
    JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null)
  const named = (column: string) => isNamed(type, fields, column)
  const isSaid = (column: string) =>
    !silent.has(column) && (differs(column) || named(column) || led.has(column))
  const isAbsorbed = recordId !== cluster.rootId
  const [silent, led] = [new Set<string>(), new Set<string>()]
  const lists: Record<string, ListWrite> = {}
  for (const [column, { primary, keyOf }] of Object.entries(type.merging.lists)) {
    // A list that grows keeps its primary element; an absorbed record gives up its own, and not that of another.
    if (primary && (add || (isAbsorbed && !named(column) && fresh[primary] === null))) silent.add(primary)
    const keysIn = (state: State) => new Set(elementsOf(state[column]).map(keyOf))
    const [owned, left] = [keysIn(own), keysIn(alone)]
    const isNamedHere = named(column) || (primary !== undefined && named(primary))
    // The domain of a website: only a company that has none of its own gets it, whatever the others have.
    const isGained = !isNamedHere && left.difference(owned).size > 0
    if (!(isNamedHere || isGained || differs(column))) continue
    const replaces = !add && named(column)
    if (replaces && primary) led.add(primary)
    const byItself = !replaces && (add || isAbsorbed || isGained)
    const after = { elements: elementsOf(alone[column]), gone: owned.difference(left) }
    lists[column] = { said: elementsOf(fresh[column]), replaces, own: byItself ? after : null }
  }
  const columns = unitsOf(type)
    // What a change of its first column clears in an explained unit was not said.
    .flatMap(([unit, columns]) => (isExplained(type, unit) ? columns.filter(named) : columns.filter(isSaid)))
  return { recordId, columns, lists }
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
  const written = attribute(type, cluster, completed(type, cluster, write, after), before, after, seq)
  const view = viewOf(type, written)
  const state: State = { ...after, aliases: view.aliases }
  for (const column in write.lists) {
    const isLink = type.links.find(({ rawColumn }) => rawColumn === column)
    if (isLink)
      Object.assign(state, inOrder(view[column] as string[], after, isLink.rawColumn, isLink.column))
    else state[column] = view[column]
    const { primary } = type.merging.lists[column]!
    if (primary) state[primary] = view[primary]
  }
  return { state, cluster: written }
}

/**
 * Columns that hold only together: a write that says the first says of the others what is shown, where the record that it
 * names has nothing itself. So what was said stands, whatever is undone.
 */
function completed(type: RecordType, { members }: Cluster, write: Write, after: State): Write {
  const said = new Set(write.columns)
  const own = ownState(type, members.get(write.recordId)!)
  const missing = Object.values(type.merging.units ?? {}).flatMap(([first, ...others]) =>
    !isExplained(type, first!) && said.has(first!) && after[first!] !== null
      ? others.filter((column) => !said.has(column) && own[column] === null)
      : [],
  )
  return missing.length === 0 ? write : { ...write, columns: [...write.columns, ...missing] }
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
