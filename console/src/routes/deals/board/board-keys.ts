import type { KeyboardEvent } from 'react'
import type { Deal } from '../../../../../sdk/src/generated/types.ts'
import type { Target } from '../move-dialog.tsx'
import { sameTarget } from './targets.ts'
import { neighborOf } from './walk.ts'

/** A deal that the person holds, and the place over which it is. */
export type Held = { deal: Deal; by: 'pointer' | 'keyboard'; over: Target | null }

/**
 * The keys of the board. The arrows walk from card to card. Space picks a card up: then the arrows choose its place, Space
 * or Enter puts it there, and Escape puts it back.
 */
export function boardKeys({
  held,
  targets,
  dealOf,
  onHold,
  onPlace,
  onWalk,
  onEscape,
}: {
  held: Held | null
  /** The places for a card, in the order of the board. */
  targets: readonly Target[]
  dealOf: (id: string | undefined) => Deal | undefined
  /** null: the person may not move deals. */
  onHold: ((held: Held | null) => void) | null
  onPlace: (deal: Deal, target: Target) => void
  onWalk: (card: HTMLElement) => void
  onEscape: () => void
}): (event: KeyboardEvent) => void {
  return (event) => {
    const { key } = event
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (held?.by === 'keyboard') {
      if (key === 'Tab') return onHold?.(null)
      event.preventDefault()
      const by = steps[key]
      if (key === 'Escape') onHold?.(null)
      else if (key === ' ' || key === 'Enter') {
        onHold?.(null)
        if (held.over) onPlace(held.deal, held.over)
      } else if (by !== undefined) {
        const at = targets.findIndex((target) => sameTarget(target, held.over))
        onHold?.({ ...held, over: targets[at + by] ?? held.over })
      }
      return
    }
    if (key === 'Escape') return onEscape()
    const card = (event.target as Element).closest<HTMLElement>('[data-deal]')
    if (!card) return
    if (key === ' ') {
      event.preventDefault()
      const deal = dealOf(card.dataset.deal)
      if (deal) onHold?.({ deal, by: 'keyboard', over: { stage: deal.stage } })
      return
    }
    const next = neighborOf(card, key)
    if (!next) return
    event.preventDefault()
    next.focus()
    onWalk(next)
  }
}

const steps: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
