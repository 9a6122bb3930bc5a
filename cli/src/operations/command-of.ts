import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Crosswalk } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import type { ParsedArguments, Values } from '../flag.ts'
import type { Io } from '../io.ts'
import { bodyOf, queryOf } from './body.ts'
import { requireColumns, requireOutput } from './columns.ts'
import { printRequest, printsOnly } from './dry-run.ts'
import { flagsOf } from './flags.ts'
import type { Operation } from './operation.ts'
import { printAnswer } from './print-answer.ts'
import { parsedValue } from './values.ts'

/** The generated command of an operation. */
export const commandOf = (operation: Operation): Command => ({
  name: operation.command,
  args: operation.ids.map((name) => `<${name}>`),
  summary: operation.summary,
  description: operation.description,
  flags: flagsOf(operation),
  filters: operation.filters === true,
  run: (context, given) => run(operation, context, given),
})

type Method = (...args: unknown[]) => unknown

async function run(
  operation: Operation,
  context: Context,
  { args, values }: ParsedArguments,
): Promise<number | undefined> {
  requireColumns(operation, values.columns)
  requireOutput(operation, values)
  const body = operation.file
    ? await fileOf(operation, values, context.io)
    : await bodyOf(operation, values, context.io)
  const query = queryOf(operation, values)
  const limit = limitOf(operation, values)
  if (limit?.page)
    Object.assign(operation.method === 'POST' ? (body as object) : query, { limit: limit.page })
  const options = optionsOf(operation, values, context)
  const given = [
    ...args,
    ...(operation.body === null ? [] : [body]),
    ...(operation.query.length > 0 ? [query] : []),
    options,
  ]
  if (printsOnly(operation, values)) {
    await printRequest(context, (client) => methodOf(client, operation.sdk)(...given))
    return undefined
  }
  const client = context.client()
  if (operation.asks && !values['dry-run']) await context.confirm(questionOf(operation, args))
  return printAnswer(context, operation, methodOf(client, operation.sdk)(...given), limit?.total ?? 0)
}

const methodOf = (client: Crosswalk, sdk: string): Method =>
  sdk
    .split('.')
    .reduce((object: unknown, name) => (object as Record<string, unknown>)[name], client) as Method

/** Returns how many items to print, and how many to ask for in each request; null: the server decides. */
function limitOf(
  { shape, query, body }: Operation,
  values: Values,
): { total: number; page: number | null } | null {
  if (shape !== 'page') return null
  const parameter = [...query, ...(body ?? [])].find(({ name }) => name === 'limit')
  const max = parameter ? (parameter.max ?? 100) : null
  if (values.all) return { total: Number.POSITIVE_INFINITY, page: max }
  const total = Number(parsedValue({ name: 'limit', kind: 'integer', text: '' }, String(values.limit ?? 25)))
  if (total < 1) throw new UsageError('--limit must be at least 1.')
  return { total, page: max === null ? null : Math.min(total, max) }
}

function optionsOf({ ifMatch, method, file }: Operation, values: Values, { io }: Context): object {
  const version = { name: 'if_match', kind: 'integer', text: '' } as const
  const isSpreadsheet = file && /\.xlsx$/i.test(String(values.file))
  return {
    signal: io.signal,
    ...(ifMatch && values['if-match'] !== undefined
      ? { ifMatch: parsedValue(version, String(values['if-match'])) }
      : {}),
    ...(method === 'POST' && values['idempotency-key'] !== undefined
      ? { idempotencyKey: String(values['idempotency-key']) }
      : {}),
    ...(isSpreadsheet
      ? { headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } }
      : {}),
  }
}

/** A body that is a file: a stream for each try. @throws UsageError without `--file` and `--data` */
async function fileOf(operation: Operation, values: Values, io: Io): Promise<unknown> {
  if (values.file === undefined) {
    if (values.data !== undefined) return bodyOf(operation, values, io)
    throw new UsageError(`--file is missing. ${operation.command} sends a CSV file or a spreadsheet.`)
  }
  // Standard input can be read only once, so keep it for retries.
  if (values.file === '-') return new Uint8Array(await buffer(io.stdin))
  return () => Readable.toWeb(createReadStream(String(values.file)))
}

const questionOf = ({ summary, method, path }: Operation, args: readonly string[]): string =>
  args.length > 0 ? `${summary}: ${args.join(' ')}` : `${summary} (${method} ${path})`
