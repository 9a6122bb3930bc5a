import type { EntityType } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { inSlices } from '../../platform/slices.ts'
import { namesOf } from '../merge/merges.ts'
import type { EngineSettings } from '../settings.ts'
import { readCanonicalRecords } from './canonical-records.ts'
import type { ComparableRecord, Traits } from './comparable-record.ts'
import { readDecisionModel } from './decision-model.ts'
import { namesOfDifferentPairs } from './different-pairs.ts'
import { type DecisionModel, judge, ruleNames } from './judge.ts'
import { pairName } from './plan.ts'
import type { PreviewCounts, SettingsPreview } from './schema.ts'

const weekSeconds = 7 * 86_400
/** The maximum number of pairs to judge: more would delay other requests of the organization. */
const pairsMax = 1_000
/** How many pairs are read at once: each of their records may have absorbed 500 others. */
const pairsAtOnce = 50
const samplesMax = 20

type FoundPair = {
  merge_id: string
  survivor_id: string
  loser_id: string
  would_apply: boolean | null
}

type Action = 'merge' | 'propose' | 'nothing'

type Preview = { pair: FoundPair; rule: string | null; score: number; before: Action; after: Action }

/**
 * Judges the pairs that the engine found in the last seven days once with the present settings, and once with others.
 * It compares the records as they are now, and changes nothing.
 */
export async function previewSettings(
  tx: OrgTx,
  entityType: EntityType,
  settings: { before: EngineSettings; after: EngineSettings },
): Promise<SettingsPreview> {
  const since = Math.floor(Date.now() / 1000) - weekSeconds
  const found = await pairsSince(tx, entityType, since)
  const pairs = found.slice(0, pairsMax)
  const judged = await judgePairs(tx, entityType, pairs, settings)
  // A person dismissed these pairs, or undid their merge.
  const ids = [...new Set(pairs.flatMap(({ survivor_id, loser_id }) => [survivor_id, loser_id]))]
  const different = await namesOfDifferentPairs(tx, entityType, ids)
  const isContradicted = ({ pair, after }: Preview) =>
    after === 'merge' && different.has(pairName(pair.survivor_id, pair.loser_id))
  const changed = judged.filter(({ before, after }) => before !== after)
  const rules = [...ruleNames(entityType), null].map((rule) => ({
    rule,
    ...countsOf(judged.filter((each) => each.rule === rule)),
  }))
  return {
    since,
    ...countsOf(judged),
    contradicted: judged.filter(isContradicted).length,
    rules,
    changes: await samplesOf(
      tx,
      entityType,
      changed.toSorted((a, b) => b.score - a.score).slice(0, samplesMax),
    ),
    incomplete_because: reasonsOf(found.length, settings),
  }
}

/** The newest pairs that the engine proposed or merged, each once, and one more than `pairsMax` if there are more. */
async function pairsSince(tx: OrgTx, entityType: EntityType, since: number): Promise<FoundPair[]> {
  return tx.rows(sql<FoundPair>`
    select merge_id, survivor_id, loser_id, would_apply from (
      select distinct on (least(survivor_id, loser_id), greatest(survivor_id, loser_id))
        merge_id, survivor_id, loser_id, would_apply
      from merge
      where org_id = ${tx.orgId} and entity = ${entityType} and method = 'auto'
        and created_at >= to_timestamp(${since})
      order by least(survivor_id, loser_id), greatest(survivor_id, loser_id), merge_id desc) as newest
    order by merge_id desc limit ${pairsMax + 1}`)
}

/** Leaves out pairs whose records are archived or erased, and pairs with the action `nothing` before and after. */
async function judgePairs(
  tx: OrgTx,
  entityType: EntityType,
  pairs: readonly FoundPair[],
  settings: { before: EngineSettings; after: EngineSettings },
): Promise<Preview[]> {
  const { matcher, modelVersion } = await readDecisionModel(tx, entityType)
  const before = { matcher, modelVersion, settings: settings.before }
  const after = { matcher, modelVersion, settings: settings.after }
  const judged: Preview[] = []
  for (let at = 0; at < pairs.length; at += pairsAtOnce) {
    const some = pairs.slice(at, at + pairsAtOnce)
    const ids = some.flatMap(({ survivor_id, loser_id }) => [survivor_id, loser_id])
    const records = await readCanonicalRecords(tx, entityType, matcher, ids)
    const members = new Map(
      [...records.values()].flatMap((record) =>
        record.members.map(({ recordId, comparable }) => [recordId, comparable] as const),
      ),
    )
    judged.push(...(await inSlices(tx.payerId, judging(entityType, some, members, before, after))))
  }
  return judged
}

/** The caller can pause the work after each pair. */
function* judging(
  entityType: EntityType,
  pairs: readonly FoundPair[],
  members: ReadonlyMap<string, ComparableRecord<keyof Traits>>,
  before: DecisionModel,
  after: DecisionModel,
): Generator<undefined, Preview[]> {
  const judged: Preview[] = []
  for (const pair of pairs) {
    const [one, other] = [members.get(pair.survivor_id), members.get(pair.loser_id)]
    if (!one || !other) continue
    const present = judge(entityType, before, one, other)
    const changed = judge(entityType, after, one, other)
    // A third record made the pair ambiguous: the engine would not merge it with other settings either.
    const needsPerson = pair.would_apply === false && present.wouldApply
    const actionOf = ({ outcome, applies }: typeof present): Action => {
      if (applies && !needsPerson) return 'merge'
      return outcome === 'none' ? 'nothing' : 'propose'
    }
    const actions = { before: actionOf(present), after: actionOf(changed) }
    if (actions.before !== 'nothing' || actions.after !== 'nothing') {
      const { rule, score } = changed.outcome === 'none' ? present : changed
      judged.push({ pair, rule, score, ...actions })
    }
    yield
  }
  return judged
}

function countsOf(judged: readonly Preview[]): { before: PreviewCounts; after: PreviewCounts } {
  const counted = (time: 'before' | 'after') => {
    const of = (action: Action) => judged.filter((each) => each[time] === action).length
    return { merged: of('merge'), proposed: of('propose'), left: of('nothing') }
  }
  return { before: counted('before'), after: counted('after') }
}

async function samplesOf(
  tx: OrgTx,
  entityType: EntityType,
  changed: readonly Preview[],
): Promise<SettingsPreview['changes']> {
  const names = await namesOf(
    tx,
    entityType,
    changed.flatMap(({ pair }) => [pair.survivor_id, pair.loser_id]),
  )
  return changed.map(({ pair, rule, score, before, after }) => ({
    merge_id: pair.merge_id,
    survivor_name: names.get(pair.survivor_id)?.name ?? null,
    loser_name: names.get(pair.loser_id)?.name ?? null,
    ...{ rule, score, before, after },
  }))
}

/** Why pairs are missing: the engine did not find them with the settings of last week, or there are too many. */
function reasonsOf(
  found: number,
  { before, after }: { before: EngineSettings; after: EngineSettings },
): SettingsPreview['incomplete_because'] {
  const modes = [...new Set([...Object.keys(before.rules), ...Object.keys(after.rules)])].map((rule) => [
    before.rules[rule] ?? before.mode,
    after.rules[rule] ?? after.mode,
  ])
  const wasOff = [[before.mode, after.mode], ...modes].some(
    ([one, other]) => one === 'off' && other !== 'off',
  )
  return [
    ...(found > pairsMax ? ['many_pairs' as const] : []),
    ...(after.review_threshold < before.review_threshold ? ['lower_review_threshold' as const] : []),
    ...(wasOff ? ['was_off' as const] : []),
  ]
}
