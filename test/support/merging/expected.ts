import { expect } from 'vitest'
import type { NaiveOrg } from './naive-org.ts'
import { type Entity, type Fields, kinds } from './naive-rules.ts'
import { listOf, type Merge, membersOf, recordOf, shown } from './naive-view.ts'
import type { OrgRequests } from './org-requests.ts'
import { entities } from './org-steps.ts'

/** Reads the record type and the id of a record. */
export function identify(record: Fields): { entity: Entity; id: string } {
  const entity = entities.find((each) => Object.keys(record)[0] === kinds[each].idField)!
  return { entity, id: record[kinds[entity].idField] as string }
}

/** Replaces ids with names, and leaves out fields that every change updates. */
export function plainRecord(requests: OrgRequests, record: Fields): Fields {
  const { version: _version, updated_at: _updated, archived_at, outcome: _outcome, ...rest } = record
  return { ...requests.withNames(rest), archived: archived_at !== null }
}

/** The record that the API must show, without its closing time. */
export function expectedRecord(naive: NaiveOrg, requests: OrgRequests, name: string, fields: Fields): Fields {
  const members = membersOf(naive.facts, name).map((each) => ({ name: each, id: requests.idOf(each)! }))
  const absorbed = members
    .filter((each) => each.name !== name)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return {
    ...fields,
    merged_ids: absorbed.map((each) => each.name),
    merged_external_ids: otherExternalIds(listOf(naive.facts, name, 'external_ids')),
    created_at: Math.min(...members.map(({ id }) => secondOf(id))),
  }
}

/** Leaves out the first id of each system. */
function otherExternalIds(entries: readonly string[]): Record<string, string[]> {
  const others: Record<string, string[]> = {}
  const systems = new Set<string>()
  for (const [system = '', id = ''] of entries.map((entry) => entry.split('='))) {
    if (systems.has(system)) others[system] = [...(others[system] ?? []), id]
    systems.add(system)
  }
  return others
}

/** The UUIDv7 contains the time. */
const secondOf = (id: string) => Math.floor(Number.parseInt(id.replace('-', '').slice(0, 12), 16) / 1000)

/** Replaces the ids in a row with names. */
export function plainRow(requests: OrgRequests, row: Fields): Fields {
  const { entity_type, status, survivor_id, loser_id, can_undo, undo_blocked_reason, children_moved } = row
  const named = requests.withNames({ survivor_id, loser_id, merge_group_id: row.merge_group_id })
  const filled = (row.fields_filled as string[]).toSorted()
  const names = { survivor_name: row.survivor_name, loser_name: row.loser_name }
  return { ...named, entity_type, status, can_undo, undo_blocked_reason, children_moved, filled, ...names }
}

export function expectedRow(naive: NaiveOrg, merge: Merge): Fields {
  const { entity, survivor, loser, status, group, moved, filled } = merge
  const undo_blocked_reason = naive.blockOf(merge)
  return {
    ...{ survivor_id: survivor, loser_id: loser, merge_group_id: group, entity_type: entity, status },
    ...{ can_undo: undo_blocked_reason === null, undo_blocked_reason, children_moved: moved },
    filled: filled.toSorted(),
    survivor_name: calledOf(naive, survivor),
    loser_name: calledOf(naive, loser),
  }
}

export function expectedRows(naive: NaiveOrg): Record<string, Fields> {
  const listed = naive.facts.merges.filter(({ status }) => !['stale', 'dismissed'].includes(status))
  return Object.fromEntries(listed.map((merge) => [merge.name, expectedRow(naive, merge)]))
}

/** The name of a record. An absorbed record has its name from before the merge. */
function calledOf(naive: NaiveOrg, name: string): unknown {
  const { entity, status } = recordOf(naive.facts, name)
  if (status === 'erased') return null
  if (naive.root(name) !== name) return expect.anything()
  return shown(naive.facts, name)[entity === 'contact' ? 'first_name' : 'name']
}
