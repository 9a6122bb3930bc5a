import { type RefObject, useEffect } from 'react'

const ticked = ['checkbox', 'radio']

/** Returns whether a person types into the control. */
const isTyped = (control: Element): control is HTMLInputElement | HTMLTextAreaElement =>
  control instanceof HTMLTextAreaElement ||
  (control instanceof HTMLInputElement && !ticked.includes(control.type))

/**
 * Keeps the fields of a form as they are while they are sent: a later change would be in no request. The focus stays,
 * and the buttons in the footer work.
 */
export function useStillFields(form: RefObject<HTMLFormElement | null>, isSent: boolean): void {
  useEffect(() => {
    const { current: shown } = form
    if (!isSent || !shown) return
    const typed = [...shown.elements].filter(isTyped).filter(({ readOnly }) => !readOnly)
    const setReadOnly = (isReadOnly: boolean) => {
      for (const control of typed) control.readOnly = isReadOnly
    }
    const hold = (event: Event) => {
      if (!changes(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
    setReadOnly(true)
    for (const name of events) shown.addEventListener(name, hold, true)
    return () => {
      setReadOnly(false)
      for (const name of events) shown.removeEventListener(name, hold, true)
    }
  }, [form, isSent])
}

const events = ['click', 'mousedown', 'keydown'] as const

/** Returns whether an event would change a field: its box, its list, or what a button beside it does. */
function changes(event: Event): boolean {
  const { target } = event
  if (!(target instanceof Element) || target.closest('footer')) return false
  if (event.type === 'click') return true
  if (event instanceof KeyboardEvent)
    return !isTyped(target) && !['Tab', 'Escape'].includes(event.key) && !event.metaKey && !event.ctrlKey
  // The list of a select opens at the press of the mouse.
  return target instanceof HTMLSelectElement
}
