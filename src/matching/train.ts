import { allPairs, type Candidates, countRuns, forEachCandidate } from './candidates.ts'
import { blankLevel, Comparer } from './compare.ts'
import { type Dependence, dependenceOf, drawSharers, ratesGivenAgreement } from './dependence.ts'
import { addAt, itemAt, numberAt, uint8At, uint32At } from './element-at.ts'
import type { FeatureTable } from './feature-table.ts'
import type { ComparedField } from './fields/plan.ts'
import type { KeyKind, KeyPart } from './key-kinds.ts'
import { Patterns } from './patterns.ts'
import { randomNumbers } from './random.ts'
import type { Rates } from './schema.ts'
import { LevelWeights } from './weigh.ts'

const seed = 1
const randomPairs = 200_000
const sessionPairsMax = 40_000
const candidatePairsMax = 300_000
const passes = 4
const emRoundsMax = 50
const emTolerance = 1e-4
// A session is one EM run over the pairs of one kind of key. With fewer expected matches, its result is unreliable.
const matchesMin = 20
const lambdaMin = 0.01
const fieldsMin = 2
// The default rates count as this many pairs.
const defaultPairs = 20

type Trained = { rates: Rates[]; lambda: number }

/**
 * Learns rates without labels (Fellegi and Sunter 1969; Winkler 1988; the recipe of Splink). Rates u come from random
 * pairs, minus the expected matches. Rates m come from EM (Dempster, Laird and Rubin 1977) over the pairs of each
 * kind of key, for fields that are not in the key. λ is the share of matches among all pairs, estimated from the
 * candidates. Deterministic.
 */
export function trainRates(
  fields: readonly ComparedField[],
  table: FeatureTable,
  kinds: readonly KeyKind[],
  candidates: Candidates,
): Trained {
  const comparer = new Comparer(fields)
  const random = countRandomPairs(comparer, table)
  const sessions = sessionsOf(comparer, table, kinds, candidates)
  const { patterns, share } = candidatePatterns(comparer, table, candidates)
  const sharers = drawSharers(comparer, table, seed)
  // A set of 0 or 1 records has no pairs: count one, so that no rate is 0 / 0.
  const every = Math.max(1, allPairs(table.size))
  let u = fields.map((_, field) => chanceRates(itemAt(random, field), null, 0))
  let m = fields.map(({ type }) => [...type.defaultM])
  let lambda = 1 / Math.max(1, table.size)
  let dependence: Dependence = { u: fields.map(() => new Map()), order: fields.map((_, field) => field) }
  const ratesOf: RatesOf = (some, agreed) => {
    const given = ratesGivenAgreement(fields, dependence, agreed)
    return fields.map((_, field) => ({
      m: itemAt(some, field),
      u: itemAt(u, field),
      given: itemAt(given, field),
    }))
  }
  for (let pass = 0; pass < passes; pass += 1) {
    dependence = dependenceOf(fields, sharers, ratesOf(m, noFields))
    m = expectRates(fields, sessions, patterns, every * share, m, ratesOf)
    lambda = expectLambda(patterns, new LevelWeights(fields, ratesOf(m, noFields)), lambda, every * share)
    u = fields.map((_, field) => chanceRates(itemAt(random, field), itemAt(m, field), lambda))
  }
  return { rates: ratesOf(m, noFields), lambda }
}

/** Returns rates with the given m and the current u, for pairs that agree on some fields. */
type RatesOf = (m: readonly number[][], agreed: ReadonlySet<number>) => Rates[]

const noFields: ReadonlySet<number> = new Set()

