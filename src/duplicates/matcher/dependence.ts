import { allPairs } from './candidates.ts'
import { blank, Comparer } from './compare.ts'
import { type FeatureTable, textReader } from './feature-table.ts'
import type { Field } from './fields/plan.ts'
import { randomNumbers } from './random.ts'
import type { Rates } from './schema.ts'

const pairsDrawn = 10_000
// Fewer pairs of two, or a smaller share of those drawn, may be matches that look like two, and prove nothing.
const leastPairs = 50
const leastShare = 0.1
// Odds below which a pair is taken for two, by what is their own.
const oddsOfTwo = 0.1
// Bits: less is no dependence worth noting.
const leastGain = 0.05
// So many pairs' worth of the rates among all random pairs are added to what is seen.
const usualPairs = 10

/** How fields of different records hang together. */
export type Dependence = {
  /** For each field those that explain it, each with u where that one is shared. */
  u: ReadonlyMap<number, number[]>[]
  /** The place of each field, those that explain most first. */
  order: number[]
}

/**
 * How fields of different records hang together: colleagues share a company, and so its city, its mail domain and its
 * switchboard, which must not count as four agreements. For each field that different ones may share, pairs that do
 * are drawn; those that are two by what is their own (names, dates of birth, ids) say how often each other field then
 * ends at each level. Without fields of their own, two cannot be told from one, and nothing is learned.
 *
 * That fields are independent is the weak point of Fellegi and Sunter's model (Winkler 1993, Thibaudeau 1993); this is
 * a simple mend: an agreement that another one explains counts for what is left of it.
 */
export function dependenceOf(
  fields: readonly Field[],
  table: FeatureTable,
  rates: readonly Rates[],
  seed: number,
): Dependence {
  const found = fields.map((_, shared) => explainedBy(fields, table, rates, shared, seed + shared))
  const gains = found.map((others) => [...others.values()].reduce((sum, { gain }) => sum + gain, 0))
  const sorted = fields.map((_, field) => field).sort((a, b) => gains[b]! - gains[a]! || a - b)
  const u = fields.map((_, field) => {
    const explaining = found.flatMap((others, shared): [number, number[]][] => {
      const explained = others.get(field)
      return explained ? [[shared, explained.u]] : []
    })
    return new Map(explaining)
  })
  return { u, order: fields.map((_, field) => sorted.indexOf(field)) }
}

/**
 * For each field u where another one is shared, by the name of that: of the fields that come before it, so that no two
 * explain each other, and of those that all pairs agree on, since these are not weighed.
 */
export function givenOf(
  fields: readonly Field[],
  { u, order }: Dependence,
  agreed: ReadonlySet<number>,
): Record<string, number[]>[] {
  return fields.map((_, field) => {
    const explaining = [...u[field]!].filter(([other]) => agreed.has(other) || order[other]! < order[field]!)
    return Object.fromEntries(explaining.map(([other, rates]) => [fields[other]!.name, rates]))
  })
}

type Explained = { u: number[]; gain: number }

/** What the pairs of two that share a field agree on besides. */
function explainedBy(
  fields: readonly Field[],
  table: FeatureTable,
  rates: readonly Rates[],
  shared: number,
  seed: number,
): Map<number, Explained> {
  const explained = new Map<number, Explained>()
  if (fields[shared]!.type.sharedAt.length === 0) return explained
  const counts = fields.map(({ type }) => new Float64Array(type.levels.length))
  const comparer = new Comparer(fields)
  const levels = new Uint8Array(fields.length)
  let drawn = 0
  for (const [a, b] of sharingPairs(fields[shared]!, table, shared, seed)) {
    drawn += 1
    comparer.compareIn(table, a, b, levels)
    if (!areTwo(fields, rates, levels)) continue
    for (let field = 0; field < fields.length; field += 1) {
      const level = levels[field]!
      if (level !== blank && field !== shared && !isOwn(fields[field]!)) counts[field]![level]! += 1
    }
  }
  for (const [field, count] of counts.entries()) {
    const total = count.reduce((sum, each) => sum + each, 0)
    if (total < leastPairs || total < leastShare * drawn) continue
    const usual = rates[field]!.u
    const u = Array.from(count, (seen, level) => (seen + usualPairs * usual[level]!) / (total + usualPairs))
    const gain = u.reduce((bits, rate, level) => bits + rate * Math.log2(rate / usual[level]!), 0)
    if (gain >= leastGain) explained.set(field, { u, gain })
  }
  return explained
}

/** What tells one person or thing from another of the same office, household or make. */
const isOwn = ({ type }: Field): boolean => type.sharedAt.length === 0 && type.group !== null

function areTwo(fields: readonly Field[], rates: readonly Rates[], levels: Uint8Array): boolean {
  let odds = 1
  for (let field = 0; field < fields.length; field += 1) {
    const level = levels[field]!
    if (level !== blank && isOwn(fields[field]!)) odds *= rates[field]!.m[level]! / rates[field]!.u[level]!
  }
  return odds <= oddsOfTwo
}

/** Pairs of records that share what different ones may share of a field, drawn at random; all where they are few. */
function* sharingPairs(
  { type }: Field,
  table: FeatureTable,
  field: number,
  seed: number,
): Generator<[number, number]> {
  const column = table.columns[field]!
  const read = textReader(column)
  const groups = new Map<string, number>()
  const groupOf = new Int32Array(column.size + 1).fill(-1)
  for (let id = 1; id <= column.size; id += 1) {
    const text = read(id)
    const part = type.sharedPart ? type.sharedPart(text) : text
    if (part === null) continue
    const group = groups.get(part) ?? groups.size
    groups.set(part, group)
    groupOf[id] = group
  }
  const starts = new Uint32Array(groups.size + 1)
  const groupAt = (record: number): number => groupOf[table.cells[record * table.width + field]!]!
  for (let record = 0; record < table.size; record += 1) {
    const group = groupAt(record)
    if (group >= 0) starts[group + 1]! += 1
  }
  for (let group = 0; group < groups.size; group += 1) starts[group + 1]! += starts[group]!
  const next = starts.slice()
  const members = new Uint32Array(starts[groups.size]!)
  for (let record = 0; record < table.size; record += 1) {
    const group = groupAt(record)
    if (group >= 0) members[next[group]!++] = record
  }
  yield* drawWithin(starts, members, seed)
}

/** Pairs within groups: numbered through all groups, every so many one, from a random one on. */
function* drawWithin(starts: Uint32Array, members: Uint32Array, seed: number): Generator<[number, number]> {
  let all = 0
  for (let group = 0; group + 1 < starts.length; group += 1)
    all += allPairs(starts[group + 1]! - starts[group]!)
  const step = Math.max(1, all / pairsDrawn)
  let wanted = randomNumbers(seed)() * step
  let before = 0
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const pairs = allPairs(starts[group + 1]! - starts[group]!)
    for (; wanted < before + pairs; wanted += step) {
      const [a, b] = pairNumber(Math.floor(wanted - before))
      yield [members[starts[group]! + a]!, members[starts[group]! + b]!]
    }
    before += pairs
  }
}

/** Pairs (0,1), (0,2), (1,2), (0,3), … by their number. */
function pairNumber(number: number): [number, number] {
  const b = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2)
  return [number - (b * (b - 1)) / 2, b]
}
