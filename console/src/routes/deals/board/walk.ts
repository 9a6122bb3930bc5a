/** The card to which a key leads from another one; null: the key leads nowhere. */
export function neighborOf(card: HTMLElement, key: string): HTMLElement | null {
  const column = card.closest<HTMLElement>('[data-stage]')
  if (!column) return null
  const cards = cardsIn(column)
  const index = cards.indexOf(card)
  if (key === 'ArrowDown' || key === 'j') return cards[index + 1] ?? null
  if (key === 'ArrowUp' || key === 'k') return cards[index - 1] ?? null
  if (key === 'Home') return cards[0] ?? null
  if (key === 'End') return cards.at(-1) ?? null
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return null
  // Columns without a card are skipped.
  const columns = [...(column.parentElement?.querySelectorAll<HTMLElement>('[data-stage]') ?? [])]
  const at = columns.indexOf(column)
  const others = key === 'ArrowRight' ? columns.slice(at + 1) : columns.slice(0, at).reverse()
  const found = others.map(cardsIn).find(({ length }) => length > 0)
  return found?.[Math.min(index, found.length - 1)] ?? null
}

/** The deal whose card is nearest to the card of another deal; null: there is none. */
export function nearestTo(board: HTMLElement | null, id: string): string | null {
  const card = cardOf(board, id)
  if (!card) return null
  const ways = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft']
  const near = ways.map((key) => neighborOf(card, key)).find((each) => each !== null)
  return near?.dataset.deal ?? null
}

/** Gives a card the focus. Returns false if the board does not show the deal. */
export function focusCard(board: HTMLElement | null, id: string): boolean {
  const card = cardOf(board, id)
  card?.focus()
  return card !== null
}

const cardOf = (board: HTMLElement | null, id: string) =>
  board?.querySelector<HTMLElement>(`[data-deal="${CSS.escape(id)}"]`) ?? null

const cardsIn = (column: HTMLElement) => [...column.querySelectorAll<HTMLElement>('[data-deal]')]
