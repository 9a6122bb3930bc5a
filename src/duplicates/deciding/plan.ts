import type { Why } from '../merges.ts'
import { ambiguous, groupsOf, heaviestFirst, type Pairs } from './grouping.ts'
import type { Judged } from './judge.ts'
import type { Subject } from './subjects.ts'

/** Two records that are, or should be, merged, and why. */
export type Proposal = { survivorId: string; loserId: string; wouldApply: boolean; why: Omit<Why, 'method'> }

/** What is to be done with some records: what to merge now, and what to show to a person. */
export type Plan = { merges: Proposal[]; shadows: Proposal[] }

type Considering = {
  subjects: readonly Subject[]
  /** How two portraits compare. */
  judge(one: Subject['members'][number], other: Subject['members'][number]): Judged
  /** Pairs of ids that somebody said to be different, as `first second`, in the order of the ids. */
  different: ReadonlySet<string>
  /** How many records name each. */
  children: ReadonlyMap<string, number>
}

type Place = { subject: Subject; member: Subject['members'][number] }

/**
 * What follows from comparing all of some records with one another. Depends on what the records say and on nothing else:
 * not on their order, nor on whether some of them were merged by an earlier plan.
 */
export function planFor(considering: Considering): Plan {
  const order = bySeniority(considering)
  const places = considering.subjects
    .flatMap((subject) => subject.members.map((member) => ({ subject, member })))
    .map((place) => ({ ...place, text: place.member.portrait.features.join('\0') }))
    .sort((a, b) => compareText(a.text, b.text) || compareText(a.member.recordId, b.member.recordId))
  const pairs = pairsOf(places, considering)
  const given = [...Map.groupBy(places.keys(), (place) => places[place]!.subject).values()]
  const groups = groupsOf(pairs, given)
  const planner = new Planner(places, pairs, order)
  return planner.plan(groups)
}

