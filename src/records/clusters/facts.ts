import type { ListColumn, RecordType, StoredColumns, StoredRecord } from '../record-type.ts'
import type { Cluster, Facts } from './cluster.ts'

/**
 * The units of a record type, each with its columns. A merge chooses the value of a unit as a whole. Lists are not
 * units.
 */
export function unitsOf({ columns, merging, references, links }: RecordType): [string, readonly string[]][] {
  const derived = new Set([...[...references, ...links].map(({ column }) => column), ...merging.derived])
  const grouped = new Set(Object.values(merging.units ?? {}).flat())
  const single = Object.keys(columns).filter(
    (column) => !(derived.has(column) || grouped.has(column) || column in merging.lists),
  )
  return [
    ...single.map((column) => [column, [column]] as [string, string[]]),
    ...Object.entries(merging.units ?? {}),
  ]
}

/** Returns whether the other columns of a unit explain its first one (merging.explained). */
export const isExplained = ({ merging }: RecordType, unit: string): boolean =>
  merging.explained?.includes(unit) ?? false

/** Returns the elements of a list, or the entries of an object. */
export function elementsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : Object.entries((value ?? {}) as object)
}

/** Returns the facts of a record that was never merged. */
export function factsOf(type: RecordType, state: StoredColumns): Facts {
  const units: Facts['units'] = {}
  for (const [unit, columns] of unitsOf(type)) {
    const entries = columns.flatMap((column) =>
      (state[column] ?? null) === null ? [] : [[column, state[column]]],
    )
    if (entries.length > 0) units[unit] = [[0, Object.fromEntries(entries)]]
  }
  const lists: Facts['lists'] = {}
  for (const column in type.merging.lists) lists[column] = elementsOf(state[column])
  return { units, lists, hidden: {} }
}

/** A record that was never merged gets a cluster of its own. */
export function clusterOf(type: RecordType, { recordId, cluster, state }: StoredRecord): Cluster {
  return cluster ?? { rootId: recordId, members: new Map([[recordId, factsOf(type, state)]]), links: [] }
}

/** @throws Error if the cluster does not have the member */
export function memberOf({ rootId, members }: Cluster, recordId: string): Facts {
  const facts = members.get(recordId)
  if (!facts) throw new Error(`${recordId} is not a member of the cluster of ${rootId}`)
  return facts
}

/** @throws Error for a column that is not a list */
export function listOf({ entity, merging }: RecordType, column: string): ListColumn {
  const list = merging.lists[column]
  if (!list) throw new Error(`${column} is not a list column of ${entity}`)
  return list
}
