import { blankLevel, Comparer } from './compare.ts'
import { float64At, itemAt, numberAt, uint8At, uint32At } from './element-at.ts'
import { type FeatureTable, hasSeveralParts } from './feature-table.ts'
import { sameLocalPartLevel } from './fields/contact-point.ts'
import type { ComparedField } from './fields/plan.ts'
import type { Rates } from './schema.ts'

type Explanation = { other: number; sharedAt: readonly number[]; bits: Float64Array }

/**
 * The weight of a level in bits: log2(m/u) (Fellegi and Sunter 1969). If another field agrees and explains this
 * one, u is the rate among pairs that agree on that field. If several fields explain it, the smallest weight counts.
 */
export class LevelWeights {
  readonly #bits: Float64Array[]
  readonly #explanations: Explanation[][]

  constructor(fields: readonly ComparedField[], rates: readonly Rates[]) {
    this.#bits = rates.map(({ m, u }) => bitsPerLevel(m, u))
    this.#explanations = rates.map(({ m, given = {} }) =>
      Object.entries(given).flatMap(([name, u]) => {
        const other = fields.findIndex((field) => field.name === name)
        return other < 0
          ? []
          : [{ other, sharedAt: itemAt(fields, other).type.sharedAt, bits: bitsPerLevel(m, u) }]
      }),
    )
  }

  /** The weight of a level in bits, without the other fields. */
  alone(field: number, level: number): number {
    return float64At(itemAt(this.#bits, field), level)
  }

  /**
   * The weight of a field, given the levels of the other fields. `equal` is the weight for the frequency of an equal
   * value, in place of the mean weight.
   */
  bits(field: number, levels: Uint8Array, from: number, equal?: number): number {
    const level = uint8At(levels, from + field)
    let bits = equal ?? float64At(itemAt(this.#bits, field), level)
    for (const explanation of itemAt(this.#explanations, field)) {
      if (explanation.sharedAt.includes(uint8At(levels, from + explanation.other))) {
        bits = Math.min(bits, float64At(explanation.bits, level))
      }
    }
    return bits
  }
}

const bitsPerLevel = (m: readonly number[], u: readonly number[]) =>
  Float64Array.from(m, (rate, level) => Math.log2(rate / numberAt(u, level)))

/** Odds are log2; probability is 0 to 1. */
export function probabilityOf(bits: number): number {
  return 1 / (1 + 2 ** -bits)
}

/** The binary logarithm of the odds of a probability, in bits. */
export function log2Odds(probability: number): number {
  return Math.log2(probability / (1 - probability))
}

/**
 * Weighs pairs: the log2 odds of a match are the prior plus the weight of each field. If two values are equal, the
 * share of records with this value replaces the mean u (term frequencies, Winkler 1989). A blank field has weight 0.
 */
export class Weigher {
  readonly #comparer: Comparer
  readonly #table: FeatureTable
  readonly #prior: number
  readonly #weights: LevelWeights
  readonly #shares: readonly Float64Array[]
  readonly #mExact: number[]
  /** The largest weight by field and level, for any other levels. */
  readonly #maxBits: Float64Array[]
  /** The largest weight of unequal values, by field. */
  readonly #unlikeMax: number[]
  readonly #order: number[]
  /** The levels of the last pair; `blankLevel` for missing values. */
  readonly levels: Uint8Array

  constructor(
    fields: readonly ComparedField[],
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
    this.#mExact = rates.map(({ m }) => numberAt(m, 0))
    this.#maxBits = rates.map(({ m, u }, field) => {
      // An address that only repeats the names counts as missing.
      const mayVanish = (level: number) =>
        itemAt(fields, field).kind === 'email' && level === sameLocalPartLevel
      return bitsPerLevel(m, u).map((bits, level) => (mayVanish(level) ? Math.max(0, bits) : bits))
    })
    this.#unlikeMax = this.#maxBits.map((bits, field) =>
      Math.max(...bits.subarray(hasSeveralParts(itemAt(table.columns, field)) ? 0 : 1)),
    )
    this.#order = this.#comparer.cheapestFirst(table)
    this.levels = new Uint8Array(fields.length)
  }

  /** Returns the weight in bits, or −Infinity as soon as it cannot reach `floor`. */
  weigh(a: number, b: number, floor = Number.NEGATIVE_INFINITY): number {
    const { levels } = this
    const comparer = this.#comparer
    comparer.compareIds(this.#table, a, b, levels)
    let bound = this.#prior
    for (let field = 0; field < levels.length; field += 1) {
      if (levels[field] === blankLevel) continue
      bound += levels[field] === 0 ? this.#log2Odds(field, a, b) : numberAt(this.#unlikeMax, field)
    }
    if (bound < floor) return Number.NEGATIVE_INFINITY
    for (let step = 0; step < this.#order.length; step += 1) {
      const field = numberAt(this.#order, step)
      if (levels[field] !== 0 && levels[field] !== blankLevel) {
        levels[field] = comparer.compareField(this.#table, a, b, field)
        bound +=
          float64At(itemAt(this.#maxBits, field), uint8At(levels, field)) - numberAt(this.#unlikeMax, field)
      }
      if (step + 1 < comparer.names) continue
      if (step + 1 === comparer.names) bound += this.#gainOfSwap(a, b)
      if (bound < floor) return Number.NEGATIVE_INFINITY
    }
    comparer.refine(this.#table, a, b, levels)
    let weight = this.#prior
    for (let field = 0; field < levels.length; field += 1) weight += this.#log2Odds(field, a, b)
    return weight
  }

  /** How much the weight grows if the two names are swapped. */
  #gainOfSwap(a: number, b: number): number {
    const { levels } = this
    const before = this.#namesAlone()
    this.#comparer.refineNames(this.#table, a, b, levels)
    return this.#namesAlone() - before
  }

  #namesAlone(): number {
    let bits = 0
    for (let step = 0; step < this.#comparer.names; step += 1) {
      const field = numberAt(this.#order, step)
      if (this.levels[field] !== blankLevel) bits += this.#weights.alone(field, uint8At(this.levels, field))
    }
    return bits
  }

  /** Returns the weight of each field of the pair that was weighed last. A blank field has 0. */
  partsOf(a: number, b: number): number[] {
    return Array.from(this.levels, (_, field) => this.#log2Odds(field, a, b))
  }

  #log2Odds(field: number, a: number, b: number): number {
    const level = uint8At(this.levels, field)
    if (level === blankLevel) return 0
    const { cells, width } = this.#table
    const isEqual = level === 0 && cells[a * width + field] === cells[b * width + field]
    return this.#weights.bits(field, this.levels, 0, isEqual ? this.#equalBits(field, a) : undefined)
  }

  #equalBits(field: number, record: number): number {
    const share = float64At(
      itemAt(this.#shares, field),
      uint32At(this.#table.cells, record * this.#table.width + field),
    )
    return Math.log2(numberAt(this.#mExact, field) / share)
  }
}
