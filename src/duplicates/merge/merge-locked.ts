import { recordEvents } from '../../events/record.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Cluster, joinClusters } from '../../records/clusters/cluster.ts'
import { clusterOf } from '../../records/clusters/facts.ts'
import { joinRefusal } from '../../records/clusters/limits.ts'
import { deriveColumns, storeClusters } from '../../records/clusters/regroup.ts'
import { nextSeqs } from '../../records/clusters/store.ts'
import type { OrgDefaults, RecordType, StoredColumns, StoredRecord } from '../../records/record-type.ts'
import { changedFields } from '../../records/write.ts'
import { readDuplicateSettings } from '../settings.ts'
import { insertMerges, type MergeReason, type NewMerge, saveMovedCount } from './merges.ts'
import { moveReferencesOrEnqueue, referredAmong } from './move-references.ts'
import { type FieldChoices, policiesOf } from './policies.ts'

export type Loser = { stored: StoredRecord; reason: MergeReason }

/** Records to merge into one, all active, canonical and locked for delete. */
export type LockedOrder = {
  survivor: StoredRecord
  losers: readonly Loser[]
  choices?: FieldChoices | undefined
}

/** The merges into one survivor. `clusters` lists its cluster before the first merge, and after each merge. */
type Steps = {
  survivor: StoredRecord
  absorbed: StoredRecord[]
  clusters: [Cluster, ...Cluster[]]
  links: NewLink[]
}
type NewLink = Omit<NewMerge, 'fieldsFilled'> & { rawIds: string[] }

/**
 * Merges locked records. No record may be in two `orders`.
 * @returns for each order, the ids of its merges, one for each loser
 * @throws ValidationError for an invalid choice; DomainError conflict if a merged record would be too large
 */
export async function mergeLocked(
  tx: OrgTx,
  type: RecordType,
  orders: readonly LockedOrder[],
  orgDefaults: OrgDefaults,
  jobs: Jobs,
): Promise<string[][]> {
  const { survivorship } = await readDuplicateSettings(tx, type.entity)
  const seqs = await nextSeqs(
    tx,
    orders.reduce((sum, { losers }) => sum + losers.length, 0),
  )
  const taken = seqs.values()
  const planned = orders.map((order) => stepsOf(type, order, survivorship, taken))
  const allClusters = planned.flatMap(({ clusters }) => clusters)
  const shown = (await deriveColumns(tx, type, allClusters, orgDefaults)).map((state) =>
    answerColumns(type, state),
  )
  const shownSteps = shown.values()
  const merges = planned.flatMap(({ links }): NewMerge[] => {
    let before = shownSteps.next().value ?? {}
    return links.map((link) => {
      const after = shownSteps.next().value ?? {}
      // The merge filled a field if its value differs before and after.
      const fieldsFilled = changedFields(type, before, after)
      before = after
      return { ...link, fieldsFilled }
    })
  })
  await insertMerges(tx, type.entity, merges)
  const groups = planned.map(({ survivor, absorbed, clusters }) => ({
    stored: survivor,
    cluster: clusters.at(-1) ?? clusters[0],
    version: Math.max(...[survivor, ...absorbed].map(({ version }) => version)) + 1,
  }))
  const absorbed = planned.flatMap((each) => each.absorbed)
  await storeClusters(tx, type, groups, absorbed, orgDefaults)
  const links = planned.flatMap((each) => each.links)
  await moveReferences(tx, type, links, jobs)
  await recordEvents(
    tx,
    merges.flatMap(({ mergeId, survivorId, loserId, fieldsFilled }) => [
      {
        type: `${type.entity}.merged` as const,
        objectId: survivorId,
        changed: fieldsFilled,
        data: { merge_id: mergeId, loser_id: loserId },
      },
      {
        type: `${type.entity}.merged` as const,
        objectId: loserId,
        data: { merge_id: mergeId, survivor_id: survivorId },
      },
    ]),
  )
  return planned.map((each) => each.links.map(({ mergeId }) => mergeId))
}

function stepsOf(
  type: RecordType,
  { survivor, losers, choices }: LockedOrder,
  survivorship: Readonly<Record<string, string>>,
  seqs: Iterator<number>,
): Steps {
  const survivorId = survivor.recordId
  const loserIds = losers.map(({ stored }) => stored.recordId)
  const policies = policiesOf(type, survivorship, { survivorId, loserIds, choices })
  let cluster = clusterOf(type, survivor)
  const steps: Steps = {
    survivor,
    absorbed: losers.map(({ stored }) => stored),
    clusters: [cluster],
    links: [],
  }
  const ids = losers.map(() => newId())
  for (const [index, { stored, reason }] of losers.entries()) {
    const own = clusterOf(type, stored)
    const refusal = joinRefusal(type, cluster, own)
    if (refusal) throw refusal
    const link = {
      mergeId: ids[index] ?? newId(),
      loserId: stored.recordId,
      survivorId,
      seq: seqs.next().value ?? 0,
      policies: policies[index] ?? null,
    }
    cluster = joinClusters(cluster, own, link)
    steps.clusters.push(cluster)
    const groupId = ids[0] ?? link.mergeId
    steps.links.push({ ...link, groupId, reason, rawIds: [...own.members.keys()] })
  }
  return steps
}

/** Shows canonical ids in references, each id once. */
function answerColumns({ references, links }: RecordType, state: StoredColumns): StoredColumns {
  const read = { ...state }
  for (const { rawColumn, column } of references) read[rawColumn] = state[column]
  for (const { rawColumn, column } of links) {
    read[rawColumn] = [...new Set(state[column] as string[])]
    read[column] = read[rawColumn]
  }
  return read
}

async function moveReferences(
  tx: OrgTx,
  type: RecordType,
  links: readonly NewLink[],
  jobs: Jobs,
): Promise<void> {
  const referred = await referredAmong(
    tx,
    type,
    links.map(({ loserId }) => loserId),
  )
  for (const { mergeId, rawIds, loserId, survivorId } of links) {
    if (!referred.has(loserId)) continue
    const move = { rawIds, from: loserId, to: survivorId }
    await saveMovedCount(tx, mergeId, await moveReferencesOrEnqueue(tx, type, move, mergeId, jobs))
  }
}
