import type { RecordType, State } from '../record-type.ts'

/**
 * What writers said of one record, by the id that they named: kept apart from what the record shows once it was ever
 * merged.
 */
export type Facts = {
  /** By unit: its last whole write, and those since that said only some of its columns; oldest first. */
  units: Record<string, UnitWrite[]>
  /** By list column: the elements that were named for this record. */
  lists: Record<string, unknown[]>
  /**
   * By list column: elements of this record that a write to another member left out, by their key, each with the
   * merges that had joined the two. They are hidden while all of these are in force.
   */
  hidden: Record<string, HiddenElement[]>
}

/** What a write said of a unit, by column; `seq`: when it was in the org's order of writes, 0: before the first merge. */
export type UnitWrite = [seq: number, said: Readonly<Record<string, unknown>>]

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

/** Whether the columns behind the first say how that came about (merging.explained). */
export const isExplained = ({ merging }: RecordType, unit: string): boolean =>
  merging.explained?.includes(unit) ?? false

/** The elements of a list column as an array; those of an object are its entries. */
export function elementsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : Object.entries((value ?? {}) as object)
}

/** The facts of a record that was never merged: what it shows. */
export function factsOf(type: RecordType, state: State): Facts {
  const units: Facts['units'] = {}
  for (const [unit, columns] of unitsOf(type)) {
    const said = columns.flatMap((column) =>
      (state[column] ?? null) === null ? [] : [[column, state[column]]],
    )
    if (said.length > 0) units[unit] = [[0, Object.fromEntries(said)]]
  }
  const lists: Facts['lists'] = {}
  for (const column in type.merging.lists) lists[column] = elementsOf(state[column])
  return { units, lists, hidden: {} }
}

/**
 * What a write said of a list: these elements, alone (`replaces`) or among others. `own`: what the list of the named
 * record by itself is after it, and the keys of what is gone from that; null: what is shown no more is gone, whoever had it.
 */
export type ListWrite = {
  said: readonly unknown[]
  replaces: boolean
  own: { elements: readonly unknown[]; gone: ReadonlySet<string> } | null
}

/** What a write said: of which id, which columns, and which lists. */
export type Write = {
  recordId: string
  columns: readonly string[]
  lists: Readonly<Record<string, ListWrite>>
}

/**
 * The cluster after a write that took what its root shows from `before` to `after`. What it said belongs to the id that
 * it named. What it left out of a list is no longer that id's, and is hidden where it is another member's.
 * @param seq when the write was, in the org's order of writes
 */
export function attribute(
  type: RecordType,
  cluster: Cluster,
  { recordId, columns, lists }: Write,
  before: State,
  after: State,
  seq: number,
): Cluster {
  const members = new Map(cluster.members)
  const own = members.get(recordId)!
  const written: Facts = {
    units: { ...own.units },
    lists: { ...own.lists },
    hidden: { ...own.hidden },
  }
  members.set(recordId, written)
  for (const [unit, whole] of unitsOf(type)) {
    const said = whole.filter((column) => columns.includes(column))
    if (said.length === 0) continue
    const write: UnitWrite = [seq, Object.fromEntries(said.map((column) => [column, after[column] ?? null]))]
    const earlier = standing(own.units[unit] ?? [], write[1], whole, cluster.links, isExplained(type, unit))
    written.units[unit] = [...earlier, write]
  }
  for (const [column, list] of Object.entries(lists)) {
    const { keyOf } = type.merging.lists[column]!
    const keysOf = (elements: readonly unknown[]) => new Set(elements.map(keyOf))
    const [shown, named] = [elementsOf(after[column]), keysOf(list.said)]
    const dropped = list.own?.gone ?? keysOf(elementsOf(before[column])).difference(keysOf(shown))
    // Whoever says what the whole list is leaves out what is hidden just now, too.
    const isLeftOut = (key: string) =>
      list.replaces ? !named.has(key) : list.own === null && dropped.has(key)
    const kept = list.replaces ? [] : own.lists[column]!.filter((element) => !dropped.has(keyOf(element)))
    const keptKeys = keysOf(kept)
    const isOwn = (element: unknown) => named.has(keyOf(element)) || keptKeys.has(keyOf(element))
    const first = list.own?.elements ?? shown.filter(isOwn)
    const firstKeys = keysOf(first)
    // What another member's write has hidden stays this one's, for the time when it shows.
    written.lists[column] = [...first, ...kept.filter((element) => !firstKeys.has(keyOf(element)))]
    written.hidden[column] = (own.hidden[column] ?? []).filter(([key]) => !named.has(key))
    for (const [memberId, facts] of members) {
      if (memberId === recordId) continue
      const merges = joining(cluster.links, recordId, memberId)
      const earlier = facts.hidden[column] ?? []
      const isHidden = (key: string) =>
        earlier.some(([hidden, by]) => hidden === key && by.every((mergeId) => merges.includes(mergeId)))
      const hides = (facts.lists[column] ?? []).map(keyOf).filter((key) => isLeftOut(key) && !isHidden(key))
      if (hides.length === 0) continue
      const hidden = [...earlier, ...hides.map((key): HiddenElement => [key, merges])]
      members.set(memberId, { ...facts, hidden: { ...facts.hidden, [column]: hidden } })
    }
  }
  return { ...cluster, members }
}

/** Those of the writes of a unit that still say something beside a later one. */
function standing(
  writes: readonly UnitWrite[],
  later: UnitWrite[1],
  whole: readonly string[],
  links: readonly Link[],
  explained: boolean,
): readonly UnitWrite[] {
  const said = Object.keys(later)
  if (said.length === whole.length) return []
  // A merge since then has seen it.
  const isSeen = (at: number) => at === 0 || links.some(({ seq }) => seq > at)
  const isCovered = ([at, write]: UnitWrite) =>
    !isSeen(at) && Object.keys(write).every((column) => said.includes(column))
  const first = whole[0]!
  // Without the last write of another value, what explained the value before that would explain the later one.
  const changing = explained && writes.findLast((each) => isCovered(each) && each[1][first] !== later[first])
  return writes.filter((each) => each === changing || !isCovered(each))
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
