import type { EntityType } from '../../matching/entity-type.ts'
import type { Matcher } from '../../matching/schema.ts'
import { lockExclusive } from '../../platform/db/advisory-lock.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { inSlices } from '../../platform/slices.ts'
import { lockRecords } from '../../records/lock.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { mergeRecords } from '../merge/merge.ts'
import {
  type CanonicalRecord,
  countReferrersOf,
  readCanonicalRecords,
  readVersions,
} from './canonical-records.ts'
import { readDecisionModel } from './decision-model.ts'
import { namesOfDifferentPairs } from './different-pairs.ts'
import { couldMatch, type DecisionModel, judge } from './judge.ts'
import { proposeForLimited } from './limited-members.ts'
import { comparedTogether } from './pair-limit.ts'
import { type MergePlan, planMerges } from './plan.ts'
import { type OpenProposal, openProposals, replaceProposals } from './proposals.ts'

/** The maximum number of records to compare with one another. */
const comparedMax = 200
/** The maximum number of attempts. A decision starts again if records changed while it waited for their locks. */
const attemptsMax = 3

export type DecisionCounts = {
  /** Proposals that were opened, and proposals that were closed because they no longer apply. */
  opened: number
  closed: number
  /** The number of absorbed records. */
  merged: number
}

const noDecisions: DecisionCounts = { opened: 0, closed: 0, merged: 0 }

type Run = {
  tx: OrgTx
  entityType: EntityType
  model: DecisionModel
  jobs: Jobs
  mayMerge: boolean
}

/** Groups of records that were read before the lock, and the matcher that prepared them. */
export type PreparedGroups = {
  matcher: Matcher
  records: ReadonlyMap<string, CanonicalRecord>
  groups: readonly string[][]
}

type Relations = {
  open: OpenProposal[]
  records: ReadonlySet<CanonicalRecord>
  different: ReadonlySet<string>
  referrers: ReadonlyMap<string, number>
}

/**
 * Compares the records of each group, and all records proposed as their duplicates. Then merges, proposes or closes
 * proposals according to the org's settings. Closes all proposals about archived and erased records. Reads prepared
 * records again only if their versions changed.
 * @param mayMerge false: skip groups that need a merge
 * @returns the skipped groups
 */
export async function decidePrepared(
  tx: OrgTx,
  entityType: EntityType,
  { matcher, records, groups }: PreparedGroups,
  jobs: Jobs,
  mayMerge: boolean,
): Promise<string[][]> {
  const [firstGroup] = groups
  if (!firstGroup) return []
  const read = [...new Set(groups.flat())].flatMap((id) => records.get(id) ?? [])
  // Send all statements in one round trip. They run in order, so the reads see everything that was committed before the
  // lock.
  const [model, versions, firstOpen, relations] = await Promise.all([
    lockDecisions(tx, entityType),
    readVersions(
      tx,
      entityType,
      read.map(({ rootId }) => rootId),
    ),
    openProposals(tx, entityType, comparedOf(firstGroup)),
    readRelations(tx, entityType, read),
  ])
  const run: Run = { tx, entityType, model, jobs, mayMerge }
  const isCurrent = ({ rootId, version }: CanonicalRecord) =>
    model.matcher === matcher && versions.get(rootId) === version
  const current = new Map(read.filter(isCurrent).map((record) => [record.rootId, record]))
  const skipped: string[][] = []
  for (const group of groups) {
    const open = group === firstGroup ? firstOpen : await openProposals(tx, entityType, comparedOf(group))
    const decided = await decideGroup(run, group, current, { ...relations, open })
    if (decided === null) skipped.push(group)
  }
  return skipped
}

/** Reads the records of the groups, then decides like `decidePrepared`. */
export async function decideGroups(
  tx: OrgTx,
  entityType: EntityType,
  groups: readonly (readonly string[])[],
  jobs: Jobs,
): Promise<DecisionCounts> {
  const model = await lockDecisions(tx, entityType)
  const run: Run = { tx, entityType, model, jobs, mayMerge: true }
  let sum = noDecisions
  for (const group of groups) sum = addCounts(sum, (await decideGroup(run, group)) ?? noDecisions)
  return sum
}

const addCounts = (one: DecisionCounts, other: DecisionCounts): DecisionCounts => ({
  opened: one.opened + other.opened,
  closed: one.closed + other.closed,
  merged: one.merged + other.merged,
})

/** Locks the decisions of an org and record type. Concurrent transactions would not see each other's proposals. */
export async function lockDecisions(tx: OrgTx, entityType: EntityType): Promise<DecisionModel> {
  const [, model] = await Promise.all([
    lockExclusive(tx, `duplicates of ${entityType} ${tx.orgId}`),
    readDecisionModel(tx, entityType),
  ])
  return model
}

/**
 * Returns whether the engine would merge or propose the records. Each can have 500 ids, so the caller can pause at each
 * `yield`.
 */
export function* needsDecision(
  entityType: EntityType,
  model: DecisionModel,
  one: CanonicalRecord,
  other: CanonicalRecord,
): Generator<undefined, boolean> {
  for (const a of one.members)
    for (const b of other.members) {
      const isFound =
        couldMatch(entityType, model, a.comparable, b.comparable) &&
        judge(entityType, model, a.comparable, b.comparable).outcome !== 'none'
      if (isFound) return true
      yield
    }
  return false
}

