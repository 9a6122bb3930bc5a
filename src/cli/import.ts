import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { createImport, endImport, findImport, refusalsAfter } from '../imports/imports.ts'
import { load, Unusable } from '../imports/load.ts'
import { OperatorError } from '../platform/report.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Command, type Desk, readId, required } from './command.ts'
import { requireOrg } from './orgs.ts'

const refusalsShown = 20

/** `Mail=email,Nr=external_id:shop` as a mapping. */
function readMap(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1) throw new OperatorError(`--map is "<header>=<field>,…"; "${pair}" has no =.`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

/** Where standard input or a file stands as a source, with its size if it has one. */
async function openFile(path: string): Promise<{ source: AsyncIterable<Buffer>; bytes: number | null }> {
  if (path === '-') return { source: process.stdin, bytes: null }
  const { size, isFile } = await stat(path).then(
    (found) => ({ size: found.size, isFile: found.isFile() }),
    (error) => {
      throw new OperatorError(`The file cannot be read: ${(error as Error).message}`)
    },
  )
  return { source: createReadStream(path), bytes: isFile ? size : null }
}

async function runImport(
  desk: Desk,
  type: RecordType,
  path: string,
  values: Record<string, unknown>,
): Promise<void> {
  const orgId = readId(required(values as never, 'org'), '--org')
  const mapping = typeof values.map === 'string' ? readMap(values.map) : undefined
  const { source, bytes } = await openFile(path)
  await desk.scope.read((tx) => requireOrg(tx, orgId))
  const org = desk.database.org(orgId)
  const actor = { orgId, mode: 'live', apiKeyId: null } as const
  const fileName = path === '-' ? undefined : basename(path)
  const importId = await org.transact((tx) =>
    createImport(tx, actor, { type, status: 'running', fileName, mapping }),
  )
  const stopping = new AbortController()
  const stop = () =>
    stopping.abort(
      new Unusable('Interrupted by the operator; the rows so far are there, and can be reverted'),
    )
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const bar = progressBar(type, bytes)
  const startedAt = performance.now()
  let read = 0
  try {
    const progress = { rowsRead: 0, created: 0, refused: 0 }
    await load({
      org,
      actor,
      type,
      importId,
      source: counted(source, (length) => {
        read += length
      }),
      mapping,
      progress,
      signal: stopping.signal,
      onProgress: ({ rowsRead, refused }) => {
        const rate = Math.round(rowsRead / ((performance.now() - startedAt) / 1000))
        bar?.update(read, {
          rows: rowsRead.toLocaleString('en'),
          refused: refused.toLocaleString('en'),
          rate: rate.toLocaleString('en'),
        })
      },
    })
    await org.transact((tx) => endImport(tx, actor, importId, null))
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    await org.transact((tx) => endImport(tx, actor, importId, error.message))
    throw new OperatorError(error.message)
  } finally {
    bar?.stop()
  }
  await report(desk, orgId, importId, type, performance.now() - startedAt)
}

async function* counted(
  source: AsyncIterable<Buffer>,
  count: (length: number) => void,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of source) {
    count(chunk.length)
    yield chunk
  }
}

function progressBar(type: RecordType, bytes: number | null): SingleBar | null {
  if (!process.stderr.isTTY || bytes === null) return null
  const format = ` {bar} {percentage} %  {rows} ${type.path.slice(1)}, {refused} refused, {rate}/s, {eta_formatted} left`
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic)
  bar.start(bytes, 0, { rows: 0, refused: 0, rate: 0 })
  return bar
}

async function report(
  desk: Desk,
  orgId: string,
  importId: string,
  type: RecordType,
  ms: number,
): Promise<void> {
  const org = desk.database.org(orgId)
  const { done, refusals } = await org.read(async (tx) => ({
    done: await findImport(tx, importId),
    refusals: await refusalsAfter(tx, importId, 0, refusalsShown),
  }))
  const { created, refused } = done.counts
  const rate = Math.round(done.counts.rows_read / (ms / 1000)).toLocaleString('en')
  const columns = (done.columns ?? []).map(({ header, field }) => `  ${header} → ${field ?? 'left out'}`)
  desk.print({ ...done, seconds: Math.round(ms) / 1000, refusals }, [
    'Columns:',
    ...columns,
    '',
    `${created.toLocaleString('en')} ${type.path.slice(1)} created, ${refused.toLocaleString('en')} rows refused, in ${(ms / 1000).toFixed(1)} s (${rate} rows/s).`,
    ...refusals.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(refused > refusals.length
      ? [`  and ${refused - refusals.length} more: GET /imports/${importId}/rows`]
      : []),
    '',
    `Take it back: POST /imports/${importId}/revert`,
  ])
}

function importCommand(type: RecordType): Command {
  const plural = type.path.slice(1)
  return {
    name: `import ${plural}`,
    args: ['<file.csv|->'],
    summary: `Create ${plural} from a CSV file`,
    options: { org: { type: 'string' }, map: { type: 'string' } },
    run: (desk, [path], values) => runImport(desk, type, path!, values),
  }
}

export const importCommands: Command[] = [importCommand(contacts), importCommand(companies)]
