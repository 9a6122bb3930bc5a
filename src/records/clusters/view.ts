import { runUnsliced } from '../../platform/slices.ts'
import { type Members, patchMembers } from '../patch-members.ts'
import type { RecordType, StoredColumns } from '../record-type.ts'
import type { Cluster, Facts, MergeLink, UnitWrite } from './cluster.ts'
import { elementsOf, isExplained, listOf, memberOf, unitsOf } from './facts.ts'
import { type Policy, survivingValue, type UnitValue } from './survivorship.ts'

/** A write or a merge in the history of a cluster. */
type HistoryStep =
  | { seq: number; recordId: string; written: Readonly<Record<string, unknown>>; isPatch: boolean }
  | { seq: number; link: MergeLink }

/**
 * Derives the columns that the root shows, without canonical ids of references. A write appears on the named record,
 * and on every record that it was merged into at that time. A merge chooses between the values of that time. Lists are
 * unions. `aliases` gets the external ids that another id of the same system hides. Removing a merge from `links` gives
 * the history without that merge.
 */
export const viewOf = (type: RecordType, cluster: Cluster): StoredColumns =>
  runUnsliced(derivingView(type, cluster))

/** Does the same as `viewOf` in steps, because a cluster may have 500 members with 50 addresses each. */
export function* derivingView(type: RecordType, cluster: Cluster): Generator<undefined, StoredColumns> {
  const state: StoredColumns = {}
  for (const [unit, columns] of unitsOf(type)) {
    const values = unitOf(type, cluster, unit, columns)
    columns.forEach((column, index) => {
      state[column] = values[index] ?? null
    })
    yield
  }
  for (const [column, { primary }] of Object.entries(type.merging.lists)) {
    const elements = yield* collectingElements(type, cluster, column)
    if (type.columns[column] === 'json')
      Object.assign(state, splitExternalIds(column, elements as [string, string][]))
    else state[column] = primary ? withPrimaryFirst(type, state, column, primary, elements) : elements
  }
  return type.merging.repair?.(state) ?? state
}

/** The external ids that another id of the same system hides, as `viewOf` gives them in `aliases`. */
export function aliasesOf(type: RecordType, cluster: Cluster): unknown {
  const [column] = Object.keys(type.merging.lists).filter((name) => type.columns[name] === 'json')
  if (!column) return undefined
  const elements = runUnsliced(collectingElements(type, cluster, column))
  return splitExternalIds(column, elements as [string, string][]).aliases
}

/** The columns of a member alone, with nothing hidden. */
export const unmergedState = (type: RecordType, facts: Facts): StoredColumns =>
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
      // A redone merge keeps its old place, so the survivor also gets records that the loser absorbed since.
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
 * The writes of a unit. The written primary element of a list counts only while the record's own list has it. Otherwise
 * the first element counts.
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

/** Clears the details of an explained unit if the write changes its first column. */
const withoutDetails = (
  value: UnitValue,
  unit: string,
  written: Readonly<Record<string, unknown>>,
): UnitValue => (unit in written && written[unit] !== value[0] ? value.map(() => null) : value)

const applyPartialWrite = (
  value: UnitValue,
  columns: readonly string[],
  written: Readonly<Record<string, unknown>>,
): UnitValue => columns.map((column, index) => (column in written ? written[column] : value[index]))

const applyPatch = (
  value: UnitValue,
  columns: readonly string[],
  written: Readonly<Record<string, unknown>>,
): UnitValue =>
  columns.map((column, index) => patchMembers((value[index] ?? {}) as Members, written[column] as Members))

/** Returns the elements of the root, then the elements of absorbed records in merge order. */
function* collectingElements(
  type: RecordType,
  cluster: Cluster,
  column: string,
): Generator<undefined, unknown[]> {
  const { links } = cluster
  const { keyOf } = listOf(type, column)
  const inForce = new Set(links.map(({ mergeId }) => mergeId))
  const absorbedBy = Map.groupBy(links, ({ survivorId }) => survivorId)
  const elements = new Map<string, unknown>()
  function* adding(recordId: string): Generator<undefined, void> {
    const { lists, hidden }: Facts = memberOf(cluster, recordId)
    const gone = new Set(
      (hidden[column] ?? [])
        .filter(([, merges]) => merges.every((id) => inForce.has(id)))
        .map(([key]) => key),
    )
    for (const element of lists[column] ?? []) {
      const key = keyOf(element)
      if (!gone.has(key) && !elements.has(key)) elements.set(key, element)
    }
    yield
    for (const { loserId } of absorbedBy.get(recordId) ?? []) yield* adding(loserId)
  }
  yield* adding(cluster.rootId)
  return [...elements.values()]
}

/** The first element becomes primary if the list lacks the written primary value. */
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

/** Shows the first id of each system. The other ids become aliases, which also find the record. */
function splitExternalIds(column: string, entries: [string, string][]): StoredColumns {
  const shown = new Map<string, string>()
  const aliases: [string, string][] = []
  for (const [system, id] of entries) {
    if (shown.has(system)) aliases.push([system, id])
    else shown.set(system, id)
  }
  return { [column]: Object.fromEntries(shown), aliases: elementsOf(aliases) }
}
