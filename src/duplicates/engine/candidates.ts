import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { readRecords, unknownRecord } from '../../records/lock.ts'
import { recordTypes } from '../entities.ts'
import { namesOf } from '../merge/merges.ts'
import { differentPairs } from '../merge/verdicts.ts'
import { type CanonicalRecord, readCanonicalRecords } from './canonical-records.ts'
import { readDecisionModel } from './decision-model.ts'
import { findKeySharers } from './find-key-sharers.ts'
import { type Judgment, judge } from './judge.ts'
import { openProposals } from './proposals.ts'
import type { Candidate } from './schema.ts'

const verdictVeto = 'a person decided that the two are different'
const order = ['none', 'review', 'auto']

/**
 * Finds the records that are most similar to one record, with the engine's judgment of each. Scores below the
 * thresholds are included. The most likely duplicates come first.
 * @throws DomainError not_found
 */
export async function findCandidates(
  tx: OrgTx,
  entityType: EntityType,
  recordId: string,
  limit: number,
): Promise<Candidate[]> {
  const type = recordTypes[entityType]
  const rootId = (await readCanonicalIds(tx, entityType, [recordId])).get(recordId)
  const [stored] = rootId === undefined ? [] : await readRecords(tx, type, [rootId])
  if (!stored) throw unknownRecord(type)
  const [model, sharers, open] = await Promise.all([
    readDecisionModel(tx, entityType),
    findKeySharers(tx, entityType, [stored]),
    openProposals(tx, entityType, [stored.recordId]),
  ])
  const proposed = new Map(
    open.map((each) => [each.survivor_id === rootId ? each.loser_id : each.survivor_id, each.merge_id]),
  )
  const ids = [stored.recordId, ...(sharers.get(stored.recordId) ?? []), ...proposed.keys()]
  const records = await readCanonicalRecords(tx, entityType, model.matcher, ids, {
    archived: stored.recordId,
  })
  const record = records.get(stored.recordId)
  if (!record) throw unknownRecord(type)
  const others = [...records.values()].filter((other) => other !== record)
  const different = await differentFrom(tx, entityType, record, others)
  const found = others
    .flatMap((other) => {
      const judgments = record.members.flatMap((a) =>
        other.members.map((b) => judge(entityType, model, a.comparable, b.comparable)),
      )
      const [best] = judgments.sort(strongestFirst)
      if (!best) return []
      const refused = { veto: verdictVeto, outcome: 'none' as const, wouldApply: false }
      return [{ other, judgment: different.has(other) ? { ...best, ...refused } : best }]
    })
    .sort((a, b) => strongestFirst(a.judgment, b.judgment) || (a.other.rootId < b.other.rootId ? -1 : 1))
    .slice(0, limit)
  const names = await namesOf(
    tx,
    entityType,
    found.map(({ other }) => other.rootId),
  )
  return found.map(({ other, judgment: { score, rule, evidence, veto, outcome, wouldApply } }) => ({
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

const strongestFirst = (a: Judgment, b: Judgment) =>
  order.indexOf(b.outcome) - order.indexOf(a.outcome) || b.weight - a.weight

/** The records that have the verdict `different` with a record. A verdict about any member of the two clusters counts. */
async function differentFrom(
  tx: OrgTx,
  entityType: EntityType,
  record: CanonicalRecord,
  others: readonly CanonicalRecord[],
): Promise<Set<CanonicalRecord>> {
  const ownerOf = new Map(
    [record, ...others].flatMap((each) => each.members.map(({ recordId }) => [recordId, each] as const)),
  )
  const pairs = await differentPairs(tx, entityType, [...ownerOf.keys()])
  const owners = pairs.map((pair) => pair.flatMap((id) => ownerOf.get(id) ?? []))
  return new Set(
    owners
      .filter((pair) => pair.includes(record))
      .flat()
      .filter((each) => each !== record),
  )
}
