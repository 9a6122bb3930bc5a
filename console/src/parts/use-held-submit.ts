import { type RefObject, useEffect, useRef } from 'react'

/**
 * While a part of a form works, such as a picker that creates a record, a submit of the form waits. It goes on after the
 * work, with its result, but not if the work failed.
 * @param part an element in the form
 */
export function useHeldSubmit(part: RefObject<Element | null>, isBusy: boolean, hasFailed: boolean): void {
  const isHeld = useRef(false)
  useEffect(() => {
    const form = part.current?.closest('form')
    if (!isBusy) {
      const goesOn = isHeld.current && !hasFailed
      isHeld.current = false
      if (goesOn) form?.requestSubmit()
      return
    }
    const hold = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      isHeld.current = true
    }
    form?.addEventListener('submit', hold, true)
    return () => form?.removeEventListener('submit', hold, true)
  }, [part, isBusy, hasFailed])
}
