import { writeFileSync } from 'node:fs'
import { type EntityRecord, makeCompanies, makeContacts, makeDeals } from '../bench/matching/crm-records.ts'
import { blankLevel, Comparer } from '../src/matching/compare.ts'
import { dependenceOf, drawSharers, ratesGivenAgreement } from '../src/matching/dependence.ts'
import type { FeatureTable } from '../src/matching/feature-table.ts'
import type { ComparedField } from '../src/matching/fields/plan.ts'
import { normalizationVersion } from '../src/matching/normalize.ts'
import { randomNumbers } from '../src/matching/random.ts'
import { RecordSetBuilder } from '../src/matching/record-set.ts'
import type { ColumnType, Rates, Schema } from '../src/matching/schema.ts'

// Writes src/matching/default-rates.json. The matching pairs of generated records are known, so m and u can be
// counted. Takes 45 s. Afterwards, format the file with Biome.

const entities = 40_000
const randomPairs = 1_000_000
const seed = 2026

const schemas: Record<string, Partial<Record<string, ColumnType>>> = {
  contact: {
    email: 'email',
    phone: 'phone',
    linkedin_url: 'linkedin',
    external_ids: 'external_id',
    first_name: 'first_name',
    last_name: 'last_name',
    company_name: 'company_name',
    city: 'city',
    country: 'country',
  },
  company: {
    domain: 'domain',
    name: 'company_name',
    phone: 'phone',
    linkedin_url: 'linkedin',
    external_ids: 'external_id',
    city: 'city',
    country: 'country',
  },
  deal: { external_ids: 'external_id', name: 'text', amount: 'amount', company_id: 'category' },
  any: {
    first_name: 'first_name',
    last_name: 'last_name',
    birth_date: 'date',
    national_id: 'identifier',
    city: 'city',
    postcode: 'postcode',
    street: 'text',
    job_title: 'category',
    email: 'email',
    phone: 'phone',
    company_name: 'company_name',
    domain: 'domain',
    linkedin_url: 'linkedin',
    country: 'country',
    amount: 'amount',
    external_ids: 'external_id',
  },
}

const made: Record<string, EntityRecord[]> = {
  contact: makeContacts(entities, seed),
  company: makeCompanies(entities, seed),
  deal: makeDeals(entities, seed),
  any: makeContacts(entities, seed + 1),
}

function learn(records: readonly EntityRecord[], columns: Partial<Record<string, ColumnType>>) {
  const schema: Schema = Object.entries(columns).map(([name, type]) => ({ name, type: type! }))
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
    Object.entries(schemas).map(([kind, columns]) => [kind, learn(made[kind]!, columns)]),
  ),
}
const path = new URL('../src/matching/default-rates.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(shipped, null, 2)}\n`)
