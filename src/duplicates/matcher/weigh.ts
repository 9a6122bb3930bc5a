import { blank, Comparer } from './compare.ts'
import { type FeatureTable, holdsSeveral } from './feature-table.ts'
import { sameLocalPart } from './fields/contact-point.ts'
import type { Field } from './fields/plan.ts'
import type { Rates } from './schema.ts'

type Explanation = { other: number; sharedAt: readonly number[]; bits: Float64Array }

/**
 * What levels say, in bits: log2(m/u) (Fellegi and Sunter 1969). Where another field agrees that explains this one, u is
 * the one that holds then, of several the one that says least: what has been said is not said again.
 */
export class LevelWeights {
  readonly #bits: Float64Array[]
  readonly #explanations: Explanation[][]

  constructor(fields: readonly Field[], rates: readonly Rates[]) {
    this.#bits = rates.map(({ m, u }) => bitsPerLevel(m, u))
    this.#explanations = rates.map(({ m, given = {} }) =>
      Object.entries(given).flatMap(([name, u]) => {
        const other = fields.findIndex((field) => field.name === name)
        return other < 0 ? [] : [{ other, sharedAt: fields[other]!.type.sharedAt, bits: bitsPerLevel(m, u) }]
      }),
    )
  }

  /** Bits that a field's level says by itself. */
  alone(field: number, level: number): number {
    return this.#bits[field]![level]!
  }

  /** Bits that a field's level says beside the others'; `equal` is what it says by itself, where that is known better. */
  bits(field: number, levels: Uint8Array, from: number, equal?: number): number {
    const level = levels[from + field]!
    let bits = equal ?? this.#bits[field]![level]!
    for (const explanation of this.#explanations[field]!) {
      if (explanation.sharedAt.includes(levels[from + explanation.other]!)) {
        bits = Math.min(bits, explanation.bits[level]!)
      }
    }
    return bits
  }
}

const bitsPerLevel = (m: readonly number[], u: readonly number[]) =>
  Float64Array.from(m, (rate, level) => Math.log2(rate / u[level]!))

/** Probability (0 to 1) that odds of `bits` (log2) mean. */
export function probabilityOf(bits: number): number {
  return 1 / (1 + 2 ** -bits)
}

/** log2 of the odds of a probability (0 to 1, both left out). */
export function bitsOf(probability: number): number {
  return Math.log2(probability / (1 - probability))
}

/**
 * Weighs pairs of a table's records. A weight is the posterior log2 odds of a match: the prior's bits, and those of
 * every field's level; where a value is equal, its own share takes the place of the mean u (term frequencies, as in
 * Winkler 1989). A blank field weighs nothing.
 */
export class Weigher {
  readonly #comparer: Comparer
  readonly #table: FeatureTable
  readonly #prior: number
  readonly #weights: LevelWeights
  readonly #shares: readonly Float64Array[]
  readonly #mExact: number[]
  /** Bits that a field's level says at the most, whatever the others turn out to be. */
  readonly #most: Float64Array[]
  /** The same of whichever level unlike values may have. */
  readonly #mostUnlike: number[]
  readonly #order: number[]
  /** Of the last pair weighed: the level of each field, `blank` where there is none. */
  readonly levels: Uint8Array

  constructor(
    fields: readonly Field[],
    table: FeatureTable,
    rates: readonly Rates[],
    shares: Float64Array[],
    prior: number,
  ) {
    this.#comparer = new Comparer(fields)
    this.#table = table
    this.#prior = prior
    this.#weights = new LevelWeights(fields, rates)
    this.#shares = shares
    this.#mExact = rates.map(({ m }) => m[0]!)
    this.#most = rates.map(({ m, u }, field) => {
      // An address that only repeats the names is left out.
      const mayVanish = (level: number) => fields[field]!.kind === 'email' && level === sameLocalPart
      return bitsPerLevel(m, u).map((bits, level) => (mayVanish(level) ? Math.max(0, bits) : bits))
    })
    this.#mostUnlike = this.#most.map((bits, field) =>
      Math.max(...bits.subarray(holdsSeveral(table.columns[field]!) ? 0 : 1)),
    )
    this.#order = this.#comparer.cheapestFirst(table)
    this.levels = new Uint8Array(fields.length)
  }

  /**
   * Bits for two records. With a `floor`, only those that reach it are weighed to the end; for others it is −Infinity,
   * as soon as it is clear that even the best of what is left would not do.
   */
  weigh(a: number, b: number, floor = Number.NEGATIVE_INFINITY): number {
    const { levels } = this
    const comparer = this.#comparer
    comparer.compareIds(this.#table, a, b, levels)
    let most = this.#prior
    for (let field = 0; field < levels.length; field += 1) {
      if (levels[field] === blank) continue
      most += levels[field] === 0 ? this.#bitsOf(field, a, b) : this.#mostUnlike[field]!
    }
    if (most < floor) return Number.NEGATIVE_INFINITY
    for (let step = 0; step < this.#order.length; step += 1) {
      const field = this.#order[step]!
      if (levels[field] !== 0 && levels[field] !== blank) {
        levels[field] = comparer.compareField(this.#table, a, b, field)
        most += this.#most[field]![levels[field]!]! - this.#mostUnlike[field]!
      }
      if (step + 1 < comparer.names) continue
      if (step + 1 === comparer.names) most += this.#gainOfSwap(a, b)
      if (most < floor) return Number.NEGATIVE_INFINITY
    }
    comparer.refine(this.#table, a, b, levels)
    let weight = this.#prior
    for (let field = 0; field < levels.length; field += 1) weight += this.#bitsOf(field, a, b)
    return weight
  }

  /** Bits more when two names turn out to be swapped. */
  #gainOfSwap(a: number, b: number): number {
    const { levels } = this
    const before = this.#namesAlone()
    this.#comparer.refineNames(this.#table, a, b, levels)
    return this.#namesAlone() - before
  }

  #namesAlone(): number {
    let bits = 0
    for (let step = 0; step < this.#comparer.names; step += 1) {
      const field = this.#order[step]!
      if (this.levels[field] !== blank) bits += this.#weights.alone(field, this.levels[field]!)
    }
    return bits
  }

  /** What each field said of the last pair weighed, which must be this one, in bits; 0 where it is blank. */
  partsOf(a: number, b: number): number[] {
    return Array.from(this.levels, (_, field) => this.#bitsOf(field, a, b))
  }

  #bitsOf(field: number, a: number, b: number): number {
    const level = this.levels[field]!
    if (level === blank) return 0
    const { cells, width } = this.#table
    const isEqual = level === 0 && cells[a * width + field] === cells[b * width + field]
    return this.#weights.bits(field, this.levels, 0, isEqual ? this.#equalBits(field, a) : undefined)
  }

  #equalBits(field: number, record: number): number {
    const share = this.#shares[field]![this.#table.cells[record * this.#table.width + field]!]!
    return Math.log2(this.#mExact[field]! / share)
  }
}
