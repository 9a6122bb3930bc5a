import { useState } from 'react'

/** The row at which the keyboard is. It stays the same record when other rows come or go. */
export function useActiveRow<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  firstId: string | undefined,
): { active: number; setActive: (index: number) => void } {
  const [stored, setStored] = useState({ id: firstId ?? '', index: 0 })
  const idAt = (index: number) => (rows[index] === undefined ? undefined : idOf(rows[index]))
  const found =
    stored.id === '' || idAt(stored.index) === stored.id
      ? stored.index
      : rows.findIndex((row) => idOf(row) === stored.id)
  const active = Math.max(0, Math.min(found < 0 ? stored.index : found, rows.length - 1))
  return { active, setActive: (index) => setStored({ index, id: idAt(index) ?? '' }) }
}
