import { useEffect } from 'react'

/** Controls into which people type. A letter has no effect on a box. */
export const typedControls = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** In a menu or a list of choices, letters find an item. */
const searched = '[role=menu], [role=listbox]'

/**
 * Calls `act` when a person presses a key, except while they type or a dialog or menu is open. A control with the focus
 * comes first: a list that moves with the same key must not move twice.
 */
export function useKey(key: string, act: () => void): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || event.key !== key || event.metaKey || event.ctrlKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target.matches(typedControls) || target.closest(searched) || isDialogOpen()) return
    event.preventDefault()
    act()
  })
}

/**
 * Calls `act` for a key with Ctrl or ⌘, even while a person types, but not over a dialog, which may show a secret.
 */
export function useCommandKey(key: string, act: () => void): void {
  useKeyDown((event) => {
    if (event.key.toLowerCase() !== key || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    if (!isDialogOpen()) act()
  })
}

const isDialogOpen = () => document.querySelector('dialog[open]') !== null

function useKeyDown(listen: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  })
}
