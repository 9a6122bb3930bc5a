import type { ReactNode } from 'react'

export type GridColumn<Row> = {
  /** The name by which lists are sorted. */
  name: string
  label: string
  /** The smallest width in pixels. */
  width: number
  isSortable: boolean
  isNumber?: boolean
  cell: (row: Row) => ReactNode
  /** The tooltip of a cell. It shows the whole text of a cell that is cut off. */
  title?: (row: Row) => string
}

/** The column by which the rows are sorted. */
export type Sort = { name: string; isDescending: boolean }

export const tickWidth = 52
export const nameWidth = 220

/** The widths for `grid-template-columns`: the box, the name, and the other columns. */
export function templateOf(
  columns: readonly { width: number; isNumber?: boolean }[],
  isPhone: boolean,
): string {
  if (isPhone) return `${tickWidth}px minmax(0, 1fr)`
  const rest = columns.map(({ width, isNumber }) => (isNumber ? `${width}px` : `minmax(${width}px, 1fr)`))
  return [`${tickWidth}px`, `minmax(${nameWidth}px, 1.3fr)`, ...rest].join(' ')
}

/** The width below which a grid scrolls sideways, in pixels. */
export const leastWidth = (columns: readonly { width: number }[], isPhone: boolean): number =>
  isPhone ? 0 : columns.reduce((sum, { width }) => sum + width, tickWidth + nameWidth)

/** The columns that fit beside the name, the first ones first. The last column, which is often a time, stays. */
export function fittingColumns<Column extends { width: number }>(
  columns: readonly Column[],
  space: number,
): readonly Column[] {
  const last = columns.at(-1)
  if (!last) return columns
  let left = space - tickWidth - nameWidth - last.width
  const shown = columns.slice(0, -1).filter(({ width }) => {
    left -= width
    return left >= 0
  })
  return [...shown, last]
}
