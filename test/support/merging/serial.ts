import type { NaiveOrg, Outcome, Step } from './naive-org.ts'
import { takeStep } from './naive-steps.ts'

/** A concurrent step and its outcome; null if it was refused. */
export type Sent = { step: Step; word: Outcome }

/** The outcome of a step, from its answer. */
const wordOf = (outcome: Outcome): Outcome => outcome && outcome.split(' ')[0]!

/** The states of an org after each order of the steps that explains all of their answers. */
export function serialOrders(org: NaiveOrg, sent: readonly Sent[]): NaiveOrg[] {
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
