import { type KeyboardEvent, useEffect, useState } from 'react'

/**
 * Enter runs the first command if the keys chose none. While the records are searched it waits, because the list may still
 * show the records of earlier words. Returns the handler of keys; the keys of a chosen command go on to it.
 */
export function useEnter({
  typed,
  isSearching,
  isRecord,
  wasEntered,
  runFirst,
}: {
  typed: string
  isSearching: boolean
  /** Whether an id of a command is that of a record. */
  isRecord: (id: string) => boolean
  /** Whether Enter came before the menu. */
  wasEntered: boolean
  runFirst: () => void
}): (event: KeyboardEvent<HTMLElement>) => void {
  /** The text with which Enter waits; null: it does not. */
  const [entered, setEntered] = useState(wasEntered ? typed : null)
  useEffect(() => {
    if (entered === null || (entered === typed && isSearching)) return
    setEntered(null)
    if (entered === typed) runFirst()
  })
  return (event) => {
    if (event.key !== 'Enter') return
    const chosen = event.currentTarget.querySelector<HTMLElement>('[role=option][data-focused]')
    const isOld = isSearching && isRecord(chosen?.dataset.key ?? '')
    if (chosen && !isOld) return
    event.preventDefault()
    event.stopPropagation()
    setEntered(typed)
  }
}