/** Counts the levels of random pairs. Equal values are counted exactly. */
function countRandomPairs(comparer: Comparer, table: FeatureTable): Float64Array[] {
  const { fields } = comparer
  const levels = new Uint8Array(fields.length)
  const counts = fields.map(({ type }) => new Float64Array(type.levels.length))
  const add = (a: number, b: number) => {
    comparer.compareIn(table, a, b, levels)
    for (let field = 0; field < levels.length; field += 1) {
      const level = uint8At(levels, field)
      if (level !== blankLevel) addAt(itemAt(counts, field), level, 1)
    }
  }
  const { size } = table
  if (allPairs(size) <= randomPairs) {
    for (let a = 0; a < size; a += 1) for (let b = a + 1; b < size; b += 1) add(a, b)
    return counts
  }
  const random = randomNumbers(seed)
  for (let drawn = 0; drawn < randomPairs; drawn += 1) {
    const a = Math.floor(random() * size)
    const b = Math.floor(random() * (size - 1))
    add(a, b < a ? b : b + 1)
  }
  for (const [field, { counts: records }] of table.columns.entries()) {
    const filled = records.reduce((sum, count) => sum + count, 0)
    if (filled < 2) continue
    const equal = records.reduce((sum, count) => sum + allPairs(count), 0) / allPairs(filled)
    const drawn = itemAt(counts, field)
    const unequal = drawn.subarray(1).reduce((sum, count) => sum + count, 0)
    drawn[0] = equal >= 1 ? unequal + 1 : (unequal * equal) / (1 - equal)
  }
  return counts
}

type Session = { patterns: Patterns; blocked: ReadonlySet<number> }

function sessionsOf(
  comparer: Comparer,
  table: FeatureTable,
  kinds: readonly KeyKind[],
  { blocks }: Candidates,
): Session[] {
  const { fields } = comparer
  const levels = new Uint8Array(fields.length)
  const { starts, members, kindStarts } = blocks
  return kinds.map(({ parts }, kind) => {
    const patterns = new Patterns(fields.length)
    const end = kindStarts[kind + 1] ?? blocks.size
    for (
      let block = numberAt(kindStarts, kind);
      block < end && patterns.total < sessionPairsMax;
      block += 1
    ) {
      for (let i = uint32At(starts, block); i < uint32At(starts, block + 1); i += 1) {
        for (let j = i + 1; j < uint32At(starts, block + 1); j += 1) {
          comparer.compareIn(table, uint32At(members, i), uint32At(members, j), levels)
          patterns.add(levels)
        }
      }
    }
    return { patterns, blocked: fieldsOfKey(fields, parts) }
  })
}

/** Returns the fields of a key, and fields that they imply: the local part of an address consists of names. */
function fieldsOfKey(fields: readonly ComparedField[], parts: readonly KeyPart[]): ReadonlySet<number> {
  const blocked = new Set(parts.map(({ field }) => field))
  if (parts.some(({ tokenName }) => tokenName === 'localPart')) {
    for (const [field, { type }] of fields.entries()) if (type.group === 'name') blocked.add(field)
  }
  return blocked
}

/** The patterns of the candidates, and the share that was counted. */
function candidatePatterns(comparer: Comparer, table: FeatureTable, candidates: Candidates) {
  const { fields } = comparer
  const levels = new Uint8Array(fields.length)
  const patterns = new Patterns(fields.length)
  const runs = countRuns(candidates)
  const step = Math.max(1, Math.ceil(runs / 64))
  let done = 0
  // Runs are sorted by the kind of key. Visit them in steps, so that each kind is counted.
  for (let offset = 0; offset < step && patterns.total < candidatePairsMax; offset += 1) {
    for (let run = offset; run < runs; run += step) {
      forEachCandidate(candidates, run, run + 1, (a, b) => {
        comparer.compareIn(table, a, b, levels)
        patterns.add(levels)
      })
      done += 1
    }
  }
  return { patterns, share: runs === 0 ? 1 : done / runs }
}

/**
 * Estimates m of each field from all sessions. A session with one field is skipped, because EM cannot separate m from
 * λ there. A field without a session is learned from all candidates.
 */
