import type { NaiveOrg, Outcome, Step } from './naive-org.ts'
import { takeStep } from './naive-steps.ts'

/** What somebody sent while others did, and the word that came back: null where it was refused. */
export type Sent = { step: Step; word: Outcome }

/** What an answer says of what came of a step. */
const wordOf = (outcome: Outcome): Outcome => outcome && outcome.split(' ')[0]!

/** What becomes of an org by each order of steps in which each one by one has the answer that it had. */
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
