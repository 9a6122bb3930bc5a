import type { Judgment } from './judge.ts'

/** The maximum number of members of a group. */
export const groupMax = 50

/** Judgments and verdicts about pairs. A record is identified by its index in a list. */
export type PairJudgments = {
  size: number
  /** Both orders of the indexes give the same judgment. */
  judgmentOf(a: number, b: number): Judgment
  /** Whether the two are the same record, or merged already. */
  areMerged(a: number, b: number): boolean
  /** Whether the two records have the verdict `different`. */
  areDifferent(a: number, b: number): boolean
}

type Edge = { a: number; b: number; judgment: Judgment }

/**
 * Groups the records that mode `auto` would merge, by average link (Sokal and Michener 1958). The heaviest pairs come
 * first; equal pairs are ordered by index. A pair joins two groups if the mean weight of all pairs between them is
 * not negative. Records with a veto or verdict between them never share a group. A group has at most 50 members.
 * Grouping the result again joins nothing.
 * @param merged the groups that are already merged; each index is in one of them
 */
export function* grouping(
  pairs: PairJudgments,
  merged: readonly (readonly number[])[],
): Generator<undefined, number[][]> {
  const groupAt = new Map<number, number[]>()
  for (const group of merged) {
    const members = [...group]
    for (const place of members) groupAt.set(place, members)
  }
  const edges = heaviestFirst(pairs, ({ wouldApply }) => wouldApply)
  for (let changed = true; changed; ) {
    changed = false
    for (const { a, b } of edges) {
      const [left, right] = [groupAt.get(a), groupAt.get(b)]
      if (!left || !right || left === right) continue
      yield
      if (!mayJoin(pairs, left, right)) continue
      left.push(...right)
      for (const place of right) groupAt.set(place, left)
      changed = true
    }
  }
  return [...new Set(groupAt.values())]
}

/** Returns the pairs with a wanted judgment that are not merged already, the highest weight first. */
export function heaviestFirst(
  { size, judgmentOf, areMerged }: PairJudgments,
  wanted: (judgment: Judgment) => boolean,
): Edge[] {
  const edges: Edge[] = []
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      if (areMerged(a, b)) continue
      const judgment = judgmentOf(a, b)
      if (wanted(judgment)) edges.push({ a, b, judgment })
    }
  }
  return edges.sort((x, y) => y.judgment.weight - x.judgment.weight || x.a - y.a || x.b - y.b)
}

function mayJoin(pairs: PairJudgments, left: readonly number[], right: readonly number[]): boolean {
  if (left.length + right.length > groupMax) return false
  // Add in the order of indexes: another order could round differently, and change the groups.
  let sum = 0
  for (const a of left.toSorted((x, y) => x - y)) {
    for (const b of right.toSorted((x, y) => x - y)) {
      const judgment = pairs.judgmentOf(a, b)
      if (judgment.isVetoed || pairs.areDifferent(a, b)) return false
      sum += judgment.weight
    }
  }
  return sum >= 0
}

/**
 * Whether a third record also satisfies a rule that needs an unambiguous pair. Example: a record has only an e-mail
 * address, and two people share this mailbox.
 */
export function isAmbiguous({ size, judgmentOf }: PairJudgments, a: number, b: number): boolean {
  if (!judgmentOf(a, b).onlyIfUnambiguous) return false
  for (let third = 0; third < size; third++) {
    if (third === a || third === b) continue
    const [withA, withB] = [judgmentOf(a, third), judgmentOf(b, third)]
    if (withA.onlyIfUnambiguous && withB.namesContradict) return true
    if (withB.onlyIfUnambiguous && withA.namesContradict) return true
  }
  return false
}
