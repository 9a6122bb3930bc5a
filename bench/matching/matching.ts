// Measures quality and speed of finding duplicates, in public sets and in generated ones. MATCHING_DATA is the folder of
// the public sets (febrl3.csv, febrl4a.csv, febrl4b.csv, fake_1000.csv, name_bench_cases.csv). The matcher gets no labels:
// training on the set itself also chooses the threshold with the best expected F1.
//   MATCHING_DATA=<folder> npm run bench:matching [-- --made-up 20000] [--only febrl]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { automaticClusters } from '../../src/matching/automatic-clusters.ts'
import { matchRecords } from '../../src/matching/match.ts'
import { RecordSetBuilder } from '../../src/matching/record-set.ts'
import { probabilityOf } from '../../src/matching/weigh.ts'
import { bCubed, pairwise, type Quality } from './evaluate.ts'
import { type LabeledSet, madeUpSets, publicSets } from './matching-sets.ts'

const { values } = parseArgs({
  options: { 'made-up': { type: 'string', default: '20000' }, only: { type: 'string', default: '' } },
})
const folder = process.env.MATCHING_DATA
const sets = [...(folder === undefined ? [] : publicSets(folder)), ...madeUpSets(Number(values['made-up']))]
const chosen = sets.filter(({ name }) => name.includes(values.only))
const autoPrecisionBar = 0.999

console.log('| set | rows | cut at | F1 expected | precision | recall | F1 | B³ F1 | automatic P | R | s |')
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
for (const set of chosen) await run(set)
if (folder === undefined) console.log('\nMATCHING_DATA names no folder: the public sets are left out.')
else if (values.only === '' && existsSync(join(folder, 'name_bench_cases.csv'))) {
  console.log('')
  await import('./names.ts')
}

async function run({ name, schema, rows, truth, bar, autoBar }: LabeledSet): Promise<void> {
  const startedAt = performance.now()
  const builder = new RecordSetBuilder(schema)
  for (const row of rows) builder.add(row)
  const set = builder.finish()
  const matches = await matchRecords(set, { threads: 2 })
  const seconds = (performance.now() - startedAt) / 1000
  const found = pairwise(matches.clusters, truth)
  const automatic = pairwise(automaticClusters(set, matches), truth)
  const cells = [
    name,
    rows.length.toLocaleString('en'),
    probabilityOf(matches.threshold).toFixed(2),
    (matches.expectedF1 ?? 0).toFixed(3),
    ...shown(found),
    bCubed(matches.clusters, truth).f1.toFixed(4),
    ...shown(automatic).slice(0, 2),
    seconds.toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (bar !== null && found.f1 < bar) fail(`${name}: F1 ${found.f1} is below ${bar}`)
  if (automatic.precision < autoPrecisionBar && autoBar !== null) {
    fail(`${name}: automatic precision ${automatic.precision} is below ${autoPrecisionBar}`)
  }
  if (autoBar !== null && automatic.recall < autoBar) fail(`${name}: automatic recall is below ${autoBar}`)
}

function shown({ precision, recall, f1 }: Quality): string[] {
  return [precision, recall, f1].map((number) => number.toFixed(4))
}

function fail(problem: string): void {
  console.log(`FAILED: ${problem}`)
  process.exitCode = 1
}
