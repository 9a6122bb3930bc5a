import type { Target } from '../move-dialog.tsx'

/** All places for a deal, in the order of the board. */
export const targetsOf = (stages: readonly string[]): Target[] => [
  ...stages.map((stage) => ({ stage })),
  { status: 'won' },
  { status: 'lost' },
]

export const sameTarget = (one: Target | null, other: Target | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** For example “Proposal”, or “close as won”. */
export const targetWords = (target: Target): string =>
  'stage' in target ? target.stage : `close as ${target.status}`

/** The place at a point of the window; null: none. */
export function targetAt(x: number, y: number): Target | null {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-stage], [data-ending]')
  const { stage, ending } = element?.dataset ?? {}
  if (ending === 'won' || ending === 'lost') return { status: ending }
  return stage === undefined ? null : { stage }
}
