import type { KeyboardEvent } from 'react'

/** What a key does in a grid. `move`: by a number of rows, or to an end. */
export type GridAct =
  | { kind: 'move'; to: number | 'first' | 'last' }
  | { kind: 'toggle' }
  | { kind: 'open' }
  | { kind: 'open-page' }
  | { kind: 'close' }

/** @param pageRows how many rows Page Up and Page Down move */
export function actOfKey(event: KeyboardEvent, pageRows: number): GridAct | null {
  const { key } = event
  if (key === 'Enter') return { kind: event.metaKey || event.ctrlKey ? 'open-page' : 'open' }
  if (event.metaKey || event.ctrlKey || event.altKey) return null
  const move = moves[key]
  if (move !== undefined) return { kind: 'move', to: move }
  if (key === 'PageDown' || key === 'PageUp')
    return { kind: 'move', to: key === 'PageDown' ? pageRows : -pageRows }
  if (key === ' ' || key === 'x') return { kind: 'toggle' }
  return key === 'Escape' ? { kind: 'close' } : null
}

const moves: Record<string, number | 'first' | 'last'> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  Home: 'first',
  End: 'last',
}
