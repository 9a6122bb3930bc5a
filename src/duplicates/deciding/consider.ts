import type { Actor } from '../../events/record.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { keyHash } from '../../records/keys.ts'
import { lockRecords } from '../../records/lock.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { mergeRecords } from '../merge.ts'
import { differing } from '../verdicts.ts'
import { type Judging, judge } from './judge.ts'
import type { Considered } from './judgement.ts'
import { readJudging } from './judging.ts'
import { type Plan, type Proposal, pairName, planFor } from './plan.ts'
import { type OpenProposal, openProposals, openProposalsAfter, replaceProposals } from './proposals.ts'
import { childrenOf, readSubjects, type Subject, standingFor } from './subjects.ts'

/** Records that are compared with one another at once, each with all others. */
const comparedMost = 200
/** How often records that change while a merge waits for their locks are looked at again. */
const looksMost = 3

/** The engine merges in nobody's name. */
const engine = (orgId: string): Actor => ({ orgId, mode: 'live', apiKeyId: null })

const nothing: Considered = { opened: 0, closed: 0, merged: 0 }

/**
 * Compares a record with others that may be the same, and those with one another and with what is proposed of any of them,
 * and does what the org's settings say: merges, proposes, or withdraws what nothing speaks for any more. Of a record
 * that was merged, the one that stands for it; of one that is archived or erased all proposals are withdrawn.
 */
export async function reconsider(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordId: string,
  candidateIds: readonly string[],
  jobs: Jobs,
): Promise<Considered> {
  const judging = await hold(tx, orgId, entityType)
  const [subjects, standing] = await Promise.all([
    readSubjects(tx, orgId, entityType, judging.matcher, [recordId, ...candidateIds]),
    standingFor(tx, orgId, entityType, [recordId]),
  ])
  const rootId = standing.get(recordId) ?? recordId
  const subject = subjects.get(rootId)
  const related = subject
    ? [...subjects.values()].filter(
        (other) => other !== subject && isRelated(entityType, judging, subject, other),
      )
    : []
  const group = new Set([recordId, rootId, ...related.map((other) => other.rootId)])
  return considerGroup(tx, orgId, entityType, judging, [...group], jobs, subjects)
}

/** The same for groups of records that may be the same within each group: what a scan found, some groups at a time. */
export async function consider(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  groups: readonly (readonly string[])[],
  jobs: Jobs,
): Promise<Considered> {
  const judging = await hold(tx, orgId, entityType)
  let sum = nothing
  for (const group of groups) sum = add(sum, await considerGroup(tx, orgId, entityType, judging, group, jobs))
  return sum
}

/**
 * Looks again at a lot of what is proposed, as settings or the model may have changed since.
 * @param after the last id of the lot before; the zero UUID first
 * @returns the last id of this one; null: there is no more
 */
export async function reconsiderOpen(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  after: string,
  jobs: Jobs,
  limit = 100,
): Promise<{ last: string | null; considered: Considered }> {
  const lot = await openProposalsAfter(tx, orgId, entityType, after, limit)
  const groups = lot.map(({ survivor_id, loser_id }) => [survivor_id, loser_id])
  const considered = await consider(tx, orgId, entityType, groups, jobs)
  return { last: lot.length < limit ? null : lot.at(-1)!.merge_id, considered }
}

const add = (one: Considered, other: Considered): Considered => ({
  opened: one.opened + other.opened,
  closed: one.closed + other.closed,
  merged: one.merged + other.merged,
})

/** One run at a time decides for an org, on what is there now: two would each miss what the other is about to say. */
export async function hold(tx: Tx, orgId: string, entityType: EntityType): Promise<Judging> {
  const lock = keyHash({ kind: 'duplicates', value: `${orgId} ${entityType}` })
  const [, judging] = await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lock] }),
    readJudging(tx, orgId, entityType),
  ])
  return judging
}

