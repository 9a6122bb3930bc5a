import { writeFile } from 'node:fs/promises'
import { blankLevel } from '../matching/compare.ts'
import { type Matches, trainedModelVersion } from '../matching/match.ts'
import type { RecordSet } from '../matching/record-set.ts'
import type { Cluster } from '../matching/schema.ts'
import { probabilityOf } from '../matching/weigh.ts'
import { fileReasonOf, OperatorError } from '../platform/report.ts'
import type { PreviewTable } from './preview-file.ts'

export type PreviewReport = {
  path: string
  table: PreviewTable
  set: RecordSet
  matches: Matches
  isCutGiven: boolean
  out: string | null
  seconds: number
}

const shownExamplesMax = 3
const shownRowsMax = 3
const shownRefusedMax = 3
const cellWidthMax = 100

/** Writes `row_id, cluster_id, score` of every row, in the order of the file. @throws OperatorError */
export async function writeClusters(path: string, { table, matches }: PreviewReport): Promise<string> {
  const { rows } = table
  const clusterOf = new Map<number, Cluster>()
  for (const cluster of matches.clusters) for (const member of cluster.members) clusterOf.set(member, cluster)
  const best = bestWeights(matches, clusterOf)
  const ids = rows.map((_, record) => rows[clusterOf.get(record)?.members[0] ?? record]!.id)
  const lines = rows
    .map(({ line, id }, record) => {
      const weight = best.get(record)
      const score = weight === undefined ? '' : probabilityOf(weight).toFixed(4)
      return { line, text: `${quoted(id)},${quoted(ids[record]!)},${score}` }
    })
    .sort((a, b) => a.line - b.line)
    .map(({ text }) => text)
  try {
    await writeFile(path, `row_id,cluster_id,score\n${lines.join('\n')}\n`)
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${fileReasonOf(error)}.`)
  }
  return path
}

/** For each record in a cluster, the highest weight among its pairs within the cluster. */
function bestWeights({ edges }: Matches, clusterOf: ReadonlyMap<number, Cluster>): Map<number, number> {
  const best = new Map<number, number>()
  for (const [edge, weight] of edges.weights.entries()) {
    const [a, b] = [edges.a[edge]!, edges.b[edge]!]
    if (clusterOf.get(a) === undefined || clusterOf.get(a) !== clusterOf.get(b)) continue
    for (const record of [a, b]) best.set(record, Math.max(weight, best.get(record) ?? -Infinity))
  }
  return best
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const countSurplus = (clusters: readonly Cluster[]): number =>
  clusters.reduce((sum, { members }) => sum + members.length - 1, 0)

/** The report for programs, as a JSON document. */
export function documentOf({ path, table, matches, out, seconds }: PreviewReport): unknown {
  const { clusters, threshold, expectedF1 } = matches
  return {
    file: path,
    rows: table.rows.length,
    refused: table.refused.length,
    duplicates: countSurplus(clusters),
    clusters: clusters.length,
    in_clusters: clusters.reduce((sum, { members }) => sum + members.length, 0),
    largest: Math.max(0, ...clusters.map(({ members }) => members.length)),
    threshold: probabilityOf(threshold),
    expected_f1: expectedF1,
    columns: Object.fromEntries(table.schema.map(({ name, type }) => [name, type])),
    model: matches.model,
    out,
    seconds,
  }
}

/** The report for people, as lines of text. */
export function linesOf(preview: PreviewReport): string[] {
  const { table, matches, out, seconds } = preview
  const { clusters } = matches
  const rows = table.rows.length
  const duplicates = countSurplus(clusters)
  const share = ((100 * duplicates) / rows).toFixed(1)
  return [
    ...columnLines(table),
    '',
    `${counted(rows, 'row')}, ${counted(duplicates, 'duplicate')}: merging them removes ${share} % of the rows, and leaves ${(rows - duplicates).toLocaleString('en')}.`,
    ...(clusters.length > 0 ? [`  ${groupSizesLine(clusters)}`] : []),
    `  ${thresholdLine(preview)}`,
    `  ${modelLine(matches, preview.table)}`,
    ...refusedLines(table),
    ...examplesOf(preview),
    '',
    ...(out === null ? [] : [`Every row's cluster: ${out}`]),
    `Took ${seconds.toFixed(1)} s. Nothing was changed.`,
  ]
}

