import { type RefObject, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { focusNear, placeOf, takeOpener } from './kept-focus.ts'

/** The open dialogs, the uppermost last. */
let open: readonly string[] = []
const listeners = new Set<() => void>()

function change(next: readonly string[]): void {
  open = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The id of the uppermost dialog; null: none is open, and the page itself can be used. */
export const useUppermost = (): string | null => useSyncExternalStore(subscribe, () => open.at(-1) ?? null)

/** The control that a dialog wants to focus; null: keep the browser's choice. */
function firstControl(dialog: HTMLDialogElement): HTMLElement | null {
  const named = dialog.querySelector<HTMLElement>('[data-autofocus]')
  const { activeElement: chosen } = document
  if (named || !(chosen instanceof HTMLInputElement) || chosen.type !== 'radio') return named
  // The browser focuses the first radio button, and the next arrow key would start from that button.
  return dialog.querySelector<HTMLElement>(`input[name="${CSS.escape(chosen.name)}"]:checked`)
}

/**
 * Opens a dialog element over the page. When it closes, the focus returns to the element that had it, or to what is near
 * if that disappeared.
 */
export function useModal(): { ref: RefObject<HTMLDialogElement | null>; id: string } {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    const place = placeOf(takeOpener())
    dialog.showModal()
    firstControl(dialog)?.focus()
    change([...open, id])
    return () => {
      change(open.filter((one) => one !== id))
      dialog.close()
      place.control.focus()
      if (document.activeElement !== place.control || place.control === document.body) focusNear(place)
    }
  }, [id])
  return { ref, id }
}
