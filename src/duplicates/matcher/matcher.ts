import { blank, Comparer } from './compare.ts'
import { decide, evidenceOf } from './decide.ts'
import { type Field, fieldsOf } from './fields/plan.ts'
import { keyKindsOf, keysOf } from './keys.ts'
import { normaliseRecord, normVersion } from './normalise.ts'
import { priorOf } from './prior.ts'
import type { Features, Matcher, MatcherOptions, Model } from './schema.ts'
import { bitsOf, LevelWeights, probabilityOf } from './weigh.ts'

/**
 * A matcher for single records of one schema: what is normalised, keyed and compared one by one. Sets of many records
 * go through `matchRecords`, which says the same of a pair but for how frequent its values are: there that is counted,
 * here it is the model's `terms`.
 * @throws Error for a model of another normVersion, or without rates for a field
 */
export function createMatcher({ schema, model, records, defaultCountry = null }: MatcherOptions): Matcher {
  const fields = fieldsOf(schema)
  const kinds = keyKindsOf(fields)
  const weighing = new FeatureWeigher(fields, model, bitsOf(priorOf(model.partners, records)))
  return {
    fields: fields.map(({ name }) => name),
    keyKinds: kinds.map(({ name }) => name),
    normalise: (record) => normaliseRecord(fields, record, { defaultCountry }),
    keys: (features) => keysOf(kinds, features),
    score(a, b) {
      const { bits } = weighing.weigh(a, b)
      return { weight: bits, probability: probabilityOf(bits) }
    },
    evidence(a, b) {
      const { levels, weights } = weighing.weigh(a, b)
      return evidenceOf(fields, levels, weights)
    },
    decide(a, b, limits) {
      const { levels, weights, bits } = weighing.weigh(a, b)
      return decide(fields, levels, weights, bits, limits)
    },
  }
}

class FeatureWeigher {
  readonly #comparer: Comparer
  readonly #weights: LevelWeights
  /** Bits for an equal value that the model knows how frequent it is. */
  readonly #terms: ReadonlyMap<string, number>[]
  readonly #prior: number

  constructor(fields: readonly Field[], model: Model, prior: number) {
    const rates = ratesFor(fields, model)
    this.#comparer = new Comparer(fields)
    this.#weights = new LevelWeights(fields, rates)
    this.#terms = fields.map(({ name }, field) => {
      const terms = Object.entries(model.terms[name] ?? {})
      return new Map(terms.map(([value, share]) => [value, Math.log2(rates[field]!.m[0]! / share)]))
    })
    this.#prior = prior
  }

  weigh(a: Features, b: Features): { levels: Uint8Array; weights: number[]; bits: number } {
    const levels = new Uint8Array(this.#terms.length)
    this.#comparer.compare(a, b, levels)
    const weights = Array.from(levels, (level, field) => {
      if (level === blank) return 0
      const term = level === 0 && a[field] === b[field] ? this.#terms[field]!.get(a[field]!) : undefined
      return this.#weights.bits(field, levels, 0, term)
    })
    return { levels, weights, bits: weights.reduce((sum, weight) => sum + weight, this.#prior) }
  }
}

/** The model's rates in the order of fields. @throws Error when they do not fit */
export function ratesFor(fields: readonly Field[], model: Model) {
  if (model.normVersion !== normVersion) {
    throw new Error(
      `Model ${model.version} is of normVersion ${model.normVersion}, not ${normVersion}: train it again.`,
    )
  }
  return fields.map(({ name, type }) => {
    const rates = model.rates[name]
    if (rates?.m.length === type.levels.length && rates.u.length === type.levels.length) return rates
    throw new Error(`Model ${model.version} has no rates that fit the field ${name}.`)
  })
}
