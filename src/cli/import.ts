import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { createImport, findImport } from '../imports/imports.ts'
import { ImportEnded, type Load, load } from '../imports/load.ts'
import { importKeysOf } from '../imports/match-key.ts'
import { failImport, finishImport, type ImportProgress } from '../imports/progress.ts'
import { frequentReasons, type RefusalReason } from '../imports/refusals.ts'
import type { Import, ImportError } from '../imports/schema.ts'
import { openTable, UnusableFile, unusableFileError } from '../imports/table.ts'
import { readCountry } from '../normalize/country.ts'
import { OperatorError } from '../platform/report.ts'
import { onStopSignal } from '../platform/stop-signal.ts'
import { readFieldOverviews } from '../records/defined-fields/definition.ts'
import { customKey } from '../records/filters/custom.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Command, type CommandContext, readId, type Values } from './command.ts'
import { encodingOfFile } from './file-encoding.ts'
import { openFile, readFile, readMap } from './import-file.ts'
import { requireOrg } from './orgs.ts'
import { type Bar, progressBar } from './progress-bar.ts'

const shownReasonsMax = 20

async function runImport(
  desk: CommandContext,
  type: RecordType,
  path: string,
  values: Values,
): Promise<void> {
  const orgId = readId(String(values.org), '--org')
  const mapping = values.map === undefined ? undefined : readMap(String(values.map))
  const options = readOptions(type, values)
  const encoding = await encodingOfFile(path, values.encoding as string | undefined)
  await using file = await openFile(path)
  await desk.scope.read((tx) => requireOrg(tx, orgId))
  const signal = abortOnSignal(file.source)
  let bytesRead = 0
  const bytes = readFile(file, (length) => {
    bytesRead += length
  })
  // Open the file first: an unusable one must not create an import.
  const org = desk.database.org(orgId)
  const defined = await org.read((tx) => readFieldOverviews(tx, type.entity))
  const asked = { mapping, encoding, matchOn: options.matchOn, defined }
  const table = await openTable(bytes, type, asked).catch((error) => {
    throw error instanceof UnusableFile ? new OperatorError(error.message) : error
  })
  const startedAt = performance.now()
  const importId = await org.transact((tx) =>
    createImport(tx, {
      type,
      status: 'running',
      fileName: path === '-' ? undefined : basename(path),
      bytesTotal: file.bytes ?? 0,
      mapping,
      ...options,
    }),
  )
  const bar = progressBar(file.bytes)
  await loadAll({ org, type, importId, table, signal, ...options }, bar, () => bytesRead).finally(() =>
    bar.stop(),
  )
  const ms = performance.now() - startedAt
  const { done, refusals } = await org.read(async (tx) => ({
    done: await findImport(tx, importId),
    refusals: await frequentReasons(tx, importId, shownReasonsMax),
  }))
  desk.print({ ...done, seconds: Math.round(ms) / 1000, refusals }, reportLines(type, done, refusals, ms))
  // Exit with an error if no row was stored, so that scripts notice.
  if (done.counts.refused > 0 && done.counts.refused === done.counts.rows_read) process.exitCode = 1
}

/** @throws OperatorError */
function readOptions(type: RecordType, values: Values): Pick<Load, 'matchOn' | 'defaultCountry' | 'dryRun'> {
  const { 'match-on': matchOn, 'default-country': country } = values
  const keys = importKeysOf(type)
  if (matchOn !== undefined && !keys.includes(String(matchOn)) && customKey(String(matchOn)) === null)
    throw new OperatorError(`--match-on must be one of ${keys.join(', ')}, custom.<key>, not "${matchOn}".`)
  const code = country === undefined ? undefined : readCountry(String(country))
  if (code === null)
    throw new OperatorError(
      `--default-country must be a two-letter code of ISO 3166-1, such as US, GB or DE, not "${country}".`,
    )
  return {
    matchOn: matchOn === undefined ? undefined : String(matchOn),
    defaultCountry: code,
    dryRun: values['dry-run'] === true,
  }
}

class Interrupted extends OperatorError {
  override name = 'Interrupted'
}

/**
 * A signal that the first Ctrl-C aborts. The import then ends as failed, even if the process waits for standard
 * input. A second Ctrl-C ends the process.
 */
function abortOnSignal(source: Readable): AbortSignal {
  const stopping = new AbortController()
  onStopSignal(() => {
    const reason = new Interrupted('Interrupted.')
    stopping.abort(reason)
    source.destroy(reason)
  })
  return stopping.signal
}

