import { isDeepStrictEqual } from 'node:util'
import type { Org } from '../../platform/db/org.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Considered, consider, hold } from '../deciding/consider.ts'
import { type Plan, pairName } from '../deciding/plan.ts'
import { openProposalsAmong, replaceProposals } from '../deciding/proposals.ts'
import { childrenOf, readVersions } from '../deciding/subjects.ts'
import type { EntityType } from '../entities.ts'
import type { Settings } from '../settings.ts'
import { differing } from '../verdicts.ts'
import type { PlanThreads } from './plan-threads.ts'
import { readCompared } from './records.ts'

/** Groups of records, what follows from comparing those of each, and what that was founded on. */
export type PlannedLot = {
  groups: readonly string[][]
  plans: Plan[]
  versions: ReadonlyMap<string, number>
  memberIds: string[]
  different: ReadonlySet<string>
  settings: Settings
}

/** How the records of an org are judged during a scan. */
export type LotJudging = { settings: Settings; total: number }

/** Reads the records of groups, and has them compared. Nothing is held meanwhile. */
export async function planLot(
  org: Org,
  threads: PlanThreads,
  entityType: EntityType,
  { settings, total }: LotJudging,
  groups: readonly string[][],
): Promise<PlannedLot> {
  const { orgId } = org
  const ids = groups.flat()
  const { stored, different, children, memberIds } = await org.read(async (tx) => {
    const stored = await readCompared(tx, orgId, entityType, ids)
    const memberIds = stored.flatMap(({ recordId, cluster }) => [...(cluster?.members.keys() ?? [recordId])])
    const [different, children] = await Promise.all([
      differences(tx, orgId, entityType, memberIds),
      childrenOf(tx, orgId, entityType, ids),
    ])
    return { stored, different, children, memberIds }
  })
  const plans = await threads.plan({ entityType, settings, total, stored, groups, different, children })
  const versions = new Map(stored.map(({ recordId, version }) => [recordId, version]))
  return { groups, plans, versions, memberIds, different, settings }
}

/**
 * Proposes what was planned, and withdraws what is not said any more; where a record, a word about it or the settings
 * changed since, the groups are looked at again. Groups in which records are to be merged are left: they are answered.
 */
export async function proposeLot(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  lot: PlannedLot,
  jobs: Parameters<typeof consider>[4],
): Promise<{ considered: Considered; merging: string[][] }> {
  const { settings } = await hold(tx, orgId, entityType)
  const ids = lot.groups.flat()
  const [versions, different, open] = await Promise.all([
    readVersions(tx, orgId, entityType, ids),
    differences(tx, orgId, entityType, lot.memberIds),
    openProposalsAmong(tx, orgId, entityType, ids),
  ])
  const isSettled =
    isDeepStrictEqual(settings, lot.settings) &&
    versions.size === lot.versions.size &&
    [...versions].every(([id, version]) => lot.versions.get(id) === version) &&
    different.symmetricDifference(lot.different).size === 0
  if (!isSettled) {
    return { considered: await consider(tx, orgId, entityType, lot.groups, jobs), merging: [] }
  }
  const merging = lot.groups.filter((_group, index) => lot.plans[index]!.merges.length > 0)
  const shadows = lot.plans.flatMap((plan) => (plan.merges.length > 0 ? [] : plan.shadows))
  const groupOf = new Map(lot.groups.flatMap((group) => group.map((id) => [id, group] as const)))
  const own = open.filter(({ survivor_id, loser_id }) => {
    const group = groupOf.get(survivor_id)
    return group !== undefined && group === groupOf.get(loser_id) && !merging.includes(group)
  })
  const replaced = await replaceProposals(tx, orgId, entityType, own, shadows)
  return { considered: { ...replaced, merged: 0 }, merging }
}

async function differences(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const pairs = await differing(tx, orgId, entityType, recordIds)
  return new Set(pairs.map(([one, other]) => pairName(one, other)))
}
