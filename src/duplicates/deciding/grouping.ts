import type { Judged } from './judge.ts'

/** A group has no more members. */
export const groupMost = 50

/** Records by their place in a list; `judged` of each pair, places ascending. */
export type Pairs = {
  size: number
  judged(a: number, b: number): Judged
  /** Whether somebody said that the two are different. */
  different(a: number, b: number): boolean
}

type Edge = { a: number; b: number; judged: Judged }

/**
 * Groups of records that mode `auto` would merge, by average link (Sokal and Michener 1958): from the strongest pair on,
 * the groups at its ends become one if the mean weight of all pairs across is not negative, nothing keeps any two of
 * them apart, and they are at most 50. Until nothing changes: a second run with the result finds nothing to join.
 * The order of places settles ties.
 * @param given groups that are one already; every place is in one of them
 */
export function groupsOf(pairs: Pairs, given: readonly (readonly number[])[]): number[][] {
  const groupAt = new Map<number, number[]>()
  for (const group of given) {
    const members = [...group]
    for (const place of members) groupAt.set(place, members)
  }
  const edges = heaviestFirst(pairs, ({ wouldApply }) => wouldApply)
  for (let changed = true; changed; ) {
    changed = false
    for (const { a, b } of edges) {
      const [left, right] = [groupAt.get(a)!, groupAt.get(b)!]
      if (left === right || !mayJoin(pairs, left, right)) continue
      left.push(...right)
      for (const place of right) groupAt.set(place, left)
      changed = true
    }
  }
  return [...new Set(groupAt.values())]
}

/** All pairs that `wanted` takes, the heaviest first. */
export function heaviestFirst({ size, judged }: Pairs, wanted: (judged: Judged) => boolean): Edge[] {
  const edges: Edge[] = []
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const found = judged(a, b)
      if (wanted(found)) edges.push({ a, b, judged: found })
    }
  }
  return edges.sort((x, y) => y.judged.weight - x.judged.weight || x.a - y.a || x.b - y.b)
}

function mayJoin(pairs: Pairs, left: readonly number[], right: readonly number[]): boolean {
  if (left.length + right.length > groupMost) return false
  let sum = 0
  for (const a of [...left].sort((x, y) => x - y)) {
    for (const b of [...right].sort((x, y) => x - y)) {
      const [first, second] = a < b ? [a, b] : [b, a]
      const judged = pairs.judged(first, second)
      if (judged.apart || pairs.different(first, second)) return false
      sum += judged.weight
    }
  }
  return sum >= 0
}

/**
 * Pairs whose reason is good only while no third record could be meant as well, where one could: a record with nothing but
 * an address, and two people who share that mailbox.
 */
export function ambiguous({ size, judged }: Pairs, a: number, b: number): boolean {
  const at = (x: number, y: number) => (x < y ? judged(x, y) : judged(y, x))
  if (!at(a, b).alone) return false
  for (let third = 0; third < size; third++) {
    if (third === a || third === b) continue
    if (at(a, third).alone && at(b, third).contradict) return true
    if (at(b, third).alone && at(a, third).contradict) return true
  }
  return false
}
