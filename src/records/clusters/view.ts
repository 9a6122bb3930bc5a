import type { RecordType, State } from '../record-type.ts'
import {
  type Cluster,
  elementsOf,
  type Facts,
  isExplained,
  type Link,
  type UnitWrite,
  unitsOf,
} from './facts.ts'
import { type Policy, survives, type UnitValue } from './survivorship.ts'

/** Adds up what happened, in its order: writes, each by the id that it named, and merges. */
type Step =
  | { seq: number; recordId: string; said: Readonly<Record<string, unknown>> }
  | { seq: number; link: Link }

/**
 * What the root of a cluster shows: its columns, and under `aliases` the external ids that others of the same system
 * cover. Derived columns of references are not filled in.
 *
 * A write shows on the record that it named and on every record that this one had been merged into by then; a merge
 * lets the rule decide between what both showed at that time, there and above; lists are unions. Taking a merge out of
 * `links` therefore gives what would be, had it never been.
 */
export function viewOf(type: RecordType, cluster: Cluster): State {
  const state: State = {}
  for (const [unit, columns] of unitsOf(type)) {
    const values = unitOf(type, cluster, unit, columns)
    columns.forEach((column, index) => {
      state[column] = values[index] ?? null
    })
  }
  for (const [column, { primary }] of Object.entries(type.merging.lists)) {
    const elements = listOf(type, cluster, column)
    if (type.columns[column] === 'json') Object.assign(state, byKey(column, elements as [string, string][]))
    else state[column] = primary ? led(type, state, column, primary, elements) : elements
  }
  return state
}

/** What a member would show by itself: what was said of it, and nothing that another's write hid. */
export const ownState = (type: RecordType, facts: Facts): State =>
  viewOf(type, { rootId: 'own', members: new Map([['own', { ...facts, hidden: {} }]]), links: [] })

function unitOf(
  type: RecordType,
  { rootId, members, links }: Cluster,
  unit: string,
  columns: readonly string[],
): UnitValue {
  const blank: UnitValue = columns.map(() => null)
  const steps: Step[] = links.map((link) => ({ seq: link.seq, link }))
  for (const [recordId, facts] of members) {
    for (const [seq, said] of writesOf(type, unit, facts)) steps.push({ seq, recordId, said })
  }
  steps.sort((a, b) => a.seq - b.seq)
  const shown = new Map<string, UnitValue>()
  const mergedInto = new Map<string, string>()
  const upFrom = (id: string | undefined): string[] =>
    id === undefined ? [] : [id, ...upFrom(mergedInto.get(id))]
  for (const step of steps) {
    if ('link' in step) {
      const { loserId, survivorId, policies } = step.link
      const policy = (policies?.[unit] ?? type.merging.policies[unit] ?? 'primary') as Policy
      const loser = shown.get(loserId) ?? blank
      // A merge that was redone has its old place: what its loser absorbed since comes to its survivor, too.
      for (const id of upFrom(survivorId)) shown.set(id, survives(policy, shown.get(id) ?? blank, loser))
      mergedInto.set(loserId, survivorId)
      continue
    }
    for (const id of upFrom(step.recordId)) {
      const value = shown.get(id) ?? blank
      shown.set(
        id,
        wholly(isExplained(type, unit) ? unexplained(value, unit, step.said) : value, columns, step.said),
      )
    }
  }
  return shown.get(rootId) ?? blank
}

/**
 * The writes of a unit of a record. Of one that is the primary element of a list: the last one, if that is still an
 * element of the record's own; else it is the first of these.
 */
function writesOf(type: RecordType, unit: string, { units, lists }: Facts): readonly UnitWrite[] {
  const writes = units[unit] ?? []
  const list = Object.entries(type.merging.lists).find(([, { primary }]) => primary === unit)
  if (!list) return writes
  const [column, { keyOf }] = list
  const own = lists[column] ?? []
  const last = writes.at(-1)?.[1][unit] ?? null
  if (last !== null && own.some((element) => keyOf(element) === keyOf(last))) return writes
  return [[0, { [unit]: own[0] ?? null }]]
}

/** What is left of an explained unit (merging.explained) when a write says another first value: nothing explains it. */
const unexplained = (value: UnitValue, unit: string, said: Readonly<Record<string, unknown>>): UnitValue =>
  unit in said && said[unit] !== value[0] ? value.map(() => null) : value

/** A unit after a write that said some of its columns. */
const wholly = (
  value: UnitValue,
  columns: readonly string[],
  said: Readonly<Record<string, unknown>>,
): UnitValue => columns.map((column, index) => (column in said ? said[column] : value[index]))

/** The elements of all members: the root's first, then those of what it absorbed, in the order of the merges. */
function listOf(type: RecordType, { rootId, members, links }: Cluster, column: string): unknown[] {
  const { keyOf } = type.merging.lists[column]!
  const inForce = new Set(links.map(({ mergeId }) => mergeId))
  const elements = new Map<string, unknown>()
  const add = (recordId: string, { lists, hidden }: Facts) => {
    const gone = new Set(
      (hidden[column] ?? [])
        .filter(([, merges]) => merges.every((id) => inForce.has(id)))
        .map(([key]) => key),
    )
    for (const element of lists[column] ?? []) {
      const key = keyOf(element)
      if (!gone.has(key) && !elements.has(key)) elements.set(key, element)
    }
    for (const { loserId, survivorId } of links) {
      if (survivorId === recordId) add(loserId, members.get(loserId)!)
    }
  }
  add(rootId, members.get(rootId)!)
  return [...elements.values()]
}

/** The list with its primary value in front; that is the first one if the one that was written is not in it. */
function led(
  type: RecordType,
  state: State,
  column: string,
  primary: string,
  elements: unknown[],
): unknown[] {
  const { keyOf } = type.merging.lists[column]!
  const wanted = state[primary]
  const first = elements.find((element) => wanted !== null && keyOf(element) === keyOf(wanted)) ?? elements[0]
  state[primary] = first ?? null
  return first === undefined ? [] : [first, ...elements.filter((element) => element !== first)]
}

/** The first id of each system, and those behind it, which still lead to the record. */
function byKey(column: string, entries: [string, string][]): State {
  const shown = new Map<string, string>()
  const aliases: [string, string][] = []
  for (const [system, id] of entries) {
    if (shown.has(system)) aliases.push([system, id])
    else shown.set(system, id)
  }
  return { [column]: Object.fromEntries(shown), aliases: elementsOf(aliases) }
}
