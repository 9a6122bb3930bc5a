import { blank, Comparer } from '../matcher/compare.ts'
import { decide } from '../matcher/decide.ts'
import { type Field, fieldsOf } from '../matcher/fields/plan.ts'
import { normaliseRecord } from '../matcher/normalise.ts'
import type { Decision, Features, Limits, MatchRecord, Schema } from '../matcher/schema.ts'
import { bitsOf } from '../matcher/weigh.ts'

/** What judging takes of a matcher. */
export type Weighing = {
  readonly fields: readonly string[]
  normalise(record: MatchRecord): Features
  decide(one: Features, other: Features, limits: Limits): Decision
}

/** How often two different records agree exactly by chance, where nothing better is known. */
const chance: Partial<Record<Field['kind'], number>> = {
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

/** A matcher with rates as one would guess them. */
export function usualMatcher(schema: Schema, records: number): Weighing {
  const fields = fieldsOf(schema)
  const comparer = new Comparer(fields)
  const prior = bitsOf(Math.min(0.5, 0.2 / records))
  const weights = fields.map(({ kind, type }) =>
    type.usualM.map((m, level) => weightOf(kind, m, level, type.levels.length)),
  )
  return {
    fields: fields.map(({ name }) => name),
    normalise: (record) => normaliseRecord(fields, record, { defaultCountry: null }),
    decide(one, other, limits) {
      const levels = new Uint8Array(fields.length)
      comparer.compare(one, other, levels)
      const parts = Array.from(levels, (level, field) => (level === blank ? 0 : weights[field]![level]!))
      return decide(
        fields,
        levels,
        parts,
        parts.reduce((sum, part) => sum + part, prior),
        limits,
      )
    },
  }
}

function weightOf(kind: Field['kind'], m: number, level: number, levels: number): number {
  const exact = chance[kind] ?? 0.01
  const u = level === levels - 1 ? 1 - exact * 4 : exact * (level === 0 ? 1 : 2 + level)
  return Math.log2(m / u)
}
