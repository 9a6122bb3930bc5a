// Measures quality and speed of comparing names, with the labeled pairs of name_bench_cases.csv (OpenSanctions
// nomenklatura, MIT) in the folder MATCHING_DATA. Development did not use half of the pairs, chosen by hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readCompanyName } from '../../src/matching/names/company.ts'
import { compareCompanyNames } from '../../src/matching/names/compare-companies.ts'
import { comparePersonNames } from '../../src/matching/names/compare-persons.ts'
import { sameFrom } from '../../src/matching/names/comparison.ts'
import { readPersonName } from '../../src/matching/names/person.ts'

type Case = { schema: string; name1: string; name2: string; is_match: string }
type Scored = { similarity: number; isMatch: boolean }

const folder = process.env.MATCHING_DATA
if (folder === undefined) throw new Error('MATCHING_DATA names no folder')
const cases: Case[] = parse(readFileSync(join(folder, 'name_bench_cases.csv'), 'utf8'), { columns: true })

const isHeldOut = ({ name1, name2 }: Case) =>
  createHash('sha256').update([name1, name2].sort().join('\t')).digest()[0]! % 2 === 1

const ours = ({ schema, name1, name2 }: Case) =>
  (schema === 'Person'
    ? comparePersonNames(readPersonName(name1), readPersonName(name2))
    : compareCompanyNames(readCompanyName(name1), readCompanyName(name2))
  )?.similarity ?? 0

console.log('| pairs | threshold | precision | recall | F1 | accuracy |\n|---|---|---|---|---|---|')
for (const schema of ['Person', 'Company', 'other']) {
  const ofSchema = cases.filter((one) =>
    schema === 'other' ? !['Person', 'Company'].includes(one.schema) : one.schema === schema,
  )
  const halves = [
    ['seen', ofSchema.filter((one) => !isHeldOut(one))],
    ['held out', ofSchema.filter(isHeldOut)],
    ['all', ofSchema],
  ] as const
  for (const [half, some] of halves) {
    const scored = some.map((one) => ({ similarity: ours(one), isMatch: one.is_match === 'true' }))
    print(`${schema}, ${half} (${some.length})`, sameFrom, scored)
    const plain = some.map((one) => ({ similarity: levenshtein(one), isMatch: one.is_match === 'true' }))
    print('Levenshtein, best F1', bestThreshold(plain, 'f1'), plain)
    print('Levenshtein, best accuracy', bestThreshold(plain, 'accuracy'), plain)
  }
}
speed()

function print(title: string, threshold: number, scored: Scored[]): void {
  const { precision, recall, f1, accuracy } = quality(scored, threshold)
  const figures = [threshold, precision, recall, f1, accuracy].map((figure) => figure.toFixed(3))
  console.log(`| ${title} | ${figures.join(' | ')} |`)
}

function quality(scored: Scored[], threshold: number) {
  const said = scored.filter(({ similarity }) => similarity >= threshold)
  const right = said.filter(({ isMatch }) => isMatch).length
  const matches = scored.filter(({ isMatch }) => isMatch).length
  const precision = right / Math.max(1, said.length)
  const recall = right / Math.max(1, matches)
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1, accuracy: 1 - (said.length - right + matches - right) / scored.length }
}

function bestThreshold(scored: Scored[], by: 'f1' | 'accuracy'): number {
  const thresholds = [...new Set(scored.map(({ similarity }) => similarity))]
  return thresholds.reduce((best, one) => (quality(scored, one)[by] > quality(scored, best)[by] ? one : best))
}

function levenshtein({ name1, name2 }: Case): number {
  const [a, b] = [name1.toLowerCase(), name2.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return 1 - row[b.length]! / Math.max(a.length, b.length, 1)
}

function speed(): void {
  const people = cases.filter(({ schema }) => schema === 'Person').flatMap((one) => [one.name1, one.name2])
  const companies = cases
    .filter(({ schema }) => schema === 'Company')
    .flatMap((one) => [one.name1, one.name2])
  const read = { people: people.map(readPersonName), companies: companies.map(readCompanyName) }
  const fields = people.map((name) => ({ given: name.split(' ')[0], family: name.split(' ').at(-1) }))
  rate('read persons, full name', people.length, (i) => readPersonName(people[i]!))
  rate('read persons, two fields', fields.length, (i) => readPersonName(fields[i]!))
  rate('read companies', companies.length, (i) => readCompanyName(companies[i]!))
  const pairs = read.people.length
  rate('compare persons', pairs, (i) =>
    comparePersonNames(read.people[i]!, read.people[(i * 7 + 1) % pairs]!),
  )
  rate('compare persons, labeled', pairs, (i) =>
    comparePersonNames(read.people[i & ~1]!, read.people[i | 1]!),
  )
  const firms = read.companies
  rate('compare companies', firms.length, (i) =>
    compareCompanyNames(firms[i]!, firms[(i * 7 + 1) % firms.length]!),
  )
  rate('compare companies, labeled', firms.length, (i) => compareCompanyNames(firms[i & ~1]!, firms[i | 1]!))
}

function rate(title: string, count: number, act: (index: number) => unknown): void {
  const rounds = Math.ceil(200_000 / count)
  let best = 0
  for (let turn = 0; turn < 3; turn++) {
    const start = process.cpuUsage()
    for (let round = 0; round < rounds; round++) for (let i = 0; i < count; i++) act(i)
    const { user, system } = process.cpuUsage(start)
    best = Math.max(best, (rounds * count * 1000) / (user + system))
  }
  console.log(`${title}: ${Math.round(best)} thousand a second of CPU`)
}
