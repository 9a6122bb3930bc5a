import { tooLarge } from '../domain-error.ts'
import type { TextRow } from './json-columns.ts'

/** The bytes after which an answer gets no further row. */
export const answerBytesMax = 4 * 1024 * 1024

/** Stands for a row after `answerBytesMax` bytes: `send` drops its columns. */
export const droppedRow: TextRow = []

/** The rows before the first dropped one. */
export const keptRows = (rows: readonly TextRow[]): readonly TextRow[] =>
  rows.at(-1) === droppedRow ? rows.slice(0, rows.indexOf(droppedRow)) : rows

/** The same rows. @throws DomainError too_large if any was dropped */
export function requireAllRows(rows: readonly TextRow[]): readonly TextRow[] {
  if (rows.at(-1) === droppedRow) throw answerTooLarge()
  return rows
}

export const answerTooLarge = () =>
  tooLarge(
    'answer_too_large',
    `The answer would have more than ${answerBytesMax / 1024 / 1024} MiB, and nothing was changed: ask for fewer records, or for fewer of their members`,
  )
