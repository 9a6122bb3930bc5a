import { toCell } from '../../csv/cell.ts'
import type { Suppression } from './schema.ts'

/** The columns of a file of suppressions. */
export const csvColumns = ['number', 'reason', 'source', 'since'] as const

/** Formats a suppression as a line of the file. */
export function csvLine({ number, reason, source, since }: Suppression): string {
  const time = new Date(since * 1000).toISOString().replace('.000Z', 'Z')
  return `${[number, toCell(reason), toCell(source), time].join(',')}\r\n`
}
