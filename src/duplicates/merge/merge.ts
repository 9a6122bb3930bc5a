import type { EntityType } from '../../matching/entity-type.ts'
import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError, notFound } from '../../platform/domain-error.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { requireActive } from '../../records/change.ts'
import type { Cluster } from '../../records/clusters/cluster.ts'
import { clusterOf } from '../../records/clusters/facts.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { lockRecords } from '../../records/lock.ts'
import type { OrgDefaults, RecordType, StoredRecord } from '../../records/record-type.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { mergeLocked } from './merge-locked.ts'
import type { MergeReason } from './merges.ts'
import type { FieldChoices } from './policies.ts'
import { differentPairs, type Pair, saveVerdict } from './verdicts.ts'

export type MergeOrder = {
  entityType: EntityType
  survivorId: string
  loserIds: readonly string[]
  choices?: FieldChoices | undefined
  /** true: also merge records with the verdict `different`. */
  force?: boolean
  reason: MergeReason
}

/**
 * Merges records into one; all their ids then lead to the survivor. No written value is lost, so each merge can be
 * undone alone, within `undo_days` if set.
 * @param locked called after the records are locked, before any write
 * @returns the ids of the merges, one for each loser
 * @throws ValidationError for an invalid choice; DomainError not_found; conflict if a record is archived or merged,
 * or if two records have the verdict `different`
 */
export async function mergeRecords(
  tx: OrgTx,
  order: MergeOrder,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<string[]> {
  const { entityType, survivorId, loserIds } = order
  const type = recordTypes[entityType]
  const orgDefaults = await readOrgDefaults(tx, type, [])
  await requireSeen(tx, type, survivorId, loserIds)
  return onAllRecords(tx, () => mergeSeen(tx, order, orgDefaults, jobs, locked))
}

/** @throws DomainError not_found if a limited member does not see one of the records */
async function requireSeen(
  tx: OrgTx,
  type: RecordType,
  survivorId: string,
  loserIds: readonly string[],
): Promise<void> {
  if (tx.actor.recordAccess === undefined) return
  const seen = await readCanonicalIds(tx, type.entity, [survivorId, ...loserIds])
  if (!seen.has(survivorId)) throw unknownRecord(type, survivorId, 'survivor_id')
  const missing = loserIds.find((loserId) => !seen.has(loserId))
  if (missing !== undefined) throw unknownRecord(type, missing, 'loser_ids')
}

async function mergeSeen(
  tx: OrgTx,
  order: MergeOrder,
  orgDefaults: OrgDefaults,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<string[]> {
  const { entityType, survivorId, loserIds, choices, reason } = order
  const type = recordTypes[entityType]
  const { survivor, losers } = await lockToMerge(tx, type, survivorId, loserIds)
  await locked?.()
  const clusters = [survivor, ...losers].map((stored) => clusterOf(type, stored))
  await requireNotDifferent(tx, entityType, clusters, order.force ?? false)
  const because = losers.map((stored) => ({ stored, reason }))
  const [mergeIds = []] = await mergeLocked(
    tx,
    type,
    [{ survivor, losers: because, choices }],
    orgDefaults,
    jobs,
  )
  return mergeIds
}

/** @throws DomainError not_found; conflict if a record is archived or merged */
async function lockToMerge(
  tx: OrgTx,
  type: RecordType,
  survivorId: string,
  loserIds: readonly string[],
): Promise<{ survivor: StoredRecord; losers: StoredRecord[] }> {
  const recordIds = [survivorId, ...loserIds]
  await lockReferencesOf(tx, type, recordIds)
  // Refuse absorbed records before locking. Other writers lock the canonical record first, so locking an absorbed one
  // could deadlock.
  await refuseMerged(tx, type, recordIds)
  const stored = await lockRecords(tx, type, recordIds, { forDelete: true })
  const records = new Map(stored.map((record) => [record.recordId, record]))
  const recordOf = (recordId: string, field: string): StoredRecord => {
    const record = records.get(recordId)
    if (!record) throw unknownRecord(type, recordId, field)
    if (record.status === 'merged') throw alreadyMerged(type, recordId)
    requireActive(type, record)
    return record
  }
  const survivor = recordOf(survivorId, 'survivor_id')
  const losers = loserIds.map((loserId) => recordOf(loserId, 'loser_ids'))
  return { survivor, losers }
}

const unknownRecord = (type: RecordType, recordId: string, field: string): DomainError =>
  notFound('reference_not_found', `${field}: no ${type.entity} of this organization has the id ${recordId}`)

async function refuseMerged(tx: OrgTx, type: RecordType, recordIds: readonly string[]): Promise<void> {
  const [id, table] = [rawSql(type.idField), rawSql(type.entity)]
  const rows = await tx.rows(sql<{ record_id: string; status: string }>`
    select ${id} as record_id, status from ${table}
    where org_id = ${tx.orgId} and ${id} = any(${recordIds}::uuid[]) and status <> 'erased'`)
  const merged = rows.find(({ status }) => status === 'merged')
  if (merged && rows.length === recordIds.length) throw alreadyMerged(type, merged.record_id)
}

const alreadyMerged = (type: RecordType, recordId: string): DomainError =>
  conflict(
    'record_merged',
    `The ${type.entity} ${recordId} is already merged into another record: send the id that GET ${type.path}/${recordId} returns`,
  )

/**
 * Refuses to merge records with the verdict `different`. With `force`, changes these verdicts to `same`.
 * @param except a pair whose verdict is ignored
 * @throws DomainError conflict that names two records
 */
export async function requireNotDifferent(
  tx: OrgTx,
  entityType: EntityType,
  clusters: readonly Cluster[],
  force: boolean,
  except?: Pair,
): Promise<void> {
  const ids = clusters.flatMap(({ members }) => [...members.keys()])
  const blocking = pairsBetween(clusters, await differentPairs(tx, entityType, ids)).filter(
    ([one, other]) => !(except?.includes(one) && except.includes(other)),
  )
  const [first] = blocking
  if (!first) return
  if (force) return saveVerdict(tx, entityType, blocking, 'same')
  throw areDifferent(first)
}

/** Returns the pairs whose records are in two different clusters of these. */
export function pairsBetween(clusters: readonly Cluster[], pairs: readonly Pair[]): Pair[] {
  if (pairs.length === 0) return []
  const clusterWith = new Map(
    clusters.flatMap((each) => [...each.members.keys()].map((id) => [id, each] as const)),
  )
  return pairs.filter(([one, other]) => {
    const [first, second] = [clusterWith.get(one), clusterWith.get(other)]
    return first !== undefined && second !== undefined && first !== second
  })
}

/** The error for a merge of two records that a person called different. */
export const areDifferent = ([one, other]: Pair): DomainError =>
  conflict(
    'verdict_different',
    `${one} and ${other} have the verdict "different": to merge them anyway, send POST /duplicates/merge with "force": true`,
  )
