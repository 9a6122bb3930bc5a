import { type RefCallback, useCallback, useState } from 'react'

/**
 * The width of an element in pixels; 0: not measured yet.
 * @param isWanted false: do not measure it, because that draws the page once more
 */
export function useWidth(isWanted = true): [ref: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !isWanted) return
      setWidth(element.clientWidth)
      const observer = new ResizeObserver(() => setWidth(element.clientWidth))
      observer.observe(element)
      return () => observer.disconnect()
    },
    [isWanted],
  )
  return [ref, width]
}
