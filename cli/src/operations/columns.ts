import { UsageError } from '../exit.ts'
import type { Values } from '../flag.ts'
import { nearest } from '../nearest.ts'
import type { Operation } from './operation.ts'

/**
 * Checks `--columns` before the request, because a person would repeat a change whose result could not be printed.
 * @throws UsageError if the answer cannot have one of the fields
 */
export function requireColumns(
  { members, query, shape }: Pick<Operation, 'members' | 'query' | 'shape'>,
  columns: unknown,
): void {
  if (typeof columns !== 'string') return
  if (shape === 'stream') {
    const hasFields = query.some(({ name }) => name === 'fields')
    throw new UsageError(
      `--columns does not apply to a file.${hasFields ? ' Choose its columns with --fields.' : ''}`,
    )
  }
  if (!members) return
  for (const path of columns.split(',')) {
    const name = path.trim().split('.')[0]!
    if (members.includes(name)) continue
    const near = nearest(name, members)
    throw new UsageError(
      `--columns: there is no field "${name}".${near === null ? '' : ` Did you mean ${near}?`} The fields: ${members.join(', ')}`,
    )
  }
}

/**
 * Checks `--output`, because the server chooses the format of a file.
 * @throws UsageError if the answer is a file of another format
 */
export function requireOutput(
  { query, shape }: Pick<Operation, 'query' | 'shape'>,
  { output, format = 'csv' }: Values,
): void {
  if (shape !== 'stream' || output === undefined || output === format) return
  const formats = query.find(({ name }) => name === 'format')?.choices
  throw new UsageError(
    `--output ${output} does not apply to a file. ${formats ? `Choose its format with ${formats.map((one) => `--format ${one}`).join(' or ')}.` : 'The file is CSV.'}`,
  )
}
