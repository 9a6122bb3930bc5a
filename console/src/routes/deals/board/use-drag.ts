import { type PointerEvent, type RefObject, useCallback, useEffect, useRef } from 'react'

/** The distance in pixels from which a press is a drag, and not a click. */
const startDistance = 5
/** The width in pixels of the edges at which the board scrolls sideways. */
const edge = 64
const scrollStep = 12

type Handlers = {
  /** The pointer began to drag the pressed card. */
  onStart: () => void
  /** The element below the pointer changed, or the pointer moved. */
  onMove: (x: number, y: number) => void
  onDrop: () => void
  onCancel: () => void
}

/**
 * Drags with a mouse or a pen. A finger scrolls instead: with a finger, people move deals in the move dialog.
 * @param board the element that scrolls sideways while the pointer is at its edge
 * @returns the function for `onPointerDown` of a card
 */
export function useDrag(
  board: RefObject<HTMLElement | null>,
): (event: PointerEvent, handlers: Handlers) => void {
  const end = useRef(() => {})
  useEffect(() => () => end.current(), [])
  return useCallback(
    (event, { onStart, onMove, onDrop, onCancel }) => {
      if (event.button !== 0 || event.pointerType === 'touch' || event.ctrlKey || event.metaKey) return
      const from = { x: event.clientX, y: event.clientY }
      const at = { ...from }
      let isDragging = false
      let frame = 0
      const scroll = () => {
        const box = board.current
        if (box) {
          const { left, right } = box.getBoundingClientRect()
          const by = at.x < left + edge ? -scrollStep : at.x > right - edge ? scrollStep : 0
          if (by !== 0) {
            box.scrollBy(by, 0)
            onMove(at.x, at.y)
          }
        }
        frame = requestAnimationFrame(scroll)
      }
      const move = (next: globalThis.PointerEvent) => {
        at.x = next.clientX
        at.y = next.clientY
        if (!isDragging) {
          if (Math.hypot(at.x - from.x, at.y - from.y) < startDistance) return
          isDragging = true
          onStart()
          frame = requestAnimationFrame(scroll)
        }
        onMove(at.x, at.y)
      }
      const stop = (finish: () => void) => {
        cancelAnimationFrame(frame)
        window.removeEventListener('pointermove', move)
        window.removeEventListener('pointerup', up)
        window.removeEventListener('pointercancel', cancel)
        window.removeEventListener('keydown', onEscape, { capture: true })
        end.current = () => {}
        if (!isDragging) return
        // The click that follows must not open the card.
        window.addEventListener('click', swallow, { capture: true, once: true })
        setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
        finish()
      }
      const up = () => stop(onDrop)
      const cancel = () => stop(onCancel)
      const onEscape = (key: KeyboardEvent) => {
        if (key.key !== 'Escape' || !isDragging) return
        key.preventDefault()
        key.stopPropagation()
        cancel()
      }
      window.addEventListener('pointermove', move)
      window.addEventListener('pointerup', up)
      window.addEventListener('pointercancel', cancel)
      window.addEventListener('keydown', onEscape, { capture: true })
      end.current = cancel
    },
    [board],
  )
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
