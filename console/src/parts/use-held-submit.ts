import { type RefObject, useEffect, useRef } from 'react'

/** Stops a submit of the form that contains a part, while `isHeld`, and calls `onHeld`. */
function useHold(part: RefObject<Element | null>, isHeld: boolean, onHeld: () => void): void {
  const called = useRef(onHeld)
  called.current = onHeld
  useEffect(() => {
    const form = isHeld ? part.current?.closest('form') : null
    const hold = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      called.current()
    }
    form?.addEventListener('submit', hold, true)
    return () => form?.removeEventListener('submit', hold, true)
  }, [part, isHeld])
}

/**
 * While a part of a form has typed text that the form would drop, a submit is refused.
 * @param part an element in the form, with the input that gets the focus
 */
export function useRefusedSubmit(
  part: RefObject<Element | null>,
  isRefused: boolean,
  onRefused: () => void,
): void {
  useHold(part, isRefused, () => {
    onRefused()
    part.current?.querySelector('input')?.focus()
  })
}

/**
 * While a part of a form works, such as a picker that creates a record, a submit of the form waits. It goes on after the
 * work, with its result, but not if the work failed.
 * @param part an element in the form
 */
export function useHeldSubmit(part: RefObject<Element | null>, isBusy: boolean, hasFailed: boolean): void {
  const wasHeld = useRef(false)
  useHold(part, isBusy, () => {
    wasHeld.current = true
  })
  useEffect(() => {
    if (isBusy) return
    const goesOn = wasHeld.current && !hasFailed
    wasHeld.current = false
    if (goesOn) part.current?.closest('form')?.requestSubmit()
  }, [part, isBusy, hasFailed])
}
