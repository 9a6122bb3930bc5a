import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../platform/db/tx.ts'
import { hold } from '../deciding/consider.ts'
import { judge } from '../deciding/judge.ts'
import { type Considering, type Proposal, pairName, planFor } from '../deciding/plan.ts'
import { openProposals, replaceProposals } from '../deciding/proposals.ts'
import { childrenOf, readSubjects, type Subject } from '../deciding/subjects.ts'
import type { EntityType } from '../entities.ts'
import { differing } from '../verdicts.ts'

/** What became of a lot of groups: proposals, and the groups in which something is to be merged. */
export type Decided = { opened: number; closed: number; merging: string[][] }

// Requests move on in between.
const groupsPerStep = 10

/**
 * Decides about groups of records that may be the same within each group, as `consider` does, in few statements for all
 * of them; groups in which records are to be merged are left to that.
 */
export async function decideLot(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  groups: readonly string[][],
): Promise<Decided> {
  const judging = await hold(tx, orgId, entityType)
  const ids = groups.flat()
  const [subjects, open] = await Promise.all([
    readSubjects(tx, orgId, entityType, judging.matcher, ids),
    openProposals(tx, orgId, entityType, ids),
  ])
  const memberIds = [...subjects.values()].flatMap(({ members }) => members.map(({ recordId }) => recordId))
  const [pairs, children] = await Promise.all([
    differing(tx, orgId, entityType, memberIds),
    childrenOf(tx, orgId, entityType, [...subjects.keys()]),
  ])
  const considering: Omit<Considering, 'subjects'> = {
    judge: (one, other) => judge(entityType, judging, one.portrait, other.portrait),
    different: new Set(pairs.map(([one, other]) => pairName(one, other))),
    children,
  }
  const groupOf = new Map(groups.flatMap((group) => group.map((id) => [id, group] as const)))
  const shadows: Proposal[] = []
  const merging: string[][] = []
  for (const [index, group] of groups.entries()) {
    if (index % groupsPerStep === groupsPerStep - 1) await setImmediate()
    const members = group.map((id) => subjects.get(id)).filter((each): each is Subject => each !== undefined)
    if (members.length < 2) continue
    const plan = planFor({ ...considering, subjects: members })
    if (plan.merges.length > 0) merging.push(group)
    else shadows.push(...plan.shadows)
  }
  const own = open.filter((each) => {
    const group = groupOf.get(each.survivor_id)
    return group !== undefined && group === groupOf.get(each.loser_id) && !merging.includes(group)
  })
  return { ...(await replaceProposals(tx, orgId, entityType, own, shadows)), merging }
}
