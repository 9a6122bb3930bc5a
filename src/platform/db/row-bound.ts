import { tooLarge } from '../domain-error.ts'
import type { TextRow } from './json-columns.ts'

/** An answer with this many bytes gets no more rows. */
export const answerBytesMax = 4 * 1024 * 1024

/** The value that replaces each row after `answerBytesMax` bytes. */
export const droppedRow: TextRow = []

/** The rows before the first dropped row. */
export const keptRows = (rows: readonly TextRow[]): readonly TextRow[] =>
  rows.at(-1) === droppedRow ? rows.slice(0, rows.indexOf(droppedRow)) : rows

/** Returns the rows unchanged. @throws DomainError too_large if a row was dropped */
export function requireAllRows(rows: readonly TextRow[]): readonly TextRow[] {
  if (rows.at(-1) === droppedRow) throw answerTooLarge()
  return rows
}

/** The error for rows that exceed the maximum size of an answer. */
export const answerTooLarge = () =>
  tooLarge(
    'answer_too_large',
    `The answer would have more than ${answerBytesMax / 1024 / 1024} MiB, and nothing was changed: ask for fewer records, or for fewer of their members`,
  )
