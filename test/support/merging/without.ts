import type { RecordType } from '../../../src/records/record-type.ts'
import type { Step } from './steps.ts'
import { World } from './world.ts'

export type DoneStep = { step: Step; outcome: string }

/** The same history without the merges that are undone at the end; null if a step would then have another outcome. */
export function withoutUndoneMerges(
  type: RecordType,
  done: readonly DoneStep[],
  undone: ReadonlySet<string>,
): World | null {
  const world = new World(type)
  for (const { step, outcome } of done) {
    if (step.do === 'undo' || step.do === 'redo') continue
    if (step.do !== 'merge') {
      if (world.take(step) !== outcome) return null
      continue
    }
    const kept = step.merges.flatMap((id, index) => (undone.has(id) ? [] : [index]))
    const of = <Value>(values: readonly Value[]) => kept.map((index) => values[index]!)
    const rest = { ...step, losers: of(step.losers), merges: of(step.merges), policies: of(step.policies) }
    if (kept.length > 0 && world.take(rest) === null) return null
  }
  return world
}
