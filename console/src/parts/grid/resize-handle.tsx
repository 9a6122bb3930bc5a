import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import styles from './grid.module.css'
import { columnMax, columnMin } from './layout.ts'

/** One press of an arrow key changes the width by this many pixels. */
const step = 16

/**
 * The edge of a column, which changes its width: a person drags it, or presses the arrow keys. Enter and a double click
 * let the column grow with the page again.
 */
export function ResizeHandle({
  label,
  onResize,
}: {
  label: string
  /** @param width in pixels; null: the column grows with the page */
  onResize: (width: number | null) => void
}) {
  const handle = useRef<HTMLDivElement>(null)
  const drag = useRef<{ from: number; width: number } | null>(null)
  const [width, setWidth] = useState(columnMin)
  const widthNow = () => handle.current?.parentElement?.getBoundingClientRect().width ?? columnMin
  const resize = (asked: number) => {
    const next = Math.round(Math.min(columnMax, Math.max(columnMin, asked)))
    setWidth(next)
    onResize(next)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width: widthNow() }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) resize(drag.current.width + clientX - drag.current.from)
  }
  const onPointerEnd = () => {
    drag.current = null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by === undefined && event.key !== 'Enter') return
    event.preventDefault()
    // The grid moves its active row with the same keys.
    event.stopPropagation()
    if (by === undefined) onResize(null)
    else resize(widthNow() + by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of text cannot be dragged
    <div
      ref={handle}
      className={styles.edge}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={columnMin}
      aria-valuemax={columnMax}
      tabIndex={0}
      // The browser decides how wide a column is.
      onFocus={() => setWidth(Math.round(widthNow()))}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={() => onResize(null)}
      onKeyDown={onKeyDown}
    />
  )
}
