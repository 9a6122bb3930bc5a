import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import { Checkbox } from '../field.tsx'
import styles from './grid.module.css'
import { GridHead } from './head.tsx'
import { actOfKey, type GridAct } from './keys.ts'
import { type GridColumn, leastWidth, type Sort, templateOf } from './layout.ts'
import { GridRow, type RowActs } from './row.tsx'

type GridProps<Row> = {
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** The number of all rows, with those that are not loaded yet. */
  total: number
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  hrefOf: (row: Row) => string
  /** The second line of a row on a phone. */
  secondLine: (row: Row) => string
  isPhone: boolean
  rowHeight: number
  sort: Sort
  onSort: (name: string) => void
  /** The index of the row at which the keyboard is. */
  active: number
  /** Whether the active row is open beside the list. */
  isOpen: boolean
  onActive: (index: number) => void
  isSelected: (id: string) => boolean
  selectedCount: number
  onToggle: (ids: readonly string[], isSelected: boolean) => void
  onAct: (act: Exclude<GridAct, { kind: 'move' }>) => void
  onOpen: (index: number) => void
  /** Called when the person comes near the last loaded row. */
  onNearEnd: () => void
  /** The indexes of the first and last visible rows, for pages that keep visible rows up to date. */
  visible: RefObject<{ first: number; last: number }>
  /** Where the list was scrolled when the person left it, in pixels. */
  offset: { get: () => number; set: (offset: number) => void }
}

const overscan = 12
/** Placeholders after the last loaded row, so that the person sees that more rows come. */
const placeholdersMax = 20

/**
 * A table of any length, of which only the visible rows exist in the page. The grid itself has the focus, and names the
 * active row (`aria-activedescendant`), so that the focus survives when rows leave the page.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, total, columns, active, rowHeight, isPhone, onNearEnd, visible, offset } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const count = Math.min(total, rows.length + placeholdersMax)
  const virtual = useVirtualizer({
    count: Math.max(count, rows.length),
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    initialOffset: offset.get,
    // The head covers the first rows.
    scrollPaddingStart: 32,
    overscan,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    visible.current = { first: Math.max(0, (items[0]?.index ?? 0) + overscan - 1), last }
    if (last >= rows.length - 1 - overscan) onNearEnd()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: all rows get the new height
  useEffect(() => virtual.measure(), [rowHeight])
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(index, rows.length - 1))
    props.onActive(next)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const isRequested = useRef(active)
  useEffect(() => {
    // The page moved the active row, such as with a button of the peek.
    if (isRequested.current !== active) virtual.scrollToIndex(active, { align: 'auto' })
    isRequested.current = active
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2)
    const act = actOfKey(event, pageRows)
    if (!act || (event.target !== event.currentTarget && act.kind !== 'close')) return
    event.preventDefault()
    if (act.kind === 'move')
      moveTo(act.to === 'first' ? 0 : act.to === 'last' ? rows.length - 1 : active + act.to)
    else props.onAct(act)
  }
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const acts = useMemo<RowActs>(
    () => ({
      toggle: (rowId, isSelected) => latest.current.onToggle([rowId], isSelected),
      open: (index) => {
        grid.current?.focus({ preventScroll: true })
        latest.current.onActive(index)
        latest.current.onOpen(index)
      },
    }),
    [],
  )
  const loadedIds = rows.map(props.idOf)
  const areAllSelected = rows.length > 0 && props.selectedCount > 0 && loadedIds.every(props.isSelected)
  return (
    <div ref={box} className={styles.box} onScroll={(event) => offset.set(event.currentTarget.scrollTop)}>
      <table
        ref={grid}
        className={styles.grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA recommends it for a grid
        role="grid"
        data-open={props.isOpen || undefined}
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
        style={
          { '--columns': templateOf(columns, isPhone), minWidth: leastWidth(columns, isPhone) } as object
        }
        onKeyDown={onKeyDown}
      >
        <GridHead columns={columns} sort={props.sort} isPhone={isPhone} onSort={props.onSort}>
          <SelectAll
            isChecked={areAllSelected}
            isPartly={props.selectedCount > 0 && !areAllSelected}
            onChange={(isChecked) => props.onToggle(loadedIds, isChecked)}
          />
        </GridHead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index]
            const rowId = loadedIds[index]
            if (row === undefined || rowId === undefined)
              return <tr key={index} className={styles.wait} style={{ height: size, top: start }} />
            return (
              <GridRow
                key={rowId}
                domId={`${id}-${index}`}
                {...{ row, rowId, index, columns, isPhone, start, size, acts }}
                name={props.nameOf(row)}
                href={props.hrefOf(row)}
                secondLine={props.secondLine(row)}
                isActive={index === active}
                isSelected={props.isSelected(rowId)}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function SelectAll({
  isChecked,
  isPartly,
  onChange,
}: {
  isChecked: boolean
  isPartly: boolean
  onChange: (isChecked: boolean) => void
}): ReactNode {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const input = box.current?.querySelector('input')
    if (input) input.indeterminate = isPartly
  }, [isPartly])
  return (
    <span ref={box} className={styles.tick}>
      <Checkbox checked={isChecked} onChange={onChange}>
        <span className="sr">Select all loaded rows</span>
      </Checkbox>
    </span>
  )
}
