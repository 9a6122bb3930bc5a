import { writeFileSync } from 'node:fs'
import { type EntityRecord, makeCompanies, makeContacts, makeDeals } from '../bench/matching/crm-records.ts'
import { blankLevel, Comparer } from '../src/matching/compare.ts'
import { dependenceOf, drawSharers, ratesGivenAgreement } from '../src/matching/dependence.ts'
import type { FeatureTable } from '../src/matching/feature-table.ts'
import type { ComparedField } from '../src/matching/fields/plan.ts'
import { matchSchemas } from '../src/matching/match-record.ts'
import { normalizationVersion } from '../src/matching/normalize.ts'
import { randomNumbers } from '../src/matching/random.ts'
import { RecordSetBuilder } from '../src/matching/record-set.ts'
import type { Rates, Schema } from '../src/matching/schema.ts'

// Writes src/matching/default-rates.json. The matching pairs of generated records are known, so m and u can be
// counted. Takes 45 s. Afterwards, format the file with Biome.

const entities = 40_000
const randomPairs = 1_000_000
const seed = 2026

const schemas: Readonly<Record<string, Schema>> = {
  ...matchSchemas,
  any: [
    { name: 'first_name', type: 'first_name' },
    { name: 'last_name', type: 'last_name' },
    { name: 'birth_date', type: 'date' },
    { name: 'national_id', type: 'identifier' },
    { name: 'city', type: 'city' },
    { name: 'postcode', type: 'postcode' },
    { name: 'street', type: 'text' },
    { name: 'job_title', type: 'category' },
    { name: 'email', type: 'email' },
    { name: 'phone', type: 'phone' },
    { name: 'company_name', type: 'company_name' },
    { name: 'domain', type: 'domain' },
    { name: 'linkedin_url', type: 'linkedin' },
    { name: 'country', type: 'country' },
    { name: 'amount', type: 'amount' },
    { name: 'external_ids', type: 'external_id' },
  ],
}

const made: Record<string, EntityRecord[]> = {
  contact: makeContacts(entities, seed),
  company: makeCompanies(entities, seed),
  deal: makeDeals(entities, seed),
  any: makeContacts(entities, seed + 1),
}

function learn(records: readonly EntityRecord[], schema: Schema) {
  const builder = new RecordSetBuilder(schema)
  for (const { record } of records) builder.add(record)
  const { fields, table } = builder.finish()
  const byEntity = Map.groupBy(records.keys(), (index) => records[index]!.entity)
  const same = [...byEntity.values()].flatMap((group) =>
    group.flatMap((a, place) => group.slice(place + 1).map((b) => [a, b] as const)),
  )
  const random = randomNumbers(seed)
  const draw = () => Math.floor(random() * records.length)
  const different = Array.from({ length: randomPairs }, () => [draw(), draw()] as const).filter(
    ([a, b]) => records[a]!.entity !== records[b]!.entity,
  )
  const m = ratesOf(fields, table, same)
  const u = ratesOf(fields, table, different)
  const rates = fields.map((_, field): Rates => ({ m: m[field]!, u: u[field]! }))
  const sharers = drawSharers(new Comparer(fields), table, seed)
  const given = ratesGivenAgreement(fields, dependenceOf(fields, sharers, rates), new Set())
  const kindOf = new Map(fields.map(({ name, kind }) => [name, kind]))
  const byKind = fields.map(({ kind }, field) => {
    const explained = Object.entries(given[field]!).map(([name, each]) => [
      kindOf.get(name)!,
      each.map(rounded),
    ])
    return [
      kind,
      { ...rates[field]!, ...(explained.length > 0 ? { given: Object.fromEntries(explained) } : {}) },
    ]
  })
  return { partners: rounded((2 * same.length) / records.length), rates: Object.fromEntries(byKind) }
}

/** Adds half a pair to each level, so that no share is 0. */
function ratesOf(
  fields: readonly ComparedField[],
  table: FeatureTable,
  pairs: readonly (readonly [number, number])[],
): number[][] {
  const comparer = new Comparer(fields)
  const levels = new Uint8Array(fields.length)
  const counts = fields.map(({ type }) => new Array<number>(type.levels.length).fill(0.5))
  for (const [a, b] of pairs) {
    comparer.compareIn(table, a, b, levels)
    for (const [field, level] of levels.entries()) if (level !== blankLevel) counts[field]![level]! += 1
  }
  return counts.map((count) => {
    const total = count.reduce((sum, each) => sum + each, 0)
    return count.map((each) => rounded(each / total))
  })
}

const rounded = (number: number) => Number(number.toPrecision(4))

const shipped = {
  version: 'built-in-1',
  normalizationVersion,
  kinds: Object.fromEntries(
    Object.entries(schemas).map(([kind, schema]) => [kind, learn(made[kind]!, schema)]),
  ),
}
const path = new URL('../src/matching/default-rates.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(shipped, null, 2)}\n`)
