import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './grid.module.css'
import type { Sort } from './layout.ts'
import { ResizeHandle } from './resize-handle.tsx'

type HeadColumn = { name: string; label: string; isSortable: boolean; isNumber?: boolean }

/** The names of the columns. A click on one of them sorts the rows by it, and the next click reverses them. */
export function GridHead({
  columns,
  sort,
  isPhone,
  onSort,
  onResize,
  children,
}: {
  columns: readonly HeadColumn[]
  sort: Sort
  isPhone: boolean
  onSort: (name: string) => void
  /** null: the columns have no edges to drag. */
  onResize: ((name: string, width: number | null) => void) | null
  /** The box that selects all rows. */
  children: ReactNode
}) {
  const named: readonly HeadColumn[] = [{ name: 'name', label: 'Name', isSortable: true }, ...columns]
  return (
    <thead>
      <tr className={styles.head} aria-rowindex={1}>
        <th scope="col" aria-label="Selection">
          {children}
        </th>
        {(isPhone ? named.slice(0, 1) : named).map(({ name, label, isSortable, isNumber }) => {
          const isSorted = sort.name === name
          return (
            <th
              key={name}
              scope="col"
              data-number={isNumber || undefined}
              aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
            >
              {isSortable ? (
                <button type="button" className={styles.sort} onClick={() => onSort(name)}>
                  <span className="cut">{label}</span>
                  {isSorted && <Icon name={sort.isDescending ? 'down' : 'up'} size={14} />}
                </button>
              ) : (
                <span className="cut">{label}</span>
              )}
              {onResize && <ResizeHandle label={label} onResize={(width) => onResize(name, width)} />}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
