import { availableParallelism } from 'node:os'
import { defaultModel } from '../matching/default-model.ts'
import { matchRecords } from '../matching/match.ts'
import { RecordSetBuilder } from '../matching/record-set.ts'
import { log2Odds } from '../matching/weigh.ts'
import { OperatorError } from '../platform/report.ts'
import type { Command, Print, Values } from './command.ts'
import { mapDescription, readMapFile, readTable } from './preview-file.ts'
import { documentOf, linesOf, type PreviewReport, writeClusters } from './preview-report.ts'

const threadsMax = 4
// Below this number of rows, the default model is used: the file has too few duplicates to train a model.
const trainingRowsMin = 200
const evenOddsBits = 0

/** Finds the duplicates within a CSV file. Only the file of --out is written. */
async function preview(print: Print, values: Values, path: string): Promise<void> {
  const startedAt = performance.now()
  const given = readThreshold(values.threshold)
  const table = await readTable(path, await readMapFile(String(values.map)))
  const builder = new RecordSetBuilder(table.schema)
  for (const { cells } of table.rows) {
    builder.add(Object.fromEntries(table.schema.map(({ name }, column) => [name, cells[column]])))
  }
  const set = builder.finish()
  const isSmall = table.rows.length < trainingRowsMin && values.train !== true
  // In few rows, the threshold with the best F1 is unreliable.
  const threshold = given ?? (isSmall ? evenOddsBits : null)
  const matches = await matchRecords(set, {
    ...(isSmall ? { model: defaultModel(table.schema, 'any') } : {}),
    threads: Math.min(threadsMax, availableParallelism()),
    ...(threshold === null ? {} : { threshold }),
  })
  const found: PreviewReport = {
    path,
    table,
    set,
    matches,
    isCutGiven: given !== null,
    out: null,
    seconds: 0,
  }
  if (values.out !== undefined) found.out = await writeClusters(String(values.out), found)
  found.seconds = Math.round(performance.now() - startedAt) / 1000
  print(documentOf(found), linesOf(found))
}

/** Reads a threshold in bits. @throws OperatorError */
function readThreshold(value: string | boolean | undefined): number | null {
  if (value === undefined) return null
  const probability = Number(value)
  if (probability > 0 && probability < 1) return log2Odds(probability)
  throw new OperatorError(
    `--threshold is a probability between 0 and 1, such as 0.5 (a lower one finds more duplicates, and more wrong ones), not "${value}".`,
  )
}

export const duplicateCommands: Command[] = [
  {
    name: 'duplicates preview',
    args: ['<file.csv>'],
    summary: 'Find the duplicates in a CSV file, without a database',
    options: {
      map: { value: '<map.json>', required: true, missing: mapDescription },
      out: { value: '<clusters.csv>' },
      train: {},
      threshold: { value: '<probability>' },
    },
    async runWithoutDatabase(print, values, [path = '']) {
      await preview(print, values, path)
    },
  },
]