/**
 * Writes the records, and ends the import as succeeded or failed.
 * @throws OperatorError with the number of stored records
 */
async function loadAll(task: Load, bar: Bar, bytesRead: () => number): Promise<void> {
  const { org, type, importId } = task
  const onProgress = ({ rowsRead, refused }: ImportProgress) => bar.update(bytesRead(), rowsRead, refused)
  try {
    await load({ ...task, onProgress })
    await org.transact((tx) => finishImport(tx, importId))
  } catch (error) {
    const why = whyBroken(error)
    const { counts } = await org.transact(async (tx) => {
      await failImport(tx, importId, errorOf(error, why))
      return findImport(tx, importId)
    })
    if (why === null) throw error
    throw new OperatorError(
      `${why} By then ${writtenText(type, counts)}; to revert it: POST /imports/${importId}/revert`,
    )
  }
}

function whyBroken(error: unknown): string | null {
  if (error instanceof UnusableFile || error instanceof OperatorError) return error.message
  return error instanceof ImportEnded ? 'Somebody canceled or reverted this import while it ran.' : null
}

function errorOf(error: unknown, why: string | null): ImportError {
  if (error instanceof UnusableFile) return unusableFileError(error)
  return { code: 'interrupted', message: why ?? 'The command broke off.' }
}

const nounOf = (type: RecordType) => type.path.slice(1)
const shownCount = (count: number) => count.toLocaleString('en')

const createdRecordsText = (type: RecordType, count: number) =>
  count === 1 ? `1 ${type.entity} was created` : `${shownCount(count)} ${nounOf(type)} were created`

/** A text such as `2 contacts were created`. With --match-on, it also counts updated and unchanged records. */
function writtenText(type: RecordType, { created, updated, unchanged }: Import['counts']): string {
  const rows = (count: number) => (count === 1 ? '1 row' : `${shownCount(count)} rows`)
  const matched = [
    updated > 0 ? `${rows(updated)} updated a ${type.entity}` : '',
    unchanged > 0 ? `${rows(unchanged)} changed nothing` : '',
  ]
  return [createdRecordsText(type, created), ...matched.filter((part) => part !== '')].join(', ')
}

function refusedRowsText(count: number): string {
  if (count === 0) return 'no row was refused'
  return count === 1 ? '1 row was refused' : `${shownCount(count)} rows were refused`
}

function reportLines(
  type: RecordType,
  { import_id, columns, counts, dry_run: isDryRun }: Import,
  reasons: RefusalReason[],
  ms: number,
): string[] {
  const { created, updated, refused, rows_read: rows } = counts
  const unexplained = reasons.reduce((left, reason) => left - reason.rows, refused)
  const took = `${(ms / 1000).toFixed(1)} s${ms < 1000 ? '' : ` (${shownCount(Math.round((rows / ms) * 1000))} rows/s)`}`
  const width = Math.max(...(columns ?? []).map(({ header }) => header.length))
  return [
    'Columns:',
    ...(columns ?? []).map(({ header, field }) => `  ${header.padEnd(width)}  → ${field ?? 'left out'}`),
    '',
    ...(isDryRun ? ['Dry run: nothing was written. An import would end with this result:'] : []),
    `${writtenText(type, counts)}, ${refusedRowsText(refused)}, in ${took}.`,
    ...reasons.map((reason) => `  ${lineRanges(reason)}: ${reason.reason}`),
    ...(unexplained > 0 ? [`  and ${shownCount(unexplained)} more: GET /imports/${import_id}/rows`] : []),
    ...(created + updated > 0 && !isDryRun ? ['', `To revert it: POST /imports/${import_id}/revert`] : []),
  ]
}

/** A text such as `line 3`, `lines 3, 4`, or `500 rows, such as lines 3, 4, 9`. */
function lineRanges({ rows, lines }: RefusalReason): string {
  const named = `${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
  return rows > lines.length ? `${shownCount(rows)} rows, such as ${named}` : named
}

function importCommand(type: RecordType): Command {
  return {
    name: `import ${nounOf(type)}`,
    args: ['<file|->'],
    summary: `Create ${nounOf(type)} from a CSV file or a spreadsheet, or update them with --match-on; - is standard input`,
    options: {
      org: { value: '<org_id>', required: true },
      map: { value: '<header>=<field>,…' },
      'match-on': { value: '<key>' },
      'default-country': { value: '<country>' },
      encoding: { value: '<name>' },
      'dry-run': {},
    },
    run: (desk, [path = ''], values) => runImport(desk, type, path, values),
  }
}

export const importCommands: Command[] = [importCommand(contacts), importCommand(companies)]
