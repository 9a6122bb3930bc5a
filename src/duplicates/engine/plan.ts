import type { MergeReason } from '../merge/merges.ts'
import type { CanonicalRecord } from './canonical-records.ts'
import { grouping, heaviestFirst, isAmbiguous, type PairJudgments } from './grouping.ts'
import type { Judgment } from './judge.ts'

export type PlannedMerge = {
  survivorId: string
  loserId: string
  wouldApply: boolean
  reason: Omit<MergeReason, 'method'>
}

/** The engine applies `merges` now; `proposals` wait for a person. */
export type MergePlan = { merges: PlannedMerge[]; proposals: PlannedMerge[] }

type PlanInput = {
  records: readonly CanonicalRecord[]
  judge(one: Member, other: Member): Judgment
  /** The pairs with the verdict `different`, as `pairName` writes them. */
  different: ReadonlySet<string>
  referrers: ReadonlyMap<string, number>
}

type Member = CanonicalRecord['members'][number]

/** A member of a canonical record. The planner sorts all members, and identifies each by its index. */
type Place = { record: CanonicalRecord; member: Member }

type Edge = { a: number; b: number; judgment: Judgment }

/**
 * Plans merges and proposals in steps, because 200 records need half a second. The plan depends only on the content
 * of the records: not on their order, nor on earlier merges among them.
 */
export function* planMerges(input: PlanInput): Generator<undefined, MergePlan> {
  const order = bySeniority(input)
  const places = input.records
    .flatMap((record) => record.members.map((member) => ({ record, member })))
    .map((place) => ({ ...place, text: place.member.comparable.features.join('\0') }))
    .sort((a, b) => compareText(a.text, b.text) || compareText(a.member.recordId, b.member.recordId))
  const pairs = yield* judgingPairs(places, input)
  const merged = [...Map.groupBy(places.entries(), ([, { record }]) => record).values()]
  const groups = yield* grouping(
    pairs,
    merged.map((entries) => entries.map(([place]) => place)),
  )
  return yield* new Planner(places, pairs, order).planning(groups)
}

/**
 * The order of records in which the first one is the survivor: claimed records come after all others. Within each of
 * the two groups, records with an external id come first, then records with more referrers, then older records, then
 * records with smaller ids.
 */