function expectRates(
  fields: readonly ComparedField[],
  sessions: readonly Session[],
  candidates: Patterns,
  every: number,
  m: readonly number[][],
  ratesOf: RatesOf,
): number[][] {
  const sums = fields.map(({ type }) => new Float64Array(type.levels.length))
  for (const { patterns, blocked } of sessions) {
    if (fields.length - blocked.size < fieldsMin) continue
    const { matches, lambda, counts } = expectSession(fields, patterns, blocked, m, ratesOf)
    if (matches < matchesMin || lambda < lambdaMin) continue
    for (const [field, count] of counts.entries()) {
      if (!blocked.has(field))
        for (const [level, expected] of count.entries()) addAt(itemAt(sums, field), level, expected)
    }
  }
  if (sums.some((sum) => sum.every((count) => count === 0))) {
    const { counts } = expectSession(fields, candidates, noFields, m, ratesOf, every)
    for (const [field, sum] of sums.entries())
      if (sum.every((count) => count === 0)) sum.set(itemAt(counts, field))
  }
  return fields.map(({ type }, field) => smoothedRates(itemAt(sums, field), type.defaultM))
}

function expectSession(
  fields: readonly ComparedField[],
  patterns: Patterns,
  blocked: ReadonlySet<number>,
  general: readonly number[][],
  ratesOf: RatesOf,
  among = patterns.total,
): { matches: number; lambda: number; counts: Float64Array[] } {
  const counts = fields.map(({ type }) => new Float64Array(type.levels.length))
  let m = general
  let lambda = among > patterns.total ? Math.min(0.3, (0.3 * patterns.total) / among) : 0.3
  let matches = 0
  for (let round = 0; round < emRoundsMax; round += 1) {
    const weights = new LevelWeights(fields, ratesOf(m, blocked))
    for (const count of counts) count.fill(0)
    matches = 0
    for (let p = 0; p < patterns.size; p += 1) {
      const expected = numberAt(patterns.counts, p) * probability(patterns.odds(p, weights, blocked), lambda)
      matches += expected
      patterns.addTo(counts, p, expected)
    }
    const before = lambda
    lambda = Math.min(0.9999, Math.max(1e-12, matches / among))
    m = fields.map(({ type }, field) => smoothedRates(itemAt(counts, field), type.defaultM))
    if (Math.abs(lambda - before) < emTolerance * lambda) break
  }
  return { matches, lambda, counts }
}

/** Returns the share of matches among all pairs. Pairs that are not candidates count as different. */
function expectLambda(patterns: Patterns, weights: LevelWeights, start: number, every: number): number {
  const odds = patterns.counts.map((_, p) => patterns.odds(p, weights, null))
  let lambda = start
  for (let round = 0; round < emRoundsMax; round += 1) {
    const before = lambda
    const matches = odds.reduce(
      (sum, each, p) => sum + numberAt(patterns.counts, p) * probability(each, lambda),
      0,
    )
    lambda = Math.min(0.5, Math.max(0.5 / every, matches / every))
    if (Math.abs(lambda - before) < emTolerance * before) break
  }
  return lambda
}

function probability(odds: number, lambda: number): number {
  const posterior = (odds * lambda) / (1 - lambda)
  return posterior === Infinity ? 1 : posterior / (1 + posterior)
}

/** Turns counts into rates, smoothed with the default rates. */
function smoothedRates(counts: Float64Array, general: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0) + defaultPairs
  return Array.from(counts, (count, level) => (count + defaultPairs * numberAt(general, level)) / total)
}

/** u: the rates among random pairs, without the expected matches. */
function chanceRates(counts: Float64Array, m: readonly number[] | null, lambda: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0) || 1
  const rates = Array.from(counts, (count, level) => {
    const seen = count / total
    const rate = m ? (seen - lambda * numberAt(m, level)) / (1 - lambda) : seen
    return Math.max(rate, 0.5 / total, m ? seen * 0.02 : 0)
  })
  const sum = rates.reduce((left, right) => left + right, 0)
  return rates.map((rate) => rate / sum)
}
