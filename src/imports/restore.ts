import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { ValidationError } from '../platform/http/validation.ts'
import { readCanonicalIds } from '../records/canonical.ts'
import type { Cluster } from '../records/clusters/cluster.ts'
import { type FactChange, undoFactChange } from '../records/clusters/fact-change.ts'
import { clusterOf, memberOf } from '../records/clusters/facts.ts'
import { deriveColumns } from '../records/clusters/regroup.ts'
import { readOrgDefaults } from '../records/create.ts'
import { lockRecords } from '../records/lock.ts'
import { namesOf } from '../records/names.ts'
import type { OrgDefaults, RecordType, StoredColumns, StoredRecord } from '../records/record-type.ts'
import { lockCanonical, lockReferencesOf } from '../records/references.ts'
import { updateRecords } from '../records/write.ts'
import { deleteChanges, nextChanges } from './changes.ts'

const idsPerStep = 200

/** `restored`: records that have all their earlier values again. `kept`: records that keep part of the import. */
export type Restored = { restored: number; kept: number; lastId: string }

/**
 * Reverts the changes to the next records, starting after the id `after`. Values that changed since the import are
 * kept.
 * @returns null if no record is left
 */
export async function revertNextChanges(
  tx: OrgTx,
  type: RecordType,
  importId: string,
  after: string,
): Promise<Restored | null> {
  const changes = await nextChanges(tx, importId, after, idsPerStep)
  const lastId = [...changes.keys()].at(-1)
  if (lastId === undefined) return null
  const created = await createdAmong(tx, type, importId, [...changes.keys()])
  const named = [...changes.keys()].filter((id) => !created.has(id))
  await lockReferencesOf(tx, type, named)
  await lockEarlierReferences(tx, type, [...changes.values()].flat())
  const rootOf = await readCanonicalIds(tx, type.entity, named)
  const roots = await lockRecords(tx, type, [...new Set(rootOf.values())])
  const idsOf = Map.groupBy(named, (id) => rootOf.get(id))
  // During the wait for locks, a merge or an undo can move ids to other records. The next call reads these ids again.
  const current = roots.filter((stored) => idsOf.get(stored.recordId)?.every((id) => isShownBy(id, stored)))
  const attempts = current.map((stored) =>
    withoutChanges(type, stored, idsOf.get(stored.recordId) ?? [], changes),
  )
  const kept = await store(tx, type, attempts)
  const ids = attempts.flatMap((attempt) => attempt.ids)
  const erased = named.filter((id) => !rootOf.has(id))
  await deleteChanges(tx, importId, [...created, ...erased, ...ids])
  return { restored: ids.length - kept, kept, lastId }
}

const isShownBy = (id: string, { recordId, cluster, status }: StoredRecord): boolean =>
  status !== 'merged' && (recordId === id || (cluster?.members.has(id) ?? false))

/** A canonical record, some of its ids, and its cluster as it would be without the import's changes. */
type Attempt = { stored: StoredRecord; ids: readonly string[]; write: Cluster; kept: number }

function withoutChanges(
  type: RecordType,
  stored: StoredRecord,
  ids: readonly string[],
  changes: ReadonlyMap<string, readonly FactChange[]>,
): Attempt {
  const cluster = clusterOf(type, stored)
  const members = new Map(cluster.members)
  let kept = 0
  for (const id of ids) {
    let [facts, isWhole] = [memberOf(cluster, id), true]
    for (const change of changes.get(id) ?? []) {
      const earlier = undoFactChange(type, facts, change)
      facts = earlier.facts
      isWhole &&= earlier.isWhole
    }
    members.set(id, facts)
    if (!isWhole) kept += 1
  }
  return { stored, ids, write: { ...cluster, members }, kept }
}

/**
 * Stores the values that the records have without the changes. Returns the number of ids that keep part of the import.
 */
async function store(tx: OrgTx, type: RecordType, attempts: readonly Attempt[]): Promise<number> {
  const orgDefaults = await readOrgDefaults(tx, type, [])
  const clusters = attempts.map(({ write }) => write)
  const states = (await deriveColumns(tx, type, clusters, orgDefaults)).values()
  let kept = 0
  const updates = attempts.flatMap((attempt) => {
    const { stored, write, ids } = attempt
    const { aliases, ...columns } = states.next().value ?? {}
    const state = stored.cluster ? { ...columns, aliases } : columns
    if (stored.status !== 'active' || !isValid(type, stored, state, orgDefaults)) {
      kept += ids.length
      return []
    }
    kept += attempt.kept
    return [{ stored, state, write }]
  })
  await updateRecords(tx, type, updates)
  return kept
}

/** Returns whether the restored record would still have a value that identifies it. */
function isValid(
  type: RecordType,
  stored: StoredRecord,
  state: StoredColumns,
  orgDefaults: OrgDefaults,
): boolean {
  try {
    type.check(stored.state, state, orgDefaults)
    return true
  } catch (error) {
    if (error instanceof ValidationError) return false
    throw error
  }
}

/** Locks referenced records before their referrers, as merges do. */
async function lockEarlierReferences(
  tx: OrgTx,
  type: RecordType,
  changes: readonly FactChange[],
): Promise<void> {
  for (const { to, rawColumn } of type.references) {
    const values = changes.flatMap(({ units }) =>
      (units[rawColumn]?.before ?? []).map(([, write]) => write[rawColumn]),
    )
    await lockCanonical(
      tx,
      to,
      values.filter((id) => typeof id === 'string'),
    )
  }
}

async function createdAmong(
  tx: OrgTx,
  type: RecordType,
  importId: string,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const { table, id } = namesOf(type)
  const rows = await tx.rows(sql<{ record_id: string }>`
    select ${id} as record_id from ${table}
    where org_id = ${tx.orgId} and import_id = ${importId} and ${id} = any(${recordIds}::uuid[])`)
  return new Set(rows.map((row) => row.record_id))
}