function columnLines({ header, schema, idColumn }: PreviewTable): string[] {
  const width = Math.max(...header.map((name) => name.length))
  const typeOf = new Map<string, string>(schema.map(({ name, type }) => [name, type]))
  typeOf.set(idColumn, 'row_id')
  return [
    'Columns:',
    ...header.map((name) => `  ${name.padEnd(width)}  → ${typeOf.get(name) ?? 'not compared'}`),
  ]
}

function groupSizesLine(clusters: readonly Cluster[]): string {
  const sizes = Map.groupBy(clusters, ({ members }) => members.length)
  const largest = Math.max(...sizes.keys())
  const pairs = sizes.get(2)?.length ?? 0
  if (largest === 2) return `${counted(pairs, 'pair')}.`
  const larger = clusters.length - pairs
  return `${counted(pairs, 'pair')} and ${counted(larger, 'larger group')}, the largest of ${largest} rows.`
}

function thresholdLine({ matches: { threshold, expectedF1 }, isCutGiven }: PreviewReport): string {
  const cut = `Threshold: a probability of ${probabilityOf(threshold).toFixed(2)}`
  if (isCutGiven) return `${cut}, the value of --threshold.`
  if (expectedF1 === null) return `${cut}, because there is little data to learn from.`
  return `${cut}, where the best F1 is expected (${expectedF1.toFixed(2)}).`
}

function modelLine({ model }: Matches, { rows }: PreviewTable): string {
  if (model.version === trainedModelVersion)
    return `The weights of the fields were learned from the ${counted(rows.length, 'row')}, without labels.`
  return `The file is too small to train on, so the built-in model is used (${model.version}). Add --train to train on it anyway.`
}

function refusedLines({ refused }: PreviewTable): string[] {
  if (refused.length === 0) return []
  const shown = refused.slice(0, shownRefusedMax).map(({ line, problem }) => `    line ${line}: ${problem}`)
  const more = refused.length - shown.length
  return [
    `  ${counted(refused.length, 'row')} could not be read and ${refused.length === 1 ? 'is' : 'are'} not in this report:`,
    ...shown,
    ...(more > 0 ? [`    and ${more.toLocaleString('en')} more`] : []),
  ]
}

/** Returns the clusters with the lowest weights, which show whether the threshold is suitable. */
function examplesOf(preview: PreviewReport): string[] {
  const { clusters } = preview.matches
  if (clusters.length === 0) return []
  const leastCertain = clusters.toSorted((a, b) => a.weakest - b.weakest).slice(0, shownExamplesMax)
  return ['', 'The least certain of them:', ...leastCertain.flatMap((cluster) => exampleOf(preview, cluster))]
}

function exampleOf({ table, set, matches }: PreviewReport, { members, weakest }: Cluster): string[] {
  const { weigher } = matches
  const shown = members.slice(0, shownRowsMax)
  const [a, b] = shown as [number, number]
  weigher.weigh(a, b)
  const weights = weigher
    .partsOf(a, b)
    .map((bits, field) => ({ bits, level: weigher.levels[field]!, field: set.fields[field]! }))
    .filter(({ level }) => level !== blankLevel)
    .map(
      ({ bits, level, field }) =>
        `${field.name} ${field.type.levels[level]} ${bits > 0 ? '+' : ''}${bits.toFixed(1)}`,
    )
  const more = members.length - shown.length
  return [
    ...shown.map((record) => {
      const { id, cells } = table.rows[record]!
      return `  ${id}: ${shortenCell(cells.filter((cell) => cell !== '').join(', '))}`
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `    p ${probabilityOf(weakest).toFixed(4)}; in bits: ${weights.join(', ')}`,
  ]
}

const shortenCell = (text: string): string =>
  text.length > cellWidthMax ? `${text.slice(0, cellWidthMax - 1)}…` : text

const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
