import { blankLevel, Comparer } from './compare.ts'
import { decidePair } from './decide.ts'
import { type ComparedField, fieldsOf } from './fields/plan.ts'
import { normalizationVersion, normalizeRecord } from './normalize.ts'
import { priorOf } from './prior.ts'
import type { Features, Matcher, MatcherOptions, Model } from './schema.ts'
import { LevelWeights, log2Odds, probabilityOf } from './weigh.ts'

/**
 * Makes a matcher for single records, which assumes the mean frequency of a value. For sets, use `matchRecords`,
 * which counts the frequency of each.
 * @throws Error for a model of another normalizationVersion, or without rates for a field
 */
export function createMatcher({ schema, model, records, defaultCountry = null }: MatcherOptions): Matcher {
  const fields = fieldsOf(schema)
  const weighing = new FeatureWeigher(fields, model, log2Odds(priorOf(model.partners, records)))
  return {
    fields: fields.map(({ name }) => name),
    normalize: (record) => normalizeRecord(fields, record, { defaultCountry }),
    score(a, b) {
      const { bits } = weighing.weigh(a, b)
      return { weight: bits, probability: probabilityOf(bits) }
    },
    decide(a, b, limits) {
      const { levels, weights, bits } = weighing.weigh(a, b)
      return decidePair(fields, levels, weights, bits, limits)
    },
  }
}

class FeatureWeigher {
  readonly #comparer: Comparer
  readonly #weights: LevelWeights
  readonly #width: number
  readonly #prior: number

  constructor(fields: readonly ComparedField[], model: Model, prior: number) {
    this.#comparer = new Comparer(fields)
    this.#weights = new LevelWeights(fields, ratesFor(fields, model))
    this.#width = fields.length
    this.#prior = prior
  }

  weigh(a: Features, b: Features): { levels: Uint8Array; weights: number[]; bits: number } {
    const levels = new Uint8Array(this.#width)
    this.#comparer.compare(a, b, levels)
    const weights = Array.from(levels, (level, field) =>
      level === blankLevel ? 0 : this.#weights.bits(field, levels, 0),
    )
    return { levels, weights, bits: weights.reduce((sum, weight) => sum + weight, this.#prior) }
  }
}

/**
 * The rates in the order of the fields.
 * @throws Error if the model lacks rates
 */
export function ratesFor(fields: readonly ComparedField[], model: Model) {
  if (model.normalizationVersion !== normalizationVersion) {
    throw new Error(
      `Model ${model.version} is of normalizationVersion ${model.normalizationVersion}, not ${normalizationVersion}: train it again.`,
    )
  }
  return fields.map(({ name, type }) => {
    const rates = model.rates[name]
    if (rates?.m.length === type.levels.length && rates.u.length === type.levels.length) return rates
    throw new Error(`Model ${model.version} has no rates that fit the field ${name}.`)
  })
}
