import defaultRates from './default-rates.json' with { type: 'json' }
import { type FieldKind, fieldsOf } from './fields/plan.ts'
import type { Model, Rates, Schema } from './schema.ts'

/** `any` is for files with arbitrary columns. */
type DefaultKind = 'contact' | 'company' | 'deal' | 'any'

type DefaultRates = {
  version: string
  normalizationVersion: number
  kinds: Record<DefaultKind, { partners: number; rates: Partial<Record<FieldKind, Rates>> }>
}

/**
 * The built-in model for a schema. Its rates were counted in generated records (`scripts/train-matcher.ts`). A field
 * without rates for the record type uses the rates of `any`.
 */
export function defaultModel(schema: Schema, kind: DefaultKind): Model {
  const { version, normalizationVersion, kinds }: DefaultRates = defaultRates
  const fields = fieldsOf(schema)
  const rates = fields.map(({ name, kind: of }) => {
    // A website is compared by its domain.
    const fieldKind = of === 'url' ? 'domain' : of
    const known = kinds[kind].rates[fieldKind] ?? kinds.any.rates[fieldKind]
    if (known === undefined)
      throw new Error(`There are no default rates for ${fieldKind}: run scripts/train-matcher.ts.`)
    const given = fields.flatMap((other): [string, number[]][] => {
      const u = other.name === name ? undefined : known.given?.[other.kind]
      return u ? [[other.name, u]] : []
    })
    return [name, { m: known.m, u: known.u, given: Object.fromEntries(given) }] as const
  })
  return {
    version: `${version}/${kind}`,
    normalizationVersion,
    schema,
    partners: kinds[kind].partners,
    rates: Object.fromEntries(rates),
  }
}
