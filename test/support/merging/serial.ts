import type { NaiveOrg, Outcome, Step } from './naive-org.ts'
import { takeStep } from './naive-steps.ts'

/** A step that was sent at the same time as others. `word` is null if the API refused it. */
export type AnsweredStep = { step: Step; word: Outcome }

const wordOf = (outcome: Outcome): Outcome => outcome && outcome.split(' ')[0]!

/** The org after each order of the steps that explains all answers. */
export function serialOrders(org: NaiveOrg, sent: readonly AnsweredStep[]): NaiveOrg[] {
  if (sent.length === 0) return [org]
  return sent.flatMap((next) => {
    const after = org.copy()
    const outcome = takeStep(after, next.step)
    const isSame = next.word === null ? outcome === null : wordOf(outcome) === next.word
    return isSame
      ? serialOrders(
          after,
          sent.filter((each) => each !== next),
        )
      : []
  })
}