/** The one that the others are merged into comes first: with an external id, more children, older, the smaller id. */
function bySeniority({ children }: Considering) {
  const rankOf = ({ rootId }: Subject) => children.get(rootId) ?? 0
  return (a: Subject, b: Subject): number =>
    Number(b.hasExternalId) - Number(a.hasExternalId) ||
    rankOf(b) - rankOf(a) ||
    a.createdAt - b.createdAt ||
    compareText(a.rootId, b.rootId)
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The name of a pair of ids in `different`. */
export const pairName = (one: string, other: string): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`

function pairsOf(places: readonly Place[], { judge, different }: Considering): Pairs {
  const size = places.length
  const judged = places.map((one, a) =>
    places.map((other, b) => (a < b ? judge(one.member, other.member) : null)),
  )
  const first: Pairs = {
    size,
    judged: (a, b) => judged[a]![b]!,
    different: (a, b) => different.has(pairName(places[a]!.member.recordId, places[b]!.member.recordId)),
  }
  const settled = judged.map((row, a) =>
    row.map((each, b) =>
      each?.wouldApply && ambiguous(first, a, b)
        ? { ...each, outcome: 'review' as const, wouldApply: false, applies: false }
        : each,
    ),
  )
  return { ...first, judged: (a, b) => settled[a]![b]! }
}

/** Turns groups of places into merges and proposals between the records that stand for themselves. */
class Planner {
  readonly #places: readonly Place[]
  readonly #pairs: Pairs
  readonly #order: (a: Subject, b: Subject) => number

  constructor(places: readonly Place[], pairs: Pairs, order: (a: Subject, b: Subject) => number) {
    this.#places = places
    this.#pairs = pairs
    this.#order = order
  }

  plan(groups: readonly (readonly number[])[]): Plan {
    const plan: Plan = { merges: [], shadows: [] }
    for (const group of groups) {
      const parts = this.#merged(group)
      const [head, ...others] = parts
      for (const part of parts) {
        for (const loser of part.slice(1)) plan.merges.push(this.#proposal(part[0]!, loser, group, true))
      }
      for (const part of others) plan.shadows.push(this.#proposal(head![0]!, part[0]!, group, true))
    }
    plan.shadows.push(...this.#reviews(groups))
    return plan
  }

  /** The records of a group, in parts that are merged now; in each and of all, the one that stays comes first. */
  #merged(group: readonly number[]): Subject[][] {
    const subjects = [...new Set(group.map((place) => this.#places[place]!.subject))].sort(this.#order)
    const partOf = new Map(subjects.map((subject) => [subject, [subject]]))
    for (const { a, b } of heaviestFirst(this.#within(group), ({ applies }) => applies)) {
      const [one, other] = [group[a]!, group[b]!].map((place) => partOf.get(this.#places[place]!.subject)!)
      if (one === other) continue
      one!.push(...other!)
      for (const subject of other!) partOf.set(subject, one!)
    }
    return [...new Set(partOf.values())]
      .map((part) => part.sort(this.#order))
      .sort(([one], [other]) => this.#order(one!, other!))
  }

  /** Pairs of a group alone, by their place in it. */
  #within(group: readonly number[]): Pairs {
    const at = (a: number, b: number) =>
      group[a]! < group[b]! ? [group[a]!, group[b]!] : [group[b]!, group[a]!]
    return {
      size: group.length,
      judged: (a, b) => this.#pairs.judged(...(at(a, b) as [number, number])),
      different: () => false,
    }
  }

  /** Why a record of a group should be merged into another: the two themselves say so, or a third that is both. */
  #proposal(survivor: Subject, loser: Subject, group: readonly number[], wouldApply: boolean): Proposal {
    const ends = group.filter((place) => this.#places[place]!.subject === loser)
    const direct = group.filter((place) => this.#places[place]!.subject === survivor)
    const others = group.filter((place) => this.#places[place]!.subject !== loser)
    const own = this.#strongest(ends, direct)
    const edge = own?.judged.wouldApply ? own : this.#strongest(ends, others)
    return this.#toProposal(survivor, loser, wouldApply, edge!)
  }

  /** One for each two groups that a person should look at. */
  #reviews(groups: readonly (readonly number[])[]): Proposal[] {
    const groupOf = new Map(groups.flatMap((group) => group.map((place) => [place, group] as const)))
    const asked = new Map(groups.map((group) => [group, [...group]]))
    const seen = new Set<string>()
    const proposals: Proposal[] = []
    const wanted = heaviestFirst(this.#pairs, ({ outcome }) => outcome !== 'none')
    for (const { a, b, judged } of wanted.sort((x, y) => strength(y.judged) - strength(x.judged))) {
      const [one, other] = [groupOf.get(a)!, groupOf.get(b)!]
      const name = [groups.indexOf(one), groups.indexOf(other)].sort((x, y) => x - y).join(' ')
      if (one === other || seen.has(name)) continue
      seen.add(name)
      const [left, right] = [asked.get(one)!, asked.get(other)!]
      // Whoever said yes to all would bring together what somebody took apart.
      if (this.#differ(left, left === right ? [...one, ...other] : right)) continue
      if (left !== right) {
        left.push(...right)
        for (const [group, joined] of asked) if (joined === right) asked.set(group, left)
      }
      const [survivor, loser] = [one, other]
        .map((group) => group.map((place) => this.#places[place]!.subject).sort(this.#order)[0]!)
        .sort(this.#order)
      proposals.push(this.#toProposal(survivor!, loser!, false, { a, b, judged }))
    }
    return proposals
  }

  #differ(left: readonly number[], right: readonly number[]): boolean {
    return left.some((a) => right.some((b) => a !== b && this.#pairs.different(a, b)))
  }

  #strongest(ends: readonly number[], others: readonly number[]) {
    const edges = ends.flatMap((end) =>
      others.map((other) => {
        const [a, b] = end < other ? [end, other] : [other, end]
        return { a, b, judged: this.#pairs.judged(a, b) }
      }),
    )
    return edges.sort(
      (x, y) => strength(y.judged) - strength(x.judged) || y.judged.weight - x.judged.weight,
    )[0]
  }

  #toProposal(
    survivor: Subject,
    loser: Subject,
    wouldApply: boolean,
    { a, b, judged }: { a: number; b: number; judged: Judged },
  ): Proposal {
    const compared = [this.#places[a]!, this.#places[b]!]
    const others = compared.filter(({ subject }) => subject !== survivor && subject !== loser)
    const through = others.map(({ member }) => ({
      field: 'duplicate',
      level: `compared is ${member.recordId}, which is taken for the same as one of the two`,
      weight: 0,
    }))
    const { rule, score, evidence, modelVersion } = judged
    return {
      survivorId: survivor.rootId,
      loserId: loser.rootId,
      wouldApply,
      why: { rule, score, evidence: [...through, ...evidence], modelVersion },
    }
  }
}

const strength = ({ wouldApply, outcome }: Judged) =>
  (wouldApply ? 3 : 0) + (outcome === 'auto' ? 2 : outcome === 'review' ? 1 : 0)
