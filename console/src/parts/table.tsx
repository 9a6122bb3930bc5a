import { createContext, type ReactNode, useContext } from 'react'
import { Icon } from './icon.tsx'
import styles from './table.module.css'
import { useIsPhone } from './use-media.ts'
import { useWidth } from './use-width.ts'

export type Column = {
  name: string
  /** In pixels. Columns without a width share the rest. */
  width?: number
  /** The width on a phone, if it differs. */
  phoneWidth?: number
  /** Whether a phone, and a table that is too narrow, leaves the column out. */
  optional?: boolean
  isHidden?: boolean
  /** Whether its cells are numbers. They also have the class `num`. */
  isNumber?: boolean
  /** How the rows are sorted by it. */
  order?: 'ascending' | 'descending' | 'none'
  /** Sorts the rows by it, or reverses them. Without it, the name is no button. */
  onSort?: () => void
}

/** The columns for which the table has room. */
const ColumnsContext = createContext<readonly Column[]>([])

/**
 * A table whose head stays visible while the page scrolls. The last column can have the row's actions. If the table is too narrow, it leaves out
 * optional columns, from the right.
 */
export function Table({
  label,
  columns,
  hasControls = true,
  children,
}: {
  label: string
  columns: readonly Column[]
  /** False if the rows have no control: then the keyboard scrolls the table itself. */
  hasControls?: boolean
  children: ReactNode
}) {
  const [box, width] = useWidth()
  const shown = fittingColumns(columns, width)
  const dropped = columns.flatMap((column, n) => (shown.includes(column) ? [] : [n + 1])).join(' ')
  return (
    <div
      className={styles.box}
      ref={box}
      data-scrolls={(width > 0 && leastWidth(shown) > width) || undefined}
      tabIndex={hasControls ? undefined : 0}
    >
      <table
        className={styles.table}
        aria-label={label}
        data-dropped={dropped || undefined}
        style={{ '--least': `${leastWidth(shown)}px` } as object}
      >
        <colgroup>
          {columns.map(({ name, width, phoneWidth, optional }) => (
            <col
              key={name}
              className={optional ? 'opt' : undefined}
              style={
                width
                  ? ({ '--width': `${width}px`, '--phone-width': `${phoneWidth ?? width}px` } as object)
                  : undefined
              }
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ name, optional, isHidden, isNumber, order = 'none', onSort }) => (
              <th
                key={name}
                scope="col"
                className={`${optional ? 'opt' : ''} ${isNumber ? 'num' : ''}`}
                aria-sort={order === 'none' ? undefined : order}
              >
                {onSort ? (
                  <button type="button" className={styles.sort} onClick={onSort}>
                    {name}
                    {order !== 'none' && <Icon name={order === 'descending' ? 'down' : 'up'} size={14} />}
                  </button>
                ) : isHidden ? (
                  <span className="sr">{name}</span>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <ColumnsContext value={shown}>{children}</ColumnsContext>
        </tbody>
      </table>
    </div>
  )
}

/** A narrower table scrolls sideways. Without this, the columns without a width would disappear. */
const leastWidth = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }, n) => sum + (width ?? (n === 0 ? 168 : 120)), 0)

/** Leaves out as few optional columns as possible. The column by which the rows are sorted stays. */
function fittingColumns(columns: readonly Column[], width: number): readonly Column[] {
  let shown = columns
  while (width > 0 && leastWidth(shown) > width) {
    const optional = shown.filter(({ optional, order = 'none' }) => optional && order === 'none')
    // Actions have no visible name.
    const next = optional.findLast(({ isHidden }) => !isHidden) ?? optional.at(-1)
    if (!next) break
    shown = shown.filter((column) => column !== next)
  }
  return shown
}

export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className={styles.acts}>{children}</span>
)

/** The content that an opened row shows below itself. */
export function RowDetails({ id, children }: { id: string; children: ReactNode }) {
  const isPhone = useIsPhone()
  // Span only the visible columns: a larger span would create columns, which take width from the others.
  const columns = useContext(ColumnsContext).filter(({ optional }) => !(isPhone && optional))
  return (
    <tr id={id}>
      <td colSpan={columns.length} className={styles.details}>
        {children}
      </td>
    </tr>
  )
}