/**
 * @param known records that were read, and have not changed since
 * @param relations the relations of these records
 * @returns null if the group needs a merge and this run may not merge
 */
async function decideGroup(
  run: Run,
  recordIds: readonly string[],
  known: ReadonlyMap<string, CanonicalRecord> = new Map(),
  relations: Relations | null = null,
): Promise<DecisionCounts | null> {
  const { tx, entityType, model, jobs } = run
  for (let attempt = 1, read = known, given = relations; ; attempt++, read = new Map(), given = null) {
    const { ids, open } = await withProposed(run, recordIds, given?.open)
    if (ids.length < 2) return noDecisions
    const missing = ids.filter((id) => !read.has(id))
    const others = await readCanonicalRecords(tx, entityType, model.matcher, missing)
    const records = new Map([...[...read].filter(([id]) => ids.includes(id)), ...others])
    const inOrder = new Set([...ids.flatMap((id) => records.get(id) ?? []), ...records.values()])
    const compared = comparedTogether([...inOrder], ({ members }) => members.length)
    const plan = await makePlan(run, compared, given)
    if (plan.merges.length > 0 && !run.mayMerge) return null
    const isUnchanged = await lockPlanned(tx, entityType, plan, records)
    if (!isUnchanged && attempt < attemptsMax) continue
    // If a record changes again and again, only propose: each change enqueues another check.
    const merges = isUnchanged ? plan.merges : []
    const proposals = isUnchanged ? plan.proposals : [...plan.proposals, ...plan.merges]
    // Proposals about records that are too large to be compared stay as they are.
    const isLeftOut = (id: string) => records.has(id) && !compared.some(({ rootId }) => rootId === id)
    const decided = open.filter((each) => !isLeftOut(each.survivor_id) && !isLeftOut(each.loser_id))
    const replaced = await replaceProposals(tx, entityType, decided, proposals)
    for (const { survivorId, loserId, reason } of merges) {
      const order = {
        entityType,
        survivorId,
        loserIds: [loserId],
        reason: { method: 'auto' as const, ...reason },
      }
      await mergeRecords(tx, order, jobs)
    }
    return { ...replaced, merged: merges.length }
  }
}

const comparedOf = (recordIds: readonly string[]) => recordIds.slice(0, comparedMax)

/**
 * Adds records proposed as duplicates of some records, then those records' duplicates, and so on, up to 200.
 * @param first the open proposals about the records themselves, if known
 * @returns all records, and the open proposals among them
 */
async function withProposed(
  { tx, entityType }: Run,
  recordIds: readonly string[],
  first?: readonly OpenProposal[],
): Promise<{ ids: string[]; open: OpenProposal[] }> {
  const ids = new Set(comparedOf(recordIds))
  const open = new Map<string, OpenProposal>()
  let found = first
  for (let added = [...ids]; added.length > 0; found = undefined) {
    found ??= await openProposals(tx, entityType, added)
    added = []
    for (const each of found) {
      open.set(each.merge_id, each)
      for (const id of [each.survivor_id, each.loser_id]) {
        if (ids.has(id) || ids.size >= comparedMax) continue
        ids.add(id)
        added.push(id)
      }
    }
  }
  const among = [...open.values()].filter((each) => ids.has(each.survivor_id) && ids.has(each.loser_id))
  return { ids: [...ids], open: among }
}

async function makePlan(
  { tx, entityType, model }: Run,
  records: readonly CanonicalRecord[],
  given: Relations | null,
): Promise<MergePlan> {
  if (records.length < 2) return { merges: [], proposals: [] }
  const isGiven = given !== null && records.every((record) => given.records.has(record))
  const { different, referrers } = isGiven ? given : await readRelations(tx, entityType, records)
  const planning = planMerges({
    records,
    judge: (one, other) => judge(entityType, model, one.comparable, other.comparable),
    different,
    referrers,
  })
  return proposeForLimited(tx, entityType, await inSlices(tx.payerId, planning))
}

async function readRelations(
  tx: OrgTx,
  entityType: EntityType,
  records: readonly CanonicalRecord[],
): Promise<Omit<Relations, 'open'>> {
  const memberIds = records.flatMap(({ members }) => members.map(({ recordId }) => recordId))
  const rootIds = records.map(({ rootId }) => rootId)
  const [different, referrers] = await Promise.all([
    namesOfDifferentPairs(tx, entityType, memberIds),
    countReferrersOf(tx, entityType, rootIds),
  ])
  return { records: new Set(records), different, referrers }
}

/** @returns false if a record changed since it was read */
async function lockPlanned(
  tx: OrgTx,
  entityType: EntityType,
  { merges }: MergePlan,
  records: ReadonlyMap<string, CanonicalRecord>,
): Promise<boolean> {
  const ids = [...new Set(merges.flatMap(({ survivorId, loserId }) => [survivorId, loserId]))]
  if (ids.length === 0) return true
  const type = recordTypes[entityType]
  await lockReferencesOf(tx, type, ids)
  const locked = await lockRecords(tx, type, ids, { forDelete: true })
  const versions = new Map(locked.map(({ recordId, version }) => [recordId, version]))
  return ids.every((id) => versions.has(id) && versions.get(id) === records.get(id)?.version)
}
