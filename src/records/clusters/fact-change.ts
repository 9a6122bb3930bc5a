import type { RecordType } from '../record-type.ts'
import { closePatch, type Facts, type HiddenElement, type UnitWrite } from './cluster.ts'
import { listOf } from './facts.ts'

type Change<Value> = { before: Value; after: Value }
type Elements = { added: unknown[]; removed: unknown[] }

/** The change that one write made to the facts of an id, by column. */
export type FactChange = {
  units: Record<string, Change<UnitWrite[]>>
  lists: Record<string, Elements>
  hidden: Record<string, Change<HiddenElement[]>>
}

// Compare as JSON: facts from the database have other prototypes than facts of a write.
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns null if the facts are the same. */
export function factChange(type: RecordType, before: Facts, after: Facts): FactChange | null {
  const change: FactChange = {
    units: changesOf(before.units, after.units),
    lists: {},
    hidden: changesOf(before.hidden, after.hidden),
  }
  for (const column in type.merging.lists) {
    const [old = [], now = []] = [before.lists[column], after.lists[column]]
    const added = elementsWithout(type, column, now, old)
    const removed = elementsWithout(type, column, old, now)
    if (added.length + removed.length > 0) change.lists[column] = { added, removed }
  }
  return Object.values(change).some((part) => Object.keys(part).length > 0) ? change : null
}

function changesOf<Value>(
  before: Readonly<Record<string, Value[]>>,
  after: Readonly<Record<string, Value[]>>,
): Record<string, Change<Value[]>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const change = { before: before[name] ?? [], after: after[name] ?? [] }
      return isSame(change.before, change.after) ? [] : [[name, change]]
    }),
  )
}

function elementsWithout(
  type: RecordType,
  column: string,
  elements: readonly unknown[],
  others: readonly unknown[],
): unknown[] {
  const { keyOf } = listOf(type, column)
  const known = new Set(others.map(keyOf))
  return elements.filter((element) => !known.has(keyOf(element)))
}

/**
 * Undoes a change, except in parts that a later write changed.
 * @returns `isWhole`: whether all parts were undone
 */
export function undoFactChange(
  type: RecordType,
  facts: Facts,
  change: FactChange,
): { facts: Facts; isWhole: boolean } {
  const left = { units: { ...facts.units }, lists: { ...facts.lists }, hidden: { ...facts.hidden } }
  let isWhole = true
  for (const [unit, changed] of Object.entries(change.units)) {
    const restored = unitBefore(type, unit, facts.units[unit] ?? [], changed)
    if (restored.writes.length > 0) left.units[unit] = restored.writes
    else delete left.units[unit]
    isWhole &&= restored.isWhole
  }
  for (const [column, elements] of Object.entries(change.lists)) {
    const restored = listBefore(type, column, facts.lists[column] ?? [], elements)
    left.lists[column] = restored.elements
    isWhole &&= restored.isWhole
  }
  for (const [column, { before, after }] of Object.entries(change.hidden)) {
    if (isSame(facts.hidden[column] ?? [], after)) left.hidden[column] = before
  }
  return { facts: left, isWhole }
}

function unitBefore(
  type: RecordType,
  unit: string,
  now: UnitWrite[],
  { before, after }: Change<UnitWrite[]>,
): { writes: UnitWrite[]; isWhole: boolean } {
  // A merge only closes patches, so it changes nothing if both sides are compared as closed.
  const [closedBefore, closedAfter] = [before.map(closePatch), after.map(closePatch)]
  if (isSame(now.map(closePatch), closedAfter)) return { writes: closedBefore, isWhole: true }
  const objects = [before, after, now].map((writes) => onlyObject(unit, writes))
  const [old, written, current] = objects
  if (type.merging.policies[unit] === 'members' && old && written && current) {
    const { object, isWhole } = membersBefore(old, written, current)
    return { writes: [[0, { [unit]: object }]], isWhole }
  }
  return { writes: now, isWhole: isSame(now, before) }
}

type Members = Record<string, unknown>

/** Returns the object that a unit got before the first merge; null if the unit has other writes. */
function onlyObject(unit: string, writes: readonly UnitWrite[]): Members | null {
  const [first, ...others] = writes
  return first?.[0] === 0 && others.length === 0 ? (first[1][unit] as Members) : null
}

function membersBefore(
  before: Members,
  after: Members,
  current: Members,
): { object: Members; isWhole: boolean } {
  const object = { ...current }
  let isWhole = true
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSame(before[name], after[name]) || isSame(current[name], before[name])) continue
    if (!isSame(current[name], after[name])) isWhole = false
    else if (Object.hasOwn(before, name)) object[name] = before[name]
    else delete object[name]
  }
  return { object, isWhole }
}

/** Removes the added elements, and puts the removed elements back in their places. */
function listBefore(
  type: RecordType,
  column: string,
  now: readonly unknown[],
  { added, removed }: Elements,
): { elements: unknown[]; isWhole: boolean } {
  const { keyOf } = listOf(type, column)
  const isObject = type.columns[column] === 'json'
  const addedKeys = new Set(added.map(keyOf))
  const nameOf = (entry: unknown) => (entry as [string, unknown])[0]
  const elements = now.flatMap((element) => {
    if (!addedKeys.has(keyOf(element))) return [element]
    return isObject ? removed.filter((replaced) => nameOf(replaced) === nameOf(element)) : []
  })
  return { elements, isWhole: elementsWithout(type, column, removed, elements).length === 0 }
}
