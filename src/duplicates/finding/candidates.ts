import type { Tx } from '../../platform/db/tx.ts'
import { readRecords, unknownRecord } from '../../records/lock.ts'
import { readRoots } from '../../records/root.ts'
import { type Judged, judge } from '../deciding/judge.ts'
import { readJudging } from '../deciding/judging.ts'
import { openProposals } from '../deciding/proposals.ts'
import { readSubjects, type Subject } from '../deciding/subjects.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { namesOf } from '../merges.ts'
import { differing } from '../verdicts.ts'
import { lookUpOthers } from './look-up.ts'
import type { Candidate } from './schema.ts'

const saidDifferent = 'somebody said that the two are different'
const order = ['none', 'review', 'auto']

/**
 * The records that are most like one, whatever the thresholds say, and what the engine makes of each: the likeliest first.
 * @throws Problem 404
 */
export async function findCandidates(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordId: string,
  limit: number,
): Promise<Candidate[]> {
  const type = recordTypes[entityType]
  const rootId = (await readRoots(tx, orgId, entityType, [recordId])).get(recordId)
  const [stored] = rootId === undefined ? [] : await readRecords(tx, orgId, type, [rootId])
  if (!stored) throw unknownRecord(type)
  const [judging, near, open] = await Promise.all([
    readJudging(tx, orgId, entityType),
    lookUpOthers(tx, orgId, entityType, [stored]),
    openProposals(tx, orgId, entityType, [stored.recordId]),
  ])
  const proposed = new Map(
    open.map((each) => [each.survivor_id === rootId ? each.loser_id : each.survivor_id, each.merge_id]),
  )
  const ids = [stored.recordId, ...(near.idsOf.get(stored.recordId) ?? []), ...proposed.keys()]
  const subjects = await readSubjects(tx, orgId, entityType, judging.matcher, ids, {
    archived: stored.recordId,
  })
  const subject = subjects.get(stored.recordId)!
  const others = [...subjects.values()].filter((other) => other !== subject)
  const apart = await saidOf(tx, orgId, entityType, subject, others)
  const judged = others.map((other) => ({
    other,
    judged: best(subject, other, (one, two) => judge(entityType, judging, one.portrait, two.portrait)),
  }))
  const found = judged
    .map(({ other, judged }) => ({
      other,
      judged: apart.has(other)
        ? { ...judged, veto: saidDifferent, outcome: 'none' as const, wouldApply: false }
        : judged,
    }))
    .sort((a, b) => compare(a.judged, b.judged) || (a.other.rootId < b.other.rootId ? -1 : 1))
    .slice(0, limit)
  const names = await namesOf(
    tx,
    orgId,
    entityType,
    found.map(({ other }) => other.rootId),
  )
  return found.map(({ other, judged: { score, rule, evidence, veto, outcome, wouldApply } }) => ({
    record_id: other.rootId,
    name: names.get(other.rootId)?.name ?? null,
    score,
    rule,
    evidence,
    veto,
    outcome,
    would_apply: wouldApply,
    merge_id: proposed.get(other.rootId) ?? null,
  }))
}

const compare = (a: Judged, b: Judged) =>
  order.indexOf(b.outcome) - order.indexOf(a.outcome) || b.weight - a.weight

/** What speaks most for two records being one, of all that each stands for. */
function best(
  one: Subject,
  other: Subject,
  judgeTwo: (one: Subject['members'][number], other: Subject['members'][number]) => Judged,
): Judged {
  return one.members.flatMap((a) => other.members.map((b) => judgeTwo(a, b))).sort(compare)[0]!
}

/** The ones that somebody said to be different from a record, or from any that either stands for. */
async function saidOf(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  subject: Subject,
  others: readonly Subject[],
): Promise<Set<Subject>> {
  const ownerOf = new Map(
    [subject, ...others].flatMap((each) => each.members.map(({ recordId }) => [recordId, each] as const)),
  )
  const pairs = await differing(tx, orgId, entityType, [...ownerOf.keys()])
  const owners = pairs.map((pair) => pair.map((id) => ownerOf.get(id)!))
  return new Set(
    owners
      .filter((pair) => pair.includes(subject))
      .flat()
      .filter((each) => each !== subject),
  )
}
