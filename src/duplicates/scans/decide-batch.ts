import { isDeepStrictEqual } from 'node:util'
import type { EntityType } from '../../matching/entity-type.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { countReferrersOf, readVersions } from '../engine/canonical-records.ts'
import { readCompared } from '../engine/compared-records.ts'
import { type DecisionCounts, decideGroups, lockDecisions } from '../engine/decide.ts'
import { namesOfDifferentPairs } from '../engine/different-pairs.ts'
import { comparedTogether } from '../engine/pair-limit.ts'
import type { MergePlan } from '../engine/plan.ts'
import { openProposalsAmong, replaceProposals } from '../engine/proposals.ts'
import type { EngineSettings } from '../settings.ts'
import type { PlanThreads } from './plan-threads.ts'

type PlannedGroup = { ids: string[]; plan: MergePlan }

/** The plans of some groups, and the data that they depend on. */
export type PlannedBatch = {
  groups: readonly PlannedGroup[]
  versions: ReadonlyMap<string, number>
  memberIds: string[]
  different: ReadonlySet<string>
  settings: EngineSettings
}

/** The state at the start of a scan. */
export type ScanInput = { settings: EngineSettings; total: number }

/** Plans the merges of a batch of groups, without locks. Leaves out records that are too large to be compared. */
export async function planBatch(
  org: Org,
  threads: PlanThreads,
  entityType: EntityType,
  { settings, total }: ScanInput,
  found: readonly string[][],
): Promise<PlannedBatch> {
  const { groups, stored, different, referrers, memberIds } = await org.read(async (tx) => {
    const read = await readCompared(tx, entityType, found.flat())
    const byId = new Map(read.map((record) => [record.recordId, record]))
    const groups = found.map((group) =>
      comparedTogether(group, (id) => byId.get(id)?.cluster?.members.size ?? 1),
    )
    const ids = groups.flat()
    const stored = ids.flatMap((id) => byId.get(id) ?? [])
    const memberIds = stored.flatMap(({ recordId, cluster }) => [...(cluster?.members.keys() ?? [recordId])])
    const [different, referrers] = await Promise.all([
      namesOfDifferentPairs(tx, entityType, memberIds),
      countReferrersOf(tx, entityType, ids),
    ])
    return { groups, stored, different, referrers, memberIds }
  })
  const plans = await threads.plan(org.orgId, {
    entityType,
    settings,
    total,
    stored,
    groups,
    different,
    referrers,
  })
  const versions = new Map(stored.map(({ recordId, version }) => [recordId, version]))
  const planned = plans.flatMap((plan, index) => groups.slice(index, index + 1).map((ids) => ({ ids, plan })))
  return { groups: planned, versions, memberIds, different, settings }
}

/**
 * Replaces the open proposals of planned groups. Decides again if a record, a verdict or the settings changed since
 * planning.
 * @returns `merging`: the groups that need a merge, which are unchanged
 */
export async function proposeBatch(
  tx: OrgTx,
  entityType: EntityType,
  batch: PlannedBatch,
  jobs: Jobs,
): Promise<{ counts: DecisionCounts; merging: string[][] }> {
  const { settings } = await lockDecisions(tx, entityType)
  const ids = batch.groups.flatMap((group) => group.ids)
  const [versions, different, open] = await Promise.all([
    readVersions(tx, entityType, ids),
    namesOfDifferentPairs(tx, entityType, batch.memberIds),
    openProposalsAmong(tx, entityType, ids),
  ])
  const isUnchanged =
    isDeepStrictEqual(settings, batch.settings) &&
    versions.size === batch.versions.size &&
    [...versions].every(([id, version]) => batch.versions.get(id) === version) &&
    different.symmetricDifference(batch.different).size === 0
  if (!isUnchanged) {
    const groups = batch.groups.map((group) => group.ids)
    return { counts: await decideGroups(tx, entityType, groups, jobs), merging: [] }
  }
  const merging = batch.groups.filter(({ plan }) => plan.merges.length > 0)
  const proposing = batch.groups.filter(({ plan }) => plan.merges.length === 0)
  const groupOf = new Map(batch.groups.flatMap((group) => group.ids.map((id) => [id, group] as const)))
  const own = open.filter(({ survivor_id, loser_id }) => {
    const group = groupOf.get(survivor_id)
    return group?.plan.merges.length === 0 && group === groupOf.get(loser_id)
  })
  const wanted = proposing.flatMap(({ plan }) => plan.proposals)
  const replaced = await replaceProposals(tx, entityType, own, wanted)
  return { counts: { ...replaced, merged: 0 }, merging: merging.map((group) => group.ids) }
}
