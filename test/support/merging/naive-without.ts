import { NaiveOrg, type Outcome, type Step } from './naive-org.ts'
import { takeStep } from './naive-steps.ts'

export type DoneStep = { step: Step; outcome: Outcome }

/**
 * The same history without the merges that are undone at the end; null if a step would then have another outcome.
 * @param live the outcomes of the whole history
 */
export function withoutUndoneMerges(live: NaiveOrg, done: readonly DoneStep[]): NaiveOrg | null {
  const other = new NaiveOrg()
  for (const { step, outcome } of done) {
    if (outcome === null || skipped.has(step.do)) continue
    const rest = withRules(live, step)
    if (rest?.do === 'merge' && rest.losers.length === 0) continue
    if (rest && takeStep(other, rest) !== outcome) return null
  }
  return other
}

const skipped: ReadonlySet<Step['do']> = new Set(['undo', 'redo', 'settings', 'age', 'propose', 'dismiss'])

/** Keeps the merges of a step that are applied, with their rules; null if there is none. */
function withRules(live: NaiveOrg, step: Step): Step | null {
  if (step.do !== 'merge' && step.do !== 'apply') return step
  if (step.do === 'merge' && step.dry) return null
  const names = step.do === 'merge' ? step.merges : [step.merge]
  const kept = names.map((name) => live.merge(name)!).filter(({ status }) => status === 'applied')
  const [first] = kept
  if (!first) return null
  return {
    ...{ entity: step.entity, do: 'merge', survivor: first.survivor, losers: kept.map(({ loser }) => loser) },
    ...{ merges: kept.map(({ name }) => name), rules: kept.map(({ rules }) => rules) },
    ...{ choices: {}, force: true, dry: false },
  }
}
