import { type FieldKind, fieldsOf } from '../matcher/fields/plan.ts'
import { normVersion } from '../matcher/normalise.ts'
import type { Model, Rates, Schema } from '../matcher/schema.ts'

/** How often two different records agree exactly by chance, where nothing better is known. */
const chance: Partial<Record<FieldKind, number>> = {
  email: 2e-5,
  phone: 2e-5,
  linkedin: 1e-5,
  external_id: 1e-5,
  identifier: 1e-5,
  domain: 1e-4,
  company_name: 5e-4,
  last_name: 2e-3,
  first_name: 8e-3,
  text: 2e-3,
  city: 2e-2,
  country: 0.3,
  category: 1e-3,
  amount: 5e-3,
}

/** A model with rates as one would guess them. */
export function usualModel(schema: Schema): Model {
  const rates = fieldsOf(schema).map(({ name, kind, type }) => {
    const exact = chance[kind] ?? 0.01
    const levels = type.levels.length
    const u = type.levels.map((_, level) =>
      level === levels - 1 ? 1 - exact * 4 : exact * (level === 0 ? 1 : 2 + level),
    )
    return [name, { m: [...type.usualM], u: [...u] }] as [string, Rates]
  })
  return {
    version: 'usual-1',
    normVersion,
    schema,
    partners: 0.2,
    rates: Object.fromEntries(rates),
    terms: {},
  }
}
