import { anyUuid } from '../platform/db/any-uuid.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { readCanonicalIds } from './canonical.ts'
import { lockRecords, readRecords } from './lock.ts'
import { findCandidates, lockKeys, type Match, matchesAmong } from './match.ts'
import { namesOf } from './names.ts'
import type { RecordType, StoredRecord } from './record-type.ts'

/** The record that an item writes: a match of its keys, or the canonical record of an id. */
export type Target = Match | { recordId: string }

/** The maximum number of attempts. The search starts again if records changed while they were locked. */
const attemptsMax = 10

/** Found ids, by key name and by the id that a target names. */
type Ids = { byKey: ReadonlyMap<string, string[]>; byId: ReadonlyMap<string, string> }

/**
 * Locks the keys of upserts, then the records that targets name or match. Keep this order: two batches could deadlock
 * otherwise.
 */
export async function lockTargets(tx: OrgTx, type: RecordType, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return
  await lockKeys(tx, type, matchesOf(targets))
  // A single target is locked when it is read.
  if (targets.length === 1) return
  const { table, id } = namesOf(type)
  const recordIds = distinctIds(await readIds(tx, type, targets))
  await tx.rows(sql`
    select from ${table} where org_id = ${tx.orgId} and ${id} = ${anyUuid(recordIds)}
    order by ${id} for no key update`)
}

/**
 * Locks and returns the records of each target. Keys find the matching active records, the oldest first. An id finds
 * the canonical record, unless the id is unknown or erased.
 */
export async function findTargets(
  tx: OrgTx,
  type: RecordType,
  targets: readonly Target[],
): Promise<StoredRecord[][]> {
  if (targets.length === 0) return []
  for (let follows = 0; ; follows++) {
    const ids = await readIds(tx, type, targets)
    const recordIds = distinctIds(ids)
    const locked = recordIds.length > 0 ? await lockRecords(tx, type, recordIds) : []
    const found = recordsOf(type, targets, ids, locked)
    // If the record was merged or lost the key during the wait for its lock, search again.
    const still = new Set(found.flat())
    // If an undo committed during the wait, the id belongs to another record.
    const isLost = (target: Target, index: number) =>
      'recordId' in target && ids.byId.has(target.recordId) && found[index]?.length === 0
    const areLost = targets.some(isLost)
    if (!areLost && (follows === attemptsMax || locked.every((stored) => still.has(stored)))) return found
    if (follows === attemptsMax)
      throw new Error(
        `The canonical records of ${type.entity} ids changed ${attemptsMax} times during a batch`,
      )
  }
}

/** Reads the records of each target, without a lock. */
export async function readTargets(
  tx: OrgTx,
  type: RecordType,
  targets: readonly Target[],
): Promise<StoredRecord[][]> {
  if (targets.length === 0) return []
  const ids = await readIds(tx, type, targets)
  return recordsOf(type, targets, ids, await readRecords(tx, type, distinctIds(ids)))
}

async function readIds(tx: OrgTx, type: RecordType, targets: readonly Target[]): Promise<Ids> {
  const matches = matchesOf(targets)
  const named = [...new Set(targets.flatMap((target) => ('recordId' in target ? [target.recordId] : [])))]
  const [byKey, byId] = await Promise.all([
    matches.length > 0 ? findCandidates(tx, type, matches) : new Map<string, string[]>(),
    named.length > 0 ? readCanonicalIds(tx, type.entity, named) : new Map<string, string>(),
  ])
  return { byKey, byId }
}

function recordsOf(
  type: RecordType,
  targets: readonly Target[],
  { byKey, byId }: Ids,
  records: readonly StoredRecord[],
): StoredRecord[][] {
  const matched = matchesAmong(type, matchesOf(targets), byKey, records).values()
  const canonical = new Map(records.map((stored) => [stored.recordId, stored]))
  return targets.map((target) => {
    if ('keys' in target) return matched.next().value ?? []
    const { recordId } = target
    const stored = canonical.get(byId.get(recordId) ?? '')
    const isCurrent = stored && (stored.recordId === recordId || stored.cluster?.members.has(recordId))
    return isCurrent && stored.status !== 'merged' ? [stored] : []
  })
}

const matchesOf = (targets: readonly Target[]): Match[] => targets.filter((target) => 'keys' in target)

const distinctIds = ({ byKey, byId }: Ids): string[] => [
  ...new Set([...byKey.values(), [...byId.values()]].flat()),
]
