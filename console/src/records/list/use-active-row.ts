import { useState } from 'react'

/**
 * The row at which the keyboard is. It stays the same record when other rows come or go.
 * @param list identifies the list and its order: after a change of either, the first row becomes active
 * @param firstId the record to begin with, if the list has it
 */
export function useActiveRow<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  list: string,
  firstId: string | undefined,
): { active: number; setActive: (index: number) => void } {
  const first = { list, id: firstId ?? '', index: 0 }
  const [last, setLast] = useState(first)
  const stored = last.list === list ? last : first
  const idAt = (index: number) => (rows[index] === undefined ? undefined : idOf(rows[index]))
  const found =
    stored.id === '' || idAt(stored.index) === stored.id
      ? stored.index
      : rows.findIndex((row) => idOf(row) === stored.id)
  const active = Math.max(0, Math.min(found < 0 ? stored.index : found, rows.length - 1))
  return { active, setActive: (index) => setLast({ list, index, id: idAt(index) ?? '' }) }
}
