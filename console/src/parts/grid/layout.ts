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

const tickWidth = 52
const nameWidth = 220

type Sized = { name: string; width: number; isNumber?: boolean }

/** The widths in pixels that a person gave to columns, including the column `name`. Other columns grow with the page. */
export type Widths = Readonly<Record<string, number>>

/** The limits of a width that a person chooses, in pixels. */
export const [columnMin, columnMax] = [60, 800]

/** The widths for `grid-template-columns`: the box, the name, and the other columns. */
export function templateOf(columns: readonly Sized[], isPhone: boolean, widths: Widths): string {
  if (isPhone) return `${tickWidth}px minmax(0, 1fr)`
  const rest = columns.map(({ name, width, isNumber }) => {
    const chosen = widths[name] ?? (isNumber ? width : undefined)
    return chosen === undefined ? `minmax(${width}px, 1fr)` : `${chosen}px`
  })
  const name = widths.name === undefined ? `minmax(${nameWidth}px, 1.3fr)` : `${widths.name}px`
  return [`${tickWidth}px`, name, ...rest].join(' ')
}

/** The width below which a grid scrolls sideways, in pixels. */
export const leastWidth = (columns: readonly Sized[], isPhone: boolean, widths: Widths): number =>
  isPhone
    ? 0
    : columns.reduce(
        (sum, { name, width }) => sum + (widths[name] ?? width),
        tickWidth + (widths.name ?? nameWidth),
      )

/** The first columns that fit beside the name. The last column, which is often a time, is always included. */
export function fittingColumns<Column extends Sized>(
  columns: readonly Column[],
  space: number,
  widths: Widths,
): readonly Column[] {
  const last = columns.at(-1)
  if (!last) return columns
  const widthOf = ({ name, width }: Sized) => widths[name] ?? width
  let left = space - tickWidth - (widths.name ?? nameWidth) - widthOf(last)
  const shown = columns.slice(0, -1).filter((column) => {
    left -= widthOf(column)
    return left >= 0
  })
  return [...shown, last]
}
