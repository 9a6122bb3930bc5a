import { UsageError } from '../exit.ts'
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
