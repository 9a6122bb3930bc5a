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
/** The rows around the visible ones follow in such pieces, so that the page can be used meanwhile. */
const piece = 3
/** About the height of what is above a list, for the first guess of the visible rows. */
const aboveHeight = 120

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
  // Guess the height of the box: it is not in the page yet, and the rows would be drawn one pass later.
  const [range, setRange] = useState<Range>(() => {
    const first = Math.floor(offset / rowHeight)
    const shown = Math.floor((window.innerHeight - aboveHeight - headHeight) / rowHeight)
    return { first, last: Math.min(count - 1, first + Math.max(0, shown)) }
  })
  const isWhole = useRef(false)
  const drawn = useRef(range)
  const measure = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    const visible = {
      first: Math.max(0, Math.floor(scrollTop / rowHeight)),
      last: Math.min(count - 1, Math.floor((scrollTop + clientHeight - headHeight) / rowHeight)),
    }
    const around = {
      first: Math.max(0, (Math.floor(visible.first / step) - 1) * step),
      last: Math.min(count, (Math.floor(visible.last / step) + 2) * step) - 1,
    }
    return { visible, around }
  }, [box, count, rowHeight, headHeight])
  const draw = useCallback(() => {
    const { visible, around } = measure()
    onRange(visible)
    const { first, last } = drawn.current
    const isEnough = first <= visible.first && last >= visible.last && last <= around.last
    const next = isWhole.current ? around : isEnough ? drawn.current : visible
    if (next.first !== first || next.last !== last) setRange(next)
  }, [measure, onRange])
  const update = useCallback(() => {
    isWhole.current = true
    draw()
  }, [draw])
  useLayoutEffect(() => {
    drawn.current = range
  }, [range])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the box appears
  useLayoutEffect(() => {
    if (box.current && offset > 0) box.current.scrollTop = offset
  }, [])
  useLayoutEffect(draw, [draw])
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(draw)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, draw])
  useEffect(() => {
    if (isWhole.current) return
    const { around } = measure()
    const isLast = range.first <= around.first && range.last >= around.last
    // The timer of a frame runs after its paint.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        // The person scrolled meanwhile: the rows around the earlier place must not replace the rows of the new place.
        if (isWhole.current) return
        if (isLast) isWhole.current = true
        else
          startTransition(() =>
            setRange(({ first, last }) => ({
              first: Math.max(around.first, first - piece),
              last: Math.min(around.last, last + piece),
            })),
          )
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [measure, range])
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
