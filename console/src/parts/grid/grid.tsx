import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import { Checkbox } from '../field.tsx'
import { count } from '../numbers.ts'
import { useIsPrinting } from '../use-printing.ts'
import styles from './grid.module.css'
import { GridHead } from './head.tsx'
import { actOfKey, type GridAct } from './keys.ts'
import { type GridColumn, leastWidth, type Sort, templateOf, type Widths } from './layout.ts'
import { GridRow, type RowActs } from './row.tsx'
import { useVisibleRows } from './use-visible-rows.ts'

type GridProps<Row> = {
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** The number of all rows, including rows that are not loaded yet. */
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
  widths: Widths
  /** @param width in pixels; null: the column grows with the page again */
  onResize: (name: string, width: number | null) => void
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
  /** Called when the visible rows come near the last loaded row. */
  onNearEnd: () => void
  /** The indexes of the first and last visible rows, for pages that keep visible rows up to date. */
  visible: RefObject<{ first: number; last: number }>
  /** Where the list was scrolled when the person left it, in pixels. */
  offset: { get: () => number; set: (offset: number) => void }
}

/** Placeholders after the last loaded row, so that the person sees that more rows come. */
const placeholdersMax = 20
/** The next rows are read when this many loaded rows are left. */
const nearEnd = 40
const headHeight = 32

const indexes = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)

/**
 * A table of any length, of which only the visible rows exist in the page. All loaded rows are printed. The grid itself
 * has the focus, and names the active row (`aria-activedescendant`), so that the focus survives when rows leave the page.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, total, columns, widths, active, rowHeight, isPhone, onNearEnd, visible, offset } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const isPrinting = useIsPrinting()
  const rowCount = Math.max(rows.length, Math.min(total, rows.length + placeholdersMax))
  const { first, last, update, scrollTo } = useVisibleRows({
    box,
    count: rowCount,
    rowHeight,
    headHeight,
    offset: offset.get(),
    onRange: useCallback(
      (range) => {
        visible.current = range
      },
      [visible],
    ),
  })
  useEffect(() => {
    if (last >= rows.length - 1 - nearEnd) onNearEnd()
  })
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(index, rows.length - 1))
    props.onActive(next)
    scrollTo(next)
  }
  const isRequested = useRef(active)
  useEffect(() => {
    // The page moved the active row, such as with a button of the peek.
    if (isRequested.current !== active) scrollTo(active)
    isRequested.current = active
  })
  const onScroll = (event: UIEvent<HTMLElement>) => {
    offset.set(event.currentTarget.scrollTop)
    update()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2)
    const act = actOfKey(event, pageRows)
    if (!act || (event.target !== event.currentTarget && act.kind !== 'close')) return
    event.preventDefault()
    if (act.kind === 'move')
      moveTo(act.to === 'first' ? 0 : act.to === 'last' ? rows.length - 1 : active + act.to)
    else props.onAct(act)
  }
  useEffect(() => {
    // The page has the focus if a list that had it was read again.
    if (document.activeElement?.matches('main')) grid.current?.focus({ preventScroll: true })
  }, [])
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
  const { idOf, isSelected, selectedCount } = props
  // Scrolling draws the grid again, and must not read all loaded rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: idOf does the same each time
  const loadedIds = useMemo(() => rows.map(idOf), [rows])
  const areAllSelected = useMemo(
    () => loadedIds.length > 0 && selectedCount > 0 && loadedIds.every(isSelected),
    [loadedIds, selectedCount, isSelected],
  )
  return (
    <div ref={box} className={styles.box} onScroll={onScroll}>
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
          {
            '--columns': templateOf(columns, isPhone, widths),
            minWidth: leastWidth(columns, isPhone, widths),
          } as object
        }
        onKeyDown={onKeyDown}
      >
        <GridHead
          {...{ columns, isPhone }}
          sort={props.sort}
          onSort={props.onSort}
          onResize={isPhone ? null : props.onResize}
        >
          <SelectAll
            isChecked={areAllSelected}
            isPartly={selectedCount > 0 && !areAllSelected}
            onChange={(isChecked) => props.onToggle(loadedIds, isChecked)}
          />
        </GridHead>
        <tbody style={{ height: (isPrinting ? rows.length : rowCount) * rowHeight }}>
          {(isPrinting ? indexes(0, rows.length - 1) : indexes(first, last)).map((index) => {
            const row = rows[index]
            const rowId = loadedIds[index]
            const place = { start: index * rowHeight, size: rowHeight }
            if (row === undefined || rowId === undefined)
              return (
                <tr key={index} className={styles.wait} style={{ height: place.size, top: place.start }} />
              )
            return (
              <GridRow
                key={rowId}
                domId={`${id}-${index}`}
                {...{ row, rowId, index, columns, isPhone, acts }}
                {...place}
                name={props.nameOf(row)}
                href={props.hrefOf(row)}
                secondLine={props.secondLine(row)}
                isActive={index === active}
                isSelected={isSelected(rowId)}
              />
            )
          })}
        </tbody>
      </table>
      {rows.length < total && (
        <p className={styles.printed}>
          The first {count(rows.length)} of {count(total)} rows are printed. “Export” has all of them.
        </p>
      )}
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