export function isRelated(entityType: EntityType, judging: Judging, one: Subject, other: Subject): boolean {
  return one.members.some((a) =>
    other.members.some((b) => judge(entityType, judging, a.portrait, b.portrait).outcome !== 'none'),
  )
}

/** @param known what was just read of some of them */
async function considerGroup(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  judging: Judging,
  recordIds: readonly string[],
  jobs: Jobs,
  known: ReadonlyMap<string, Subject> = new Map(),
): Promise<Considered> {
  for (let looks = 1, read = known; ; looks++, read = new Map()) {
    const { ids, open } = await withProposed(tx, orgId, entityType, recordIds)
    if (ids.length < 2) return nothing
    const fresh = ids.filter((id) => !read.has(id))
    const others = await readSubjects(tx, orgId, entityType, judging.matcher, fresh)
    const subjects = new Map([...[...read].filter(([id]) => ids.includes(id)), ...others])
    const plan = await makePlan(tx, orgId, entityType, judging, [...subjects.values()])
    const isSettled = await holdFor(tx, orgId, entityType, plan, subjects)
    if (!isSettled && looks < looksMost) continue
    // What keeps changing is looked at again after each of its changes.
    const merges = isSettled ? plan.merges : []
    const shadows = isSettled ? plan.shadows : [...plan.shadows, ...plan.merges]
    const replaced = await replaceProposals(tx, orgId, entityType, open, shadows)
    for (const { survivorId, loserId, why } of merges) {
      const order = { entityType, survivorId, loserIds: [loserId], why: { method: 'auto' as const, ...why } }
      await mergeRecords(tx, engine(orgId), order, jobs)
    }
    return { ...replaced, merged: merges.length }
  }
}

/** Some records with all that they are proposed to be the same as, and so on; and these proposals, among them alone. */
async function withProposed(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<{ ids: string[]; open: OpenProposal[] }> {
  const ids = new Set(recordIds.slice(0, comparedMost))
  const open = new Map<string, OpenProposal>()
  for (let fresh = [...ids]; fresh.length > 0; ) {
    const found = await openProposals(tx, orgId, entityType, fresh)
    fresh = []
    for (const each of found) {
      open.set(each.merge_id, each)
      for (const id of [each.survivor_id, each.loser_id]) {
        if (ids.has(id) || ids.size >= comparedMost) continue
        ids.add(id)
        fresh.push(id)
      }
    }
  }
  const among = [...open.values()].filter((each) => ids.has(each.survivor_id) && ids.has(each.loser_id))
  return { ids: [...ids], open: among }
}

async function makePlan(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  judging: Judging,
  subjects: readonly Subject[],
): Promise<Plan> {
  if (subjects.length < 2) return { merges: [], shadows: [] }
  const memberIds = subjects.flatMap(({ members }) => members.map(({ recordId }) => recordId))
  const [pairs, children] = await Promise.all([
    differing(tx, orgId, entityType, memberIds),
    childrenOf(
      tx,
      orgId,
      entityType,
      subjects.map(({ rootId }) => rootId),
    ),
  ])
  return planFor({
    subjects,
    judge: (one, other) => judge(entityType, judging, one.portrait, other.portrait),
    different: new Set(pairs.map(([one, other]) => pairName(one, other))),
    children,
  })
}

/** Locks what is to be merged; false if any of it changed since it was read. */
async function holdFor(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  { merges }: Plan,
  subjects: ReadonlyMap<string, Subject>,
): Promise<boolean> {
  const ids = [...new Set(merges.flatMap(({ survivorId, loserId }: Proposal) => [survivorId, loserId]))]
  if (ids.length === 0) return true
  const locked = await lockRecords(tx, orgId, recordTypes[entityType], ids, { ends: true })
  const versions = new Map(locked.map(({ recordId, version }) => [recordId, version]))
  return ids.every((id) => versions.get(id) === subjects.get(id)!.version)
}
