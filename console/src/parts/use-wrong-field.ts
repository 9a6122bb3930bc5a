import { type RefObject, useEffect, useRef } from 'react'

/** After a form was refused, moves the focus to its first wrong field, so that screen readers say what is wrong. */
export function useWrongField(form: RefObject<HTMLFormElement | null>, isSent: boolean): void {
  const wasSent = useRef(false)
  useEffect(() => {
    if (wasSent.current && !isSent) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    wasSent.current = isSent
  }, [form, isSent])
}
