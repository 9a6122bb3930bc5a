import { v7 } from 'uuid'
import { recordEvents } from '../../events/record.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError, notFound } from '../../platform/domain-error.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { requireActive } from '../../records/change.ts'
import { type Cluster, join } from '../../records/clusters/cluster.ts'
import { clusterOf } from '../../records/clusters/facts.ts'
import { regroup, restate } from '../../records/clusters/regroup.ts'
import { nextSeqs } from '../../records/clusters/store.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { lockRecords } from '../../records/lock.ts'
import type { RecordType, Stored, StoredColumns } from '../../records/record-type.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { changedFields } from '../../records/write.ts'
import { recordTypes } from '../entities.ts'
import { readSettings } from '../settings.ts'
import { insertMerges, type MergeReason, type NewMerge, saveMovedCount } from './merges.ts'
import { moveReferencesOrEnqueue } from './move-references.ts'
import { type FieldChoices, policiesOf } from './policies.ts'
import { differentPairs, type Pair, saveVerdict } from './verdicts.ts'

export type MergeOrder = {
  entityType: EntityType
  survivorId: string
  loserIds: readonly string[]
  choices?: FieldChoices | undefined
  /** Also merges records with the verdict `different`. */
  force?: boolean
  reason: MergeReason
}

/** A loser with the cluster that it brings. */
type Loser = { stored: Stored; cluster: Cluster }

/**
 * Merges records into one. All of their ids then lead to the survivor. A merge overwrites nothing that was written, so
 * each merge can be undone alone, at any time.
 * @param locked is called once the records are locked, before anything is written
 * @returns the ids of the merges, one for each loser
 * @throws ValidationError for an invalid choice; DomainError not_found; conflict if a record is archived or merged, or if two records
 *   have the verdict `different`
 */
export async function mergeRecords(
  tx: OrgTx,
  order: MergeOrder,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<string[]> {
  const { entityType, survivorId, loserIds, reason } = order
  const type = recordTypes[entityType]
  const orgDefaults = await readOrgDefaults(tx, type, [])
  const { survivor, losers } = await lockToMerge(tx, type, survivorId, loserIds)
  await locked?.()
  const survivorCluster = clusterOf(type, survivor)
  const clusters = [survivorCluster, ...losers.map(({ cluster }) => cluster)]
  await requireNotDifferent(tx, entityType, clusters, order.force ?? false)

  const { survivorship } = await readSettings(tx, entityType)
  const seqs = await nextSeqs(tx, losers.length)
  const policies = policiesOf(type, survivorship, order)
  // The cluster after each merge in turn: the fields that change from one to the next are what a merge filled.
  let cluster = survivorCluster
  const links = losers.map((loser, index) => {
    const { recordId: loserId } = loser.stored
    const link = {
      mergeId: v7(),
      loserId,
      survivorId,
      seq: seqs[index] ?? 0,
      policies: policies[index] ?? null,
    }
    cluster = join(cluster, loser.cluster, link)
    return { link, cluster }
  })
  const steps = [survivorCluster, ...links.map((each) => each.cluster)]
  const shown = (await restate(tx, type, steps, orgDefaults)).map((state) => asRead(type, state))
  const merges = links.map(({ link }, index): NewMerge => {
    return { ...link, fieldsFilled: changedFields(type, shown[index] ?? {}, shown[index + 1] ?? {}) }
  })
  const absorbed = losers.map(({ stored }) => stored)
  const version = Math.max(...[survivor, ...absorbed].map((stored) => stored.version)) + 1
  await insertMerges(tx, entityType, merges, reason)
  await regroup(tx, type, [{ stored: survivor, cluster, version }], absorbed, orgDefaults)
  for (const [index, { mergeId, loserId }] of merges.entries()) {
    const rawIds = [...(losers[index]?.cluster.members.keys() ?? [])]
    const move = { rawIds, from: loserId, to: survivorId }
    await saveMovedCount(tx, mergeId, await moveReferencesOrEnqueue(tx, type, move, mergeId, jobs))
  }
  await recordEvents(
    tx,
    merges.flatMap(({ mergeId, loserId, fieldsFilled }) => [
      {
        type: `${entityType}.merged`,
        objectId: survivorId,
        changed: fieldsFilled,
        data: { merge_id: mergeId, loser_id: loserId },
      },
      {
        type: `${entityType}.merged`,
        objectId: loserId,
        data: { merge_id: mergeId, survivor_id: survivorId },
      },
    ]),
  )
  return merges.map(({ mergeId }) => mergeId)
}

/** Columns as an answer shows them: each reference as the id of its canonical record, without repetitions. */
function asRead({ references, links }: RecordType, state: StoredColumns): StoredColumns {
  const read = { ...state }
  for (const { rawColumn, column } of references) read[rawColumn] = state[column]
  for (const { rawColumn, column } of links) {
    read[rawColumn] = [...new Set(state[column] as string[])]
    read[column] = read[rawColumn]
  }
  return read
}

/** Locks the records of a merge. @throws DomainError not_found; conflict if one of them is archived or merged */
async function lockToMerge(
  tx: OrgTx,
  type: RecordType,
  survivorId: string,
  loserIds: readonly string[],
): Promise<{ survivor: Stored; losers: Loser[] }> {
  const recordIds = [survivorId, ...loserIds]
  await lockReferencesOf(tx, type, recordIds)
  // Refuse absorbed records before locking: other writers lock the canonical record first, so this could deadlock.
  await refuseMerged(tx, type, recordIds)
  const stored = await lockRecords(tx, type, recordIds, { forDelete: true })
  const records = new Map(stored.map((record) => [record.recordId, record]))
  const recordOf = (recordId: string, field: string): Stored => {
    const record = records.get(recordId)
    if (!record)
      throw notFound(
        'reference_not_found',
        `${field}: no ${type.entity} of this organization has the id ${recordId}`,
      )
    if (record.status === 'merged') throw alreadyMerged(type, recordId)
    requireActive(type, record)
    return record
  }
  const survivor = recordOf(survivorId, 'survivor_id')
  const losers = loserIds.map((loserId) => recordOf(loserId, 'loser_ids'))
  return { survivor, losers: losers.map((each) => ({ stored: each, cluster: clusterOf(type, each) })) }
}

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
 * Refuses to merge records of different clusters that have the verdict `different`. With `force` it changes these verdicts
 * to `same` instead.
 * @param except a pair whose verdict does not count
 * @throws DomainError conflict that names two records
 */
export async function requireNotDifferent(
  tx: OrgTx,
  entityType: EntityType,
  clusters: readonly Cluster[],
  force: boolean,
  except?: Pair,
): Promise<void> {
  const clusterWith = new Map(
    clusters.flatMap((each) => [...each.members.keys()].map((id) => [id, each] as const)),
  )
  const pairs = await differentPairs(tx, entityType, [...clusterWith.keys()])
  const blocking = pairs.filter(
    ([one, other]) =>
      clusterWith.get(one) !== clusterWith.get(other) && !(except?.includes(one) && except.includes(other)),
  )
  const [first] = blocking
  if (!first) return
  if (force) return saveVerdict(tx, entityType, blocking, 'same')
  throw conflict(
    'verdict_different',
    `${first[0]} and ${first[1]} have the verdict "different": send "force": true to merge them anyway`,
  )
}
