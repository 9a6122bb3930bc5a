import { type Members, patchMembers } from '../patch-members.ts'
import type { RecordType, StoredColumns } from '../record-type.ts'
import type { Cluster, Facts, Link, UnitWrite } from './cluster.ts'
import { elementsOf, isExplained, listOf, memberOf, unitsOf } from './facts.ts'
import { type Policy, survivingValue, type UnitValue } from './survivorship.ts'

/** One step of the history of a cluster: a write, with the id that the request named, or a merge. */
type HistoryStep =
  | { seq: number; recordId: string; written: Readonly<Record<string, unknown>>; isPatch: boolean }
  | { seq: number; link: Link }

/**
 * Derives the columns that the root of a cluster shows. `aliases` gets the external ids that another id of the same
 * system hides. Canonical ids of references are not filled in. The value of a write appears on the record whose id
 * the request sent, and on every record into which that record was merged at the time of the write. At a merge, the
 * policy chooses between the values that the two records had at that time. Lists are unions. So removing a merge from
 * `links` gives the history without that merge.
 */
export function viewOf(type: RecordType, cluster: Cluster): StoredColumns {
  const state: StoredColumns = {}
  for (const [unit, columns] of unitsOf(type)) {
    const values = unitOf(type, cluster, unit, columns)
    columns.forEach((column, index) => {
      state[column] = values[index] ?? null
    })
  }
  for (const [column, { primary }] of Object.entries(type.merging.lists)) {
    const elements = elementsIn(type, cluster, column)
    if (type.columns[column] === 'json')
      Object.assign(state, splitExternalIds(column, elements as [string, string][]))
    else state[column] = primary ? withPrimaryFirst(type, state, column, primary, elements) : elements
  }
  return type.merging.repair?.(state) ?? state
}

/** The columns that a member would show alone: its own facts, with nothing hidden. */
export const ownState = (type: RecordType, facts: Facts): StoredColumns =>
  viewOf(type, { rootId: 'own', members: new Map([['own', { ...facts, hidden: {} }]]), links: [] })

function unitOf(
  type: RecordType,
  { rootId, members, links }: Cluster,
  unit: string,
  columns: readonly string[],
): UnitValue {
  const blank: UnitValue = columns.map(() => null)
  const steps: HistoryStep[] = links.map((link) => ({ seq: link.seq, link }))
  for (const [recordId, facts] of members) {
    for (const [seq, written, patch] of writesOf(type, unit, facts))
      steps.push({ seq, recordId, written, isPatch: patch !== undefined })
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
      // A redone merge keeps its old place in the order. So records that the loser absorbed in the meantime also reach
      // the survivor.
      for (const id of upFrom(survivorId))
        shown.set(id, survivingValue(policy, shown.get(id) ?? blank, loser))
      mergedInto.set(loserId, survivorId)
      continue
    }
    for (const id of upFrom(step.recordId)) {
      const value = shown.get(id) ?? blank
      shown.set(
        id,
        step.isPatch
          ? applyPatch(value, columns, step.written)
          : applyPartialWrite(
              isExplained(type, unit) ? withoutDetails(value, unit, step.written) : value,
              columns,
              step.written,
            ),
      )
    }
  }
  return shown.get(rootId) ?? blank
}

/**
 * The writes of a unit. For the primary element of a list, the last write is used only while the record's own list
 * has this element. Otherwise the first element of that list is used.
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

/**
 * The value of an explained unit (merging.explained) before a write. If the write changes the first column, the details
 * are cleared.
 */
const withoutDetails = (
  value: UnitValue,
  unit: string,
  written: Readonly<Record<string, unknown>>,
): UnitValue => (unit in written && written[unit] !== value[0] ? value.map(() => null) : value)

/** A unit after a write of some of its columns. */
const applyPartialWrite = (
  value: UnitValue,
  columns: readonly string[],
  written: Readonly<Record<string, unknown>>,
): UnitValue => columns.map((column, index) => (column in written ? written[column] : value[index]))

/** A unit after a write of some members of its objects. */
const applyPatch = (
  value: UnitValue,
  columns: readonly string[],
  written: Readonly<Record<string, unknown>>,
): UnitValue =>
  columns.map((column, index) => patchMembers((value[index] ?? {}) as Members, written[column] as Members))

/**
 * All elements of a cluster: first the elements of the root, then the elements of absorbed records in the order of
 * the merges.
 */
function elementsIn(type: RecordType, cluster: Cluster, column: string): unknown[] {
  const { links } = cluster
  const { keyOf } = listOf(type, column)
  const inForce = new Set(links.map(({ mergeId }) => mergeId))
  const absorbedBy = Map.groupBy(links, ({ survivorId }) => survivorId)
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
    for (const { loserId } of absorbedBy.get(recordId) ?? []) add(loserId, memberOf(cluster, loserId))
  }
  add(cluster.rootId, memberOf(cluster, cluster.rootId))
  return [...elements.values()]
}

/** Puts the primary value first. If the list does not have the written primary value, the first element becomes primary. */
function withPrimaryFirst(
  type: RecordType,
  state: StoredColumns,
  column: string,
  primary: string,
  elements: unknown[],
): unknown[] {
  const { keyOf } = listOf(type, column)
  const wanted = state[primary]
  const first = elements.find((element) => wanted !== null && keyOf(element) === keyOf(wanted)) ?? elements[0]
  state[primary] = first ?? null
  return first === undefined ? [] : [first, ...elements.filter((element) => element !== first)]
}

/**
 * Splits the external ids: the first id of each system is shown. The other ids become aliases, by which the record is
 * still found.
 */
function splitExternalIds(column: string, entries: [string, string][]): StoredColumns {
  const shown = new Map<string, string>()
  const aliases: [string, string][] = []
  for (const [system, id] of entries) {
    if (shown.has(system)) aliases.push([system, id])
    else shown.set(system, id)
  }
  return { [column]: Object.fromEntries(shown), aliases: elementsOf(aliases) }
}