function bySeniority({ referrers }: PlanInput) {
  const referrersOf = ({ rootId }: CanonicalRecord) => referrers.get(rootId) ?? 0
  return (a: CanonicalRecord, b: CanonicalRecord): number =>
    Number(a.isClaimed) - Number(b.isClaimed) ||
    Number(b.hasExternalId) - Number(a.hasExternalId) ||
    referrersOf(b) - referrersOf(a) ||
    a.createdAt - b.createdAt ||
    compareText(a.rootId, b.rootId)
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A name for two records that does not depend on their order. */
export const pairName = (one: string, other: string): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`

function* judgingPairs(
  places: readonly Place[],
  { judge, different }: PlanInput,
): Generator<undefined, PairJudgments> {
  const at = (index: number) => placeAt(places, index)
  const judgments = new JudgmentTable(places.length, (a, b) => judge(at(a).member, at(b).member))
  const all: PairJudgments = {
    size: places.length,
    judgmentOf: (a, b) => judgments.get(a, b),
    areMerged: (a, b) => at(a).record === at(b).record,
    areDifferent: (a, b) => different.has(pairName(at(a).member.recordId, at(b).member.recordId)),
  }
  const decided = new JudgmentTable(places.length, (a, b) => {
    const judgment = all.judgmentOf(a, b)
    const needsPerson = judgment.wouldApply && isAmbiguous(all, a, b)
    const review = { outcome: 'review' as const, wouldApply: false, applies: false }
    return needsPerson ? { ...judgment, ...review } : judgment
  })
  // Judge all pairs here, where the caller can pause. Two ids of one record are judged only if another pair needs it.
  for (let a = 0; a < places.length; a++) {
    for (let b = a + 1; b < places.length; b++) {
      if (all.areMerged(a, b)) continue
      decided.get(a, b)
      yield
    }
  }
  return { ...all, judgmentOf: (a, b) => decided.get(a, b) }
}

/** The judgments of pairs of members, in either order. Each pair is judged once, when its judgment is first needed. */
class JudgmentTable {
  readonly #size: number
  readonly #judge: (a: number, b: number) => Judgment
  readonly #judgments = new Map<number, Judgment>()

  /** @param judge called with `a` < `b` */
  constructor(size: number, judge: (a: number, b: number) => Judgment) {
    this.#size = size
    this.#judge = judge
  }

  get(one: number, other: number): Judgment {
    const [a, b] = one < other ? [one, other] : [other, one]
    const key = a * this.#size + b
    const judgment = this.#judgments.get(key) ?? this.#judge(a, b)
    this.#judgments.set(key, judgment)
    return judgment
  }
}

function placeAt(places: readonly Place[], index: number): Place {
  const place = places[index]
  if (!place) throw new RangeError(`No record has the place ${index}`)
  return place
}

/** Turns groups of members into merges and proposals between canonical records. */
class Planner {
  readonly #places: readonly Place[]
  readonly #pairs: PairJudgments
  readonly #order: (a: CanonicalRecord, b: CanonicalRecord) => number

  constructor(
    places: readonly Place[],
    pairs: PairJudgments,
    order: (a: CanonicalRecord, b: CanonicalRecord) => number,
  ) {
    this.#places = places
    this.#pairs = pairs
    this.#order = order
  }

  *planning(groups: readonly (readonly number[])[]): Generator<undefined, MergePlan> {
    const plan: MergePlan = { merges: [], proposals: [] }
    for (const group of groups) {
      const [survivors, ...others] = this.#mergedNow(group)
      if (!survivors) continue
      for (const { survivor, losers } of [survivors, ...others]) {
        for (const loser of losers) plan.merges.push(this.#planned(survivor, loser, group))
      }
      for (const { survivor } of others) {
        plan.proposals.push(this.#planned(survivors.survivor, survivor, group))
      }
      yield
    }
    plan.proposals.push(...(yield* this.#reviews(groups)))
    return plan
  }

  /** Divides a group into the sets of records to merge now. The first set has the survivor of the whole group. */
  #mergedNow(group: readonly number[]): { survivor: CanonicalRecord; losers: CanonicalRecord[] }[] {
    const records = this.#recordsOf(group)
    const partOf = new Map(records.map((record) => [record, [record]]))
    for (const a of group) {
      for (const b of group) {
        if (this.#pairs.areMerged(a, b) || !this.#pairs.judgmentOf(a, b).applies) continue
        const [one, other] = [partOf.get(this.#at(a).record), partOf.get(this.#at(b).record)]
        if (!one || !other || one === other) continue
        one.push(...other)
        for (const record of other) partOf.set(record, one)
      }
    }
    return [...new Set(partOf.values())]
      .flatMap((part) => {
        const [survivor, ...losers] = part.sort(this.#order)
        return survivor ? [{ survivor, losers }] : []
      })
      .sort((one, other) => this.#order(one.survivor, other.survivor))
  }

  /** The reason for a merge: the judgment of survivor and loser, or else of the loser and a third record. */
  #planned(survivor: CanonicalRecord, loser: CanonicalRecord, group: readonly number[]): PlannedMerge {
    const ends = group.filter((place) => this.#at(place).record === loser)
    const others = group.filter((place) => this.#at(place).record !== loser)
    const edges = ends.flatMap((end) => others.map((other) => this.#edge(end, other)))
    const isDirect = ({ a, b }: Edge) => this.#at(a).record === survivor || this.#at(b).record === survivor
    const direct = strongest(edges.filter(isDirect))
    const edge = direct?.judgment.wouldApply ? direct : strongest(edges)
    if (!edge) throw new RangeError(`Nothing was compared with ${loser.rootId}`)
    return this.#toPlanned(survivor, loser, true, edge)
  }

  /** Yields one proposal for each pair of groups that a person should review. */
  *#reviews(groups: readonly (readonly number[])[]): Generator<undefined, PlannedMerge[]> {
    const groupAt = new Map(groups.flatMap((group, index) => group.map((place) => [place, index] as const)))
    // The groups that would exist if a person accepted all proposals.
    const joined = groups.map((group) => [...group])
    const seen = new Set<string>()
    const planned: PlannedMerge[] = []
    const wanted = heaviestFirst(this.#pairs, ({ outcome }) => outcome !== 'none')
    for (const edge of wanted.sort((x, y) => strength(y.judgment) - strength(x.judgment))) {
      const [one, other] = [groupAt.get(edge.a), groupAt.get(edge.b)]
      if (one === undefined || other === undefined || one === other) continue
      const name = [one, other].sort((x, y) => x - y).join(' ')
      if (seen.has(name)) continue
      seen.add(name)
      yield
      const [left, right] = [joined[one] ?? [], joined[other] ?? []]
      // Records with the verdict `different` must stay apart even if a person accepts all proposals.
      const both = left === right ? [...(groups[one] ?? []), ...(groups[other] ?? [])] : right
      if (this.#differ(left, both)) continue
      if (left !== right) {
        left.push(...right)
        for (const [index, each] of joined.entries()) if (each === right) joined[index] = left
      }
      const [survivor, loser] = [groups[one] ?? [], groups[other] ?? []]
        .flatMap((group) => this.#recordsOf(group).slice(0, 1))
        .sort(this.#order)
      if (survivor && loser) planned.push(this.#toPlanned(survivor, loser, false, edge))
    }
    return planned
  }

  #differ(left: readonly number[], right: readonly number[]): boolean {
    return left.some((a) => right.some((b) => a !== b && this.#pairs.areDifferent(a, b)))
  }

  #edge(one: number, other: number): Edge {
    return { a: Math.min(one, other), b: Math.max(one, other), judgment: this.#pairs.judgmentOf(one, other) }
  }

  /** Returns the records at these places, sorted by `bySeniority`. */
  #recordsOf(places: readonly number[]): CanonicalRecord[] {
    return [...new Set(places.map((place) => this.#at(place).record))].sort(this.#order)
  }

  #at(place: number): Place {
    return placeAt(this.#places, place)
  }

  #toPlanned(
    survivor: CanonicalRecord,
    loser: CanonicalRecord,
    wouldApply: boolean,
    { a, b, judgment }: Edge,
  ): PlannedMerge {
    const compared = [this.#at(a), this.#at(b)]
    const others = compared.filter(({ record }) => record !== survivor && record !== loser)
    const through = others.map(({ member }) => ({
      field: 'duplicate',
      level: `compared with ${member.recordId}, another duplicate of the same group`,
      weight: 0,
    }))
    const { rule, score, evidence, modelVersion } = judgment
    return {
      survivorId: survivor.rootId,
      loserId: loser.rootId,
      wouldApply,
      reason: { rule, score, evidence: [...through, ...evidence], modelVersion },
    }
  }
}

const strength = ({ wouldApply, outcome }: Judgment) =>
  (wouldApply ? 3 : 0) + (outcome === 'auto' ? 2 : outcome === 'review' ? 1 : 0)

const strongest = (edges: readonly Edge[]): Edge | undefined =>
  [...edges].sort(
    (x, y) => strength(y.judgment) - strength(x.judgment) || y.judgment.weight - x.judgment.weight,
  )[0]
