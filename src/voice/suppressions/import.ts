import { Readable } from 'node:stream'
import type { z } from 'zod'
import { fromCell } from '../../csv/cell.ts'
import { readCsv } from '../../csv/csv.ts'
import { readPhone } from '../../normalize/phone.ts'
import { readTime } from '../../normalize/time.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { ErrorCode } from '../../platform/error-codes/catalog.ts'
import { refuse } from '../../platform/http/fields.ts'
import { timelyChunks } from '../../platform/http/timely-chunks.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { limitLongWork, mapInSlices } from '../../platform/slices.ts'
import { csvColumns } from './csv.ts'
import { csvRowsMax, type ImportedSuppressions, type ImportSuppressions } from './schema.ts'
import { type NewSuppression, suppress } from './suppressions.ts'

const csvBytesMax = 1024 * 1024
/**
 * The maximum length of a row: its four cells have about 250 characters each. A longer row probably has an unclosed
 * quote.
 */
const rowBytesMax = 8 * 1024
const refusalsMax = 1_000

export type ReadRows = {
  suppressions: NewSuppression[]
  existing: number
  refusals: ImportedSuppressions['refusals']
  refused: number
}

type ImportRow = { row: number } & (
  | { problem: string }
  | { number: string; reason: string | null; source: string | null; since: number | null | string }
)

/** Reads the rows of a JSON body. */
export function readItems(
  org: Org,
  { suppressions }: z.output<typeof ImportSuppressions>,
): Promise<ReadRows> {
  const rows = suppressions.map(({ number, reason, source, since }, index) => ({
    ...{ row: index + 1, number, reason: reason || null, source: source || null, since: since ?? null },
  }))
  return readRows(org, [rows])
}

/**
 * Reads a CSV file with the columns of the export. Only `number` is required.
 * @throws ValidationError if the file is unusable or has too many rows; DomainError timeout,
 * too_large
 */
export async function readFile(
  org: Org,
  { payerId }: Caller,
  stream: Readable,
  bytesAnnounced: number,
): Promise<ReadRows> {
  if (bytesAnnounced > csvBytesMax) throw tooLarge()
  // Read before waiting for a turn: a file that arrives slowly must not block others.
  const bytes = await readStream(stream)
  return limitLongWork(payerId, () => readBytes(org, payerId, bytes))
}

async function readBytes(org: Org, owner: string, bytes: Buffer): Promise<ReadRows> {
  const file = await readCsv(Readable.from([bytes]), { owner, rowBytesMax })
  if ('problem' in file) throw unusable(file.problem)
  const header = file.header.map((name) => name.trim().toLowerCase())
  const unknown = header.filter((name) => !csvColumns.includes(name as never))
  if (unknown.length > 0 || !header.includes('number') || new Set(header).size < header.length)
    throw unusable(
      `The header must name \`number\`, and may name \`reason\`, \`source\` and \`since\`, each once: it names ${header.slice(0, 10).join(', ').slice(0, 200)}.`,
    )
  const cellOf = (cells: readonly string[], name: (typeof csvColumns)[number]) => {
    const index = header.indexOf(name)
    return (index < 0 ? null : fromCell(cells[index] ?? '')) || null
  }
  async function* rows(): AsyncGenerator<ImportRow[]> {
    if ('problem' in file) return
    for await (const batch of file.rows)
      yield batch.map((row) => {
        if ('problem' in row) return { row: row.line, problem: row.problem }
        const cell = (name: (typeof csvColumns)[number]) => cellOf(row.cells, name)
        const [reason, source, since] = [cell('reason'), cell('source'), cell('since')]
        return { row: row.line, number: cell('number') ?? '', reason, source, since }
      })
  }
  return readRows(org, rows())
}

/** Stores the suppressions of an import. Returns its answer. */
export async function storeRows(
  tx: OrgTx,
  { suppressions, existing, refusals, refused }: ReadRows,
): Promise<ImportedSuppressions> {
  const created = await suppress(tx, suppressions)
  return { created, existing: existing + suppressions.length - created, refused, refusals }
}

async function readStream(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of timelyChunks(stream)) {
    bytes += chunk.length
    if (bytes > csvBytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function readRows(org: Org, batches: AsyncIterable<ImportRow[]> | ImportRow[][]): Promise<ReadRows> {
  const { default_country: country } = await org.read((tx) => findOrg(tx))
  const read: ReadRows = { suppressions: [], existing: 0, refusals: [], refused: 0 }
  const seen = new Set<string>()
  let rows = 0
  const take = (row: ImportRow) => {
    if (++rows > csvRowsMax)
      throw unusable(`The file has more than ${csvRowsMax} rows. Send it in parts of at most that size.`)
    const made = suppressionOf(row, country)
    if ('problem' in made) {
      read.refused++
      if (read.refusals.length < refusalsMax)
        read.refusals.push({ row: row.row, code: codeOf(row), reason: made.problem })
    } else if (seen.has(made.number)) read.existing++
    else {
      seen.add(made.number)
      read.suppressions.push(made)
    }
  }
  for await (const batch of batches) await mapInSlices(org.payerId, batch, take)
  return read
}

const codeOf = (row: ImportRow): ErrorCode => ('problem' in row ? 'row_unreadable' : 'validation_failed')

function suppressionOf(row: ImportRow, country: string | null): NewSuppression | { problem: string } {
  if ('problem' in row) return row
  const read = readPhone(row.number, country)
  if ('problem' in read) return { problem: `number: ${read.problem}` }
  for (const [name, max] of [
    ['reason', 200],
    ['source', 120],
  ] as const)
    if ((row[name]?.length ?? 0) > max) return { problem: `${name}: it has more than ${max} characters` }
  const since = typeof row.since === 'string' ? readTime(row.since) : row.since
  if (row.since !== null && since === null)
    return { problem: 'since: write it as 2026-08-02, 2026-08-02T09:30:00Z or in Unix seconds' }
  return { number: read.e164, reason: row.reason, source: row.source ?? 'import', since }
}

const unusable = (problem: string) => new ValidationError([detailAt(['body'], refuse(problem))])

const tooLarge = () =>
  new DomainError(
    'body_too_large',
    `The file is larger than ${csvBytesMax} bytes, the maximum of this endpoint. Send it in parts.`,
  )
