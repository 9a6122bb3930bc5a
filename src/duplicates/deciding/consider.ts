import type { Actor } from '../../events/record.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { keyHash } from '../../records/keys.ts'
import { lockRecords } from '../../records/lock.ts'
import { holdReferenced } from '../../records/references.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import type { Matcher } from '../matcher/schema.ts'
import { mergeRecords } from '../merge.ts'
import { differing } from '../verdicts.ts'
import { type Judging, judge, mayBeOne } from './judge.ts'
import { readJudging } from './judging.ts'
import { type Plan, type Proposal, pairName, planFor } from './plan.ts'
import { type OpenProposal, openProposals, replaceProposals } from './proposals.ts'
import { childrenOf, readSubjects, readVersions, type Subject } from './subjects.ts'

/** Records that are compared with one another at once, each with all others. */
const comparedMost = 200
/** How often records that change while a merge waits for their locks are looked at again. */
const looksMost = 3

/** The engine merges in nobody's name. */
const engine = (orgId: string): Actor => ({ orgId, mode: 'live', apiKeyId: null })

/** What a run of the engine did. */
export type Considered = {
  /** Proposals that were opened, and those that were closed since nothing says so any more. */
  opened: number
  closed: number
  /** Records that were merged into another. */
  merged: number
}

const nothing: Considered = { opened: 0, closed: 0, merged: 0 }

/** A decision: what it is made with, and whether records may be merged in its transaction. */
type Run = {
  tx: Tx
  orgId: string
  entityType: EntityType
  judging: Judging
  jobs: Jobs
  mayMerge: boolean
}

/** Records as they were read before anything was held, by the id of each, and what they were read for. */
export type Found = { matcher: Matcher; subjects: ReadonlyMap<string, Subject>; groups: readonly string[][] }

/** What else a decision about some records rests on. */
type Relations = {
  open: OpenProposal[]
  subjects: ReadonlySet<Subject>
  different: ReadonlySet<string>
  children: ReadonlyMap<string, number>
}

/**
 * Compares groups of records that may be the same, within each group, and with what is proposed of any of them, and does
 * what the org's settings say: merges, proposes, or withdraws what nothing speaks for any more. Of a record that is archived
 * or erased all proposals are withdrawn. What was read of the records holds as long as their versions do.
 * @param mayMerge false: nothing is done about groups in which records are to be merged
 * @returns those groups
 */
export async function considerFound(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  { matcher, subjects, groups }: Found,
  jobs: Jobs,
  mayMerge: boolean,
): Promise<string[][]> {
  const read = [...new Set(groups.flat())].flatMap((id) => subjects.get(id) ?? [])
  // In one go: each of these runs once the lock is there.
  const [judging, versions, first, relations] = await Promise.all([
    hold(tx, orgId, entityType),
    readVersions(
      tx,
      orgId,
      entityType,
      read.map(({ rootId }) => rootId),
    ),
    openProposals(tx, orgId, entityType, comparedOf(groups[0]!)),
    readRelations(tx, orgId, entityType, read),
  ])
  const run: Run = { tx, orgId, entityType, judging, jobs, mayMerge }
  const isKnown = (subject: Subject) =>
    judging.matcher === matcher && versions.get(subject.rootId) === subject.version
  const known = new Map(read.filter(isKnown).map((subject) => [subject.rootId, subject]))
  const left: string[][] = []
  for (const group of groups) {
    const open = group === groups[0] ? first : await openProposals(tx, orgId, entityType, comparedOf(group))
    const considered = await considerGroup(run, group, known, { ...relations, open })
    if (considered === null) left.push(group)
  }
  return left
}

/** The same for groups of which nothing was read: what a scan found, some groups at a time. */
export async function consider(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  groups: readonly (readonly string[])[],
  jobs: Jobs,
): Promise<Considered> {
  const judging = await hold(tx, orgId, entityType)
  const run: Run = { tx, orgId, entityType, judging, jobs, mayMerge: true }
  let sum = nothing
  for (const group of groups) sum = add(sum, (await considerGroup(run, group)) ?? nothing)
  return sum
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

/** Whether anything is to be done about two records. */
export function isRelated(entityType: EntityType, judging: Judging, one: Subject, other: Subject): boolean {
  return one.members.some((a) =>
    other.members.some(
      (b) =>
        mayBeOne(entityType, judging, a.portrait, b.portrait) &&
        judge(entityType, judging, a.portrait, b.portrait).outcome !== 'none',
    ),
  )
}

/**
 * @param known what is known of some of them, and holds
 * @param relations what is known of these
 * @returns null: some are to be merged, and may not be in this transaction
 */
async function considerGroup(
  run: Run,
  recordIds: readonly string[],
  known: ReadonlyMap<string, Subject> = new Map(),
  relations: Relations | null = null,
): Promise<Considered | null> {
  const { tx, orgId, entityType, judging, jobs } = run
  for (let looks = 1, read = known, given = relations; ; looks++, read = new Map(), given = null) {
    const { ids, open } = await withProposed(run, recordIds, given?.open)
    if (ids.length < 2) return nothing
    const fresh = ids.filter((id) => !read.has(id))
    const others = await readSubjects(tx, orgId, entityType, judging.matcher, fresh)
    const subjects = new Map([...[...read].filter(([id]) => ids.includes(id)), ...others])
    const plan = await makePlan(run, [...subjects.values()], given)
    if (plan.merges.length > 0 && !run.mayMerge) return null
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

const comparedOf = (recordIds: readonly string[]) => recordIds.slice(0, comparedMost)

/**
 * Some records with all that they are proposed to be the same as, and so on; and these proposals, among them alone.
 * @param first the open proposals about the records themselves, if they are known
 */
async function withProposed(
  { tx, orgId, entityType }: Run,
  recordIds: readonly string[],
  first?: readonly OpenProposal[],
): Promise<{ ids: string[]; open: OpenProposal[] }> {
  const ids = new Set(comparedOf(recordIds))
  const open = new Map<string, OpenProposal>()
  let found = first
  for (let fresh = [...ids]; fresh.length > 0; found = undefined) {
    found ??= await openProposals(tx, orgId, entityType, fresh)
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
  { tx, orgId, entityType, judging }: Run,
  subjects: readonly Subject[],
  given: Relations | null,
): Promise<Plan> {
  if (subjects.length < 2) return { merges: [], shadows: [] }
  const isGiven = given !== null && subjects.every((subject) => given.subjects.has(subject))
  const { different, children } = isGiven ? given : await readRelations(tx, orgId, entityType, subjects)
  return planFor({
    subjects,
    judge: (one, other) => judge(entityType, judging, one.portrait, other.portrait),
    different,
    children,
  })
}

async function readRelations(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  subjects: readonly Subject[],
): Promise<Omit<Relations, 'open'>> {
  const memberIds = subjects.flatMap(({ members }) => members.map(({ recordId }) => recordId))
  const rootIds = subjects.map(({ rootId }) => rootId)
  const [pairs, children] = await Promise.all([
    differing(tx, orgId, entityType, memberIds),
    childrenOf(tx, orgId, entityType, rootIds),
  ])
  const different = new Set(pairs.map(([one, other]) => pairName(one, other)))
  return { subjects: new Set(subjects), different, children }
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
  const type = recordTypes[entityType]
  await holdReferenced(tx, orgId, type, ids)
  const locked = await lockRecords(tx, orgId, type, ids, { ends: true })
  const versions = new Map(locked.map(({ recordId, version }) => [recordId, version]))
  return ids.every((id) => versions.get(id) === subjects.get(id)!.version)
}
