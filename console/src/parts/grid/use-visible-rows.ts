import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** The rows change in steps of this many, so that most scroll events draw nothing. */
const step = 8

type Range = { first: number; last: number }

/**
 * The rows of equal height that are in the visible part of a box, and one or two steps around it. The first paint has only
 * the visible ones, so that a list appears sooner on a slow computer.
 * @param headHeight the pixels of the box that its head covers
 * @param offset where the box was scrolled before, in pixels
 * @param onRange called with the visible rows whenever they change
 */
export function useVisibleRows({
  box,
  count,
  rowHeight,
  headHeight,
  offset,
  onRange,
}: {
  box: RefObject<HTMLElement | null>
  count: number
  rowHeight: number
  headHeight: number
  offset: number
  onRange: (visible: Range) => void
}): Range & { update: () => void; scrollTo: (index: number) => void } {
  const [range, setRange] = useState<Range>({ first: 0, last: -1 })
  const isPainted = useRef(false)
  const update = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    const visible = {
      first: Math.max(0, Math.floor(scrollTop / rowHeight)),
      last: Math.min(count - 1, Math.floor((scrollTop + clientHeight - headHeight) / rowHeight)),
    }
    onRange(visible)
    const around = {
      first: Math.max(0, (Math.floor(visible.first / step) - 1) * step),
      last: Math.min(count, (Math.floor(visible.last / step) + 2) * step) - 1,
    }
    const { first, last } = isPainted.current ? around : visible
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
  }, [box, count, rowHeight, headHeight, onRange])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the box appears
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = offset
  }, [])
  useLayoutEffect(update, [update])
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(update)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, update])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // The timer of a frame runs after its paint.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        isPainted.current = true
        startTransition(update)
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [update])
  /** Scrolls no more than needed to show a row. */
  const scrollTo = (index: number) => {
    const { current } = box
    if (!current) return
    const top = index * rowHeight
    const bottom = top + rowHeight + headHeight - current.clientHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (bottom > current.scrollTop) current.scrollTop = bottom
  }
  return { ...range, update, scrollTo }
}
