import { type FieldKind, fieldsOf } from './fields/plan.ts'
import type { Model, Rates, Schema } from './schema.ts'
import shipped from './shipped-rates.json' with { type: 'json' }

/** What a set is of; `any` is for files with whatever columns. */
type ShippedKind = 'contact' | 'company' | 'deal' | 'any'

type Shipped = {
  version: string
  normVersion: number
  kinds: Record<ShippedKind, { partners: number; rates: Partial<Record<FieldKind, Rates>> }>
}

/**
 * The model that comes with Crosswalk: rates by what a field is, learned from made-up records (`scripts/train-matcher.ts`),
 * for any schema. What is not known of contacts, companies or deals is what is known in general.
 */
export function shippedModel(schema: Schema, kind: ShippedKind): Model {
  const { version, normVersion, kinds }: Shipped = shipped
  const fields = fieldsOf(schema)
  const rates = fields.map(({ name, kind: of }) => {
    // A website is compared by its domain.
    const fieldKind = of === 'url' ? 'domain' : of
    const known = kinds[kind].rates[fieldKind] ?? kinds.any.rates[fieldKind]
    if (known === undefined)
      throw new Error(`No rates are shipped for ${fieldKind}: run scripts/train-matcher.ts.`)
    const given = fields.flatMap((other): [string, number[]][] => {
      const u = other.name === name ? undefined : known.given?.[other.kind]
      return u ? [[other.name, u]] : []
    })
    return [name, { m: known.m, u: known.u, given: Object.fromEntries(given) }] as const
  })
  return {
    version: `${version}/${kind}`,
    normVersion,
    schema,
    partners: kinds[kind].partners,
    rates: Object.fromEntries(rates),
  }
}
