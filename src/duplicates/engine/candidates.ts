import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { paginationOf, startOf } from '../../platform/http/list.ts'
import { inSlices } from '../../platform/slices.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { readRecords, recordNotFound } from '../../records/lock.ts'
import { recordTypes } from '../entities.ts'
import { namesOf } from '../merge/merges.ts'
import { differentPairs } from '../merge/verdicts.ts'
import { type CanonicalRecord, readCanonicalRecords } from './canonical-records.ts'
import { readDecisionModel } from './decision-model.ts'
import { findKeySharers } from './find-key-sharers.ts'
import { type DecisionModel, type Judgment, judge } from './judge.ts'
import { comparedWith } from './pair-limit.ts'
import { openProposals } from './proposals.ts'
import type { Candidate, CandidateQuery } from './schema.ts'

const verdictVeto = 'a person decided that the two are different'
const order: readonly Judgment['outcome'][] = ['none', 'review', 'auto']

type Found = { other: CanonicalRecord; judgment: Judgment }

/**
 * Reads a page of the most similar records, with the engine's judgment of each. Scores below the thresholds are
 * included. The most likely duplicates come first.
 * @throws DomainError not_found; ValidationError at cursor or page
 */
export async function listCandidates(
  tx: OrgTx,
  cursors: Cursors,
  query: CandidateQuery,
): Promise<{ rows: Candidate[]; pagination: Pagination }> {
  const { entity_type: entityType, record_id: recordId } = query
  const list = JSON.stringify(['candidates', entityType, recordId])
  const start = startOf(cursors, tx.orgId, list, query)
  const { found, proposed } = await judgeCandidates(tx, entityType, recordId)
  const sorted = found.toSorted((a, b) => inOrder(placeOf(a), placeOf(b)))
  const after = start.after === null ? null : readPlace(start.after)
  const left = after ? sorted.filter((each) => inOrder(after, placeOf(each)) < 0) : sorted.slice(start.skip)
  const shown = left.slice(0, start.limit)
  const last = shown.at(-1)
  const pagination = paginationOf(cursors, tx.orgId, list, start, {
    last: last ? placeText(placeOf(last)) : null,
    hasNext: left.length > shown.length,
    total: found.length,
  })
  const names = await namesOf(
    tx,
    entityType,
    shown.map(({ other }) => other.rootId),
  )
  const rows = shown.map(({ other, judgment: { score, rule, evidence, veto, outcome, wouldApply } }) => ({
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
  return { rows, pagination }
}

/** All candidates of a record, and its open proposals by the id of the other record. @throws DomainError not_found */
async function judgeCandidates(
  tx: OrgTx,
  entityType: EntityType,
  recordId: string,
): Promise<{ found: Found[]; proposed: Map<string, string> }> {
  const type = recordTypes[entityType]
  const rootId = (await readCanonicalIds(tx, entityType, [recordId])).get(recordId)
  const [stored] = rootId === undefined ? [] : await readRecords(tx, type, [rootId])
  if (!stored) throw recordNotFound(type)
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
  if (!record) throw recordNotFound(type)
  const others = comparedWith(
    record,
    [...records.values()].filter((other) => other !== record),
  )
  const different = await differentFrom(tx, entityType, record, others)
  const judged = await inSlices(tx.payerId, judging(entityType, model, record, others))
  const refused = { veto: verdictVeto, outcome: 'none' as const, wouldApply: false }
  const found = judged.map((each) =>
    different.has(each.other) ? { ...each, judgment: { ...each.judgment, ...refused } } : each,
  )
  return { found, proposed }
}

/**
 * For each other record, the strongest judgment of any two members. A record can have 500 members, so the caller can
 * pause at each `yield`.
 */
function* judging(
  entityType: EntityType,
  model: DecisionModel,
  record: CanonicalRecord,
  others: readonly CanonicalRecord[],
): Generator<undefined, Found[]> {
  const found: Found[] = []
  for (const other of others) {
    let best: Judgment | null = null
    for (const a of record.members)
      for (const b of other.members) {
        const judgment = judge(entityType, model, a.comparable, b.comparable)
        if (best === null || strongestFirst(judgment, best) < 0) best = judgment
        yield
      }
    if (best) found.push({ other, judgment: best })
  }
  return found
}

const strongestFirst = (a: Pick<Judgment, 'outcome' | 'weight'>, b: Pick<Judgment, 'outcome' | 'weight'>) =>
  order.indexOf(b.outcome) - order.indexOf(a.outcome) || b.weight - a.weight

/** The sort key of a candidate. The cursor of the candidate contains it. */
type Place = Pick<Judgment, 'outcome' | 'weight'> & { rootId: string }

const placeOf = ({ other: { rootId }, judgment: { outcome, weight } }: Found): Place => ({
  outcome,
  weight,
  rootId,
})

const inOrder = (a: Place, b: Place): number =>
  strongestFirst(a, b) || (a.rootId < b.rootId ? -1 : Number(a.rootId > b.rootId))

const placeText = ({ outcome, weight, rootId }: Place): string => `${outcome} ${weight} ${rootId}`

function readPlace(text: string): Place {
  const [outcome, weight, rootId = ''] = text.split(' ')
  return { outcome: outcome as Judgment['outcome'], weight: Number(weight), rootId }
}

/**
 * The records for which a person gave the verdict `different`. A verdict about any two members of two clusters counts.
 */
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
