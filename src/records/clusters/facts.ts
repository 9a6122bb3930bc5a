import type { RecordType, State } from '../record-type.ts'
import type { UnitValue } from './survivorship.ts'

/**
 * What writers said of one record, by the id that they named: kept apart from what the record shows once it was ever
 * merged. `[seq, ...values]` is the last write of a unit, and when it was in the org's order of writes; 0: before its
 * first merge.
 */
export type Facts = {
  units: Record<string, [seq: number, ...UnitValue]>
  /** By list column: the elements that were named for this record. */
  lists: Record<string, unknown[]>
  /**
   * By list column: elements of this record that a write to another member left out, by their key, each with the
   * merges that had joined the two. They are hidden while all of these are in force.
   */
  hidden: Record<string, HiddenElement[]>
}

type HiddenElement = [key: string, merges: string[]]

/** A merge in force: `loser` shows as `survivor` since `seq`. `policies` by unit, where they are not the type's. */
export type Link = {
  mergeId: string
  loserId: string
  survivorId: string
  seq: number
  policies: Readonly<Record<string, string>> | null
}

/** The records that one record stands for, itself among them, and the merges that joined them. */
export type Cluster = { rootId: string; members: Map<string, Facts>; links: Link[] }

/** The units of a type: each by its first column, with all of its columns. */
export function unitsOf({ columns, merging, references, links }: RecordType): [string, readonly string[]][] {
  const derived = new Set([...references, ...links].map(({ column }) => column))
  const grouped = new Set(Object.values(merging.units ?? {}).flat())
  const single = Object.keys(columns).filter(
    (column) => !(derived.has(column) || grouped.has(column) || column in merging.lists),
  )
  return [
    ...single.map((column) => [column, [column]] as [string, string[]]),
    ...Object.entries(merging.units ?? {}),
  ]
}

/** The elements of a list column as an array; those of an object are its entries. */
export function elementsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : Object.entries((value ?? {}) as object)
}

/** The facts of a record that was never merged: what it shows. */
export function factsOf(type: RecordType, state: State): Facts {
  const units: Facts['units'] = {}
  for (const [unit, columns] of unitsOf(type)) {
    const values = columns.map((column) => state[column] ?? null)
    if (values.some((value) => value !== null)) units[unit] = [0, ...values]
  }
  const lists: Facts['lists'] = {}
  for (const column in type.merging.lists) lists[column] = elementsOf(state[column])
  return { units, lists, hidden: {} }
}

/** What a write said: of which id, which units, and of which lists which elements, alone (`replaces`) or among others. */
export type Write = {
  recordId: string
  units: readonly string[]
  lists: Readonly<Record<string, { said: readonly unknown[]; replaces: boolean }>>
}

/**
 * The cluster after a write that took what its root shows from `before` to `after`. What it said belongs to the id that
 * it named. What it left out of a list is no longer that id's, and is hidden where it is another member's.
 * @param seq when the write was, in the org's order of writes
 */
export function attribute(
  type: RecordType,
  cluster: Cluster,
  { recordId, units, lists }: Write,
  before: State,
  after: State,
  seq: number,
): Cluster {
  const members = new Map(cluster.members)
  const own = members.get(recordId)!
  const columnsOf = new Map(unitsOf(type))
  const said = units.map((unit) => [
    unit,
    [seq, ...columnsOf.get(unit)!.map((column) => after[column] ?? null)],
  ])
  const written: Facts = {
    units: { ...own.units, ...Object.fromEntries(said) },
    lists: { ...own.lists },
    hidden: { ...own.hidden },
  }
  members.set(recordId, written)
  for (const [column, list] of Object.entries(lists)) {
    const { keyOf } = type.merging.lists[column]!
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const [shown, named] = [elementsOf(after[column]), keysOf(list.said)]
    const dropped = keysOf(elementsOf(before[column])).difference(keysOf(shown))
    const kept = list.replaces ? [] : own.lists[column]!.filter((element) => !dropped.has(keyOf(element)))
    const keptKeys = keysOf(kept)
    const owned = shown.filter((element) => named.has(keyOf(element)) || keptKeys.has(keyOf(element)))
    const ownedKeys = keysOf(owned)
    // What another member's write has hidden stays this one's, for the time when it shows again.
    written.lists[column] = [...owned, ...kept.filter((element) => !ownedKeys.has(keyOf(element)))]
    written.hidden[column] = (own.hidden[column] ?? []).filter(([key]) => !named.has(key))
    for (const [memberId, facts] of members) {
      if (memberId === recordId) continue
      const hides = (facts.lists[column] ?? []).map(keyOf).filter((key) => dropped.has(key))
      if (hides.length === 0) continue
      const merges = joining(cluster.links, recordId, memberId)
      const hidden = [...(facts.hidden[column] ?? []), ...hides.map((key): HiddenElement => [key, merges])]
      members.set(memberId, { ...facts, hidden: { ...facts.hidden, [column]: hidden } })
    }
  }
  return { ...cluster, members }
}

/** The merges on the way from one member to another. */
function joining(links: readonly Link[], from: string, to: string): string[] {
  const up = (id: string): Link[] => {
    const link = links.find(({ loserId }) => loserId === id)
    return link ? [link, ...up(link.survivorId)] : []
  }
  const [one, other] = [up(from), up(to)]
  // Above where they meet, both ways are one.
  return [...one.filter((link) => !other.includes(link)), ...other.filter((link) => !one.includes(link))].map(
    ({ mergeId }) => mergeId,
  )
}
