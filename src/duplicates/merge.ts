import { v7 } from 'uuid'
import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict, notFound, type Problem } from '../platform/http/problem.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { requireActive } from '../records/change.ts'
import type { Cluster } from '../records/clusters/facts.ts'
import { clusterOf, join } from '../records/clusters/join.ts'
import { regroup, restate } from '../records/clusters/regroup.ts'
import { nextSeqs } from '../records/clusters/store.ts'
import { surroundingsOf } from '../records/create.ts'
import { lockRecords, type Stored } from '../records/lock.ts'
import type { RecordType, State } from '../records/record-type.ts'
import { holdReferenced } from '../records/references.ts'
import { changedFields } from '../records/write.ts'
import { giveChildren } from './children.ts'
import { type EntityType, recordTypes } from './entities.ts'
import { countMoved, insertMerges, type NewMerge, type Why } from './merges.ts'
import { policiesOf } from './policies.ts'
import { readSettings } from './settings.ts'
import { decide, differing, type Pair } from './verdicts.ts'

export type MergeOrder = {
  entityType: EntityType
  survivorId: string
  loserIds: readonly string[]
  /** By field, the record whose value is shown. */
  choices?: Readonly<Record<string, string>> | undefined
  /** Also what was said to be different. */
  force?: boolean
  why: Why
}

/**
 * Merges records into one: they show as the survivor, under all of their ids. Nothing that was written is lost: each
 * merge can be undone by itself, at any time, whatever was written or merged since.
 * @param locked is called once the records are locked, before anything is written
 * @returns the ids of the merges, one for each loser
 * @throws ValidationError for an unknown choice; Problem 404; 409 for one that is archived or merged already, or where
 *   two were said to be different
 */
export async function mergeRecords(
  tx: Tx,
  actor: Actor,
  order: MergeOrder,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<string[]> {
  const { entityType, survivorId, loserIds, why } = order
  const { orgId } = actor
  const type = recordTypes[entityType]
  const surroundings = await surroundingsOf(tx, orgId, type, [])
  await holdReferenced(tx, orgId, type, [survivorId, ...loserIds])
  const records = await lockRoots(tx, orgId, type, [survivorId, ...loserIds])
  await locked?.()
  const [survivor, ...losers] = [survivorId, ...loserIds].map((id) => records.get(id)!) as [
    Stored,
    ...Stored[],
  ]
  const clusters = [survivor, ...losers].map((stored) => clusterOf(type, stored))
  await requireNotDifferent(tx, actor, entityType, clusters, order.force ?? false)

  const { survivorship } = await readSettings(tx, orgId, entityType)
  const seqs = await nextSeqs(tx, losers.length)
  const policies = policiesOf(type, survivorship, order)
  const links = losers.map(({ recordId: loserId }, index) => ({
    ...{ mergeId: v7(), loserId, survivorId, seq: seqs[index]!, policies: policies[index]! },
  }))
  const grown = [clusters[0]!]
  for (const [index, link] of links.entries()) grown.push(join(grown[index]!, clusters[index + 1]!, link))
  const cluster = grown.at(-1)!
  const shown = (await restate(tx, orgId, type, grown, surroundings)).map((state) => asRead(type, state))
  const merges = links.map((link, index): NewMerge => {
    return { ...link, fieldsFilled: changedFields(type, shown[index]!, shown[index + 1]!) }
  })
  const version = Math.max(...[survivor, ...losers].map((stored) => stored.version)) + 1
  await insertMerges(tx, actor, entityType, merges, why)
  await regroup(tx, actor, type, [{ stored: survivor, cluster, version }], losers, surroundings)
  for (const [index, { mergeId, loserId }] of merges.entries()) {
    const rawIds = [...clusters[index + 1]!.members.keys()]
    const move = { rawIds, from: loserId, to: survivorId }
    await countMoved(tx, orgId, mergeId, await giveChildren(tx, actor, type, move, mergeId, jobs))
  }
  await recordEvents(
    tx,
    actor,
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

/** What a reader sees of a state: of its references what stands for those that were named, each once. */
function asRead({ references, links }: RecordType, state: State): State {
  const read = { ...state }
  for (const { rawColumn, column } of references) read[rawColumn] = state[column]
  for (const { rawColumn, column } of links) {
    read[rawColumn] = [...new Set(state[column] as string[])]
    read[column] = read[rawColumn]
  }
  return read
}

/** Locks records that stand for themselves, the survivor named first. @throws Problem 404; 409 for a merged one */
async function lockRoots(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
): Promise<Map<string, Stored>> {
  // Whoever locks an absorbed record holds its root before; here it is refused unlocked.
  await refuseMerged(tx, orgId, type, recordIds)
  const stored = await lockRecords(tx, orgId, type, recordIds, { ends: true })
  const records = new Map(stored.map((record) => [record.recordId, record]))
  for (const recordId of recordIds) {
    const record = records.get(recordId)
    if (!record) {
      const field = recordId === recordIds[0] ? 'survivor_id' : 'loser_ids'
      throw notFound(`${field}: no ${type.entity} of this organization has the id ${recordId}`)
    }
    if (record.status === 'merged') throw alreadyMerged(type, recordId)
    requireActive(type, record)
  }
  return records
}

async function refuseMerged(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
): Promise<void> {
  const id = type.idField
  const rows = await tx.rows<{ record_id: string; status: string }>({
    text: `select ${id} as record_id, status from ${type.entity} where org_id = $1 and ${id} = any($2::uuid[]) and status <> 'erased'`,
    values: [orgId, recordIds],
  })
  const merged = rows.find(({ status }) => status === 'merged')
  if (merged && rows.length === recordIds.length) throw alreadyMerged(type, merged.record_id)
}

const alreadyMerged = (type: RecordType, recordId: string): Problem =>
  conflict(
    `The ${type.entity} ${recordId} was merged into another already: name the one that GET ${type.path}/${recordId} gives`,
  )

/** @throws Problem 409 that names two records which were said to be different; with `force` that is taken back */
export async function requireNotDifferent(
  tx: Tx,
  actor: Actor,
  entityType: EntityType,
  clusters: readonly Cluster[],
  force: boolean,
  except?: Pair,
): Promise<void> {
  const clusterWith = new Map(
    clusters.flatMap((each) => [...each.members.keys()].map((id) => [id, each] as const)),
  )
  const found = await differing(tx, actor.orgId, entityType, [...clusterWith.keys()])
  const apart = found.filter(
    ([one, other]) =>
      clusterWith.get(one) !== clusterWith.get(other) && !(except?.includes(one) && except.includes(other)),
  )
  if (apart.length === 0) return
  if (force) return decide(tx, actor, entityType, apart, 'same')
  const [one, other] = apart[0]!
  throw conflict(
    `${one} and ${other} were said to be different: send "force": true to merge them all the same`,
  )
}
