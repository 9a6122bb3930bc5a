import type { Outcome } from '../matcher/schema.ts'
import type { Merge } from '../schema.ts'

/** Why two records are, or are not, one; kept with the merge. */
export type Judgement = {
  /** The rule that holds; null: the score alone decides. */
  rule: string | null
  /** Probability that the two are one, 0 to 1, as the matcher's model has it; also where a rule decides. */
  score: number
  /** log2 of the odds that the two are one: what pairs are clustered by. A rule that holds makes it at least `ruleWeight`. */
  weight: number
  /** Field by field, in words; blank fields are left out. */
  evidence: Merge['evidence']
  /** What forbids that the two are merged by themselves, or at all, in words; null: nothing does. */
  veto: string | null
  /** What the engine thinks, whatever the org's modes say. */
  outcome: Outcome
  /** Whether mode `auto` would merge the two. */
  wouldApply: boolean
  modelVersion: string
}

/** What a run of the engine did. */
export type Considered = {
  /** Proposals that were opened, and those that were closed since nothing says so any more. */
  opened: number
  closed: number
  /** Records that were merged into another. */
  merged: number
}
