import { blank, Comparer } from './compare.ts'
import type { FeatureTable } from './feature-table.ts'
import type { Field } from './fields/plan.ts'
import type { Rates } from './schema.ts'

/** Bits that each level of a field says: log2(m/u) (Fellegi and Sunter 1969). Above 0 it speaks for a match. */
export function levelWeights({ m, u }: Rates): Float64Array {
  return Float64Array.from(m, (rate, level) => Math.log2(rate / u[level]!))
}

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
  readonly #weights: Float64Array[]
  readonly #equal: Float64Array[]
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
    this.#weights = rates.map(levelWeights)
    this.#equal = shares.map((share, field) =>
      Float64Array.from(share, (each) => Math.log2(rates[field]!.m[0]! / each)),
    )
    this.levels = new Uint8Array(fields.length)
  }

  weigh(a: number, b: number): number {
    this.#comparer.compareIn(this.#table, a, b, this.levels)
    let weight = this.#prior
    for (let field = 0; field < this.levels.length; field += 1) weight += this.#bits(field, a, b)
    return weight
  }

  /** What each field said of the last pair weighed, which must be this one, in bits; 0 where it is blank. */
  partsOf(a: number, b: number): number[] {
    return Array.from(this.levels, (_, field) => this.#bits(field, a, b))
  }

  #bits(field: number, a: number, b: number): number {
    const level = this.levels[field]!
    if (level === blank) return 0
    if (level === 0) {
      const { cells, width } = this.#table
      const id = cells[a * width + field]!
      if (id === cells[b * width + field]!) return this.#equal[field]![id]!
    }
    return this.#weights[field]![level]!
  }
}
