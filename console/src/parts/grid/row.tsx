import { type MouseEvent, memo, type ReactNode } from 'react'
import { Tick } from '../field.tsx'
import { Initials } from '../initials.tsx'
import styles from './grid.module.css'
import type { GridColumn } from './layout.ts'

type RowProps<Row> = {
  row: Row
  rowId: string
  domId: string
  index: number
  columns: readonly GridColumn<Row>[]
  name: string
  href: string
  secondLine: string
  isPhone: boolean
  start: number
  size: number
  isActive: boolean
  isSelected: boolean
  /** Always the same object, so that scrolling draws only new rows. */
  acts: RowActs
}

export type RowActs = {
  toggle: (id: string, isSelected: boolean) => void
  open: (index: number) => void
}

/** A row of a grid: a box that selects it, its name, which is a link to its page, and the chosen columns. */
export const GridRow = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<Row>({
  row,
  rowId,
  domId,
  index,
  columns,
  name,
  href,
  secondLine,
  isPhone,
  start,
  size,
  isActive,
  isSelected,
  acts,
}: RowProps<Row>): ReactNode {
  const onClick = (event: MouseEvent) => {
    // The browser opens a link in a new tab by itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    acts.open(index)
  }
  const onTickClick = (event: MouseEvent) => {
    event.stopPropagation()
    // The box is small, so the whole cell belongs to it.
    if (event.target === event.currentTarget) acts.toggle(rowId, !isSelected)
  }
  // A list can have many rows, so each row has few elements.
  const link = (
    <a href={href} tabIndex={-1} className="cut" title={name}>
      {name}
    </a>
  )
  return (
    <tr
      id={domId}
      className={styles.row}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      style={{ height: size, top: start }}
      onClick={onClick}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box handles its keys */}
      <td className={styles.tick} onClick={onTickClick}>
        <Tick
          label={`Select ${name}`}
          checked={isSelected}
          tabIndex={-1}
          onChange={(isTicked) => acts.toggle(rowId, isTicked)}
        />
      </td>
      <th scope="row" className={styles.name}>
        <Initials name={name} />
        {isPhone ? (
          <span className="stack g0">
            {link}
            <span className="cut three t12">{secondLine}</span>
          </span>
        ) : (
          link
        )}
      </th>
      {!isPhone &&
        columns.map(({ name: column, cell, title, isNumber }) => (
          <td
            key={column}
            className="cut"
            data-number={isNumber || undefined}
            title={title?.(row) || undefined}
          >
            {cell(row)}
          </td>
        ))}
    </tr>
  )
}
