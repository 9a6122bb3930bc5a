import type { RefObject } from 'react'
import { useKey } from '../../../shell/use-key.ts'

/** The first step of a walk: while no control has the focus, the keys that walk down lead to the first card. */
export function useFirstCard(board: RefObject<HTMLElement | null>): void {
  const enter = () => {
    const isFree = document.activeElement?.matches('body, main') ?? true
    if (isFree) board.current?.querySelector<HTMLElement>('[data-deal]')?.focus()
  }
  useKey('ArrowDown', enter)
  useKey('j', enter)
}
