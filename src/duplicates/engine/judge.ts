import type { NameLevel } from '../../matching/names/comparison.ts'
import type { Matcher, Outcome } from '../../matching/schema.ts'
import type { Merge } from '../merge/schema.ts'
import { type EngineMode, type EngineSettings, modeOf } from '../settings.ts'
import { companyRules, companyVetoes, compareCompanies } from './company-rules.ts'
import type { ComparableRecord, Traits } from './comparable-record.ts'
import { comparePeople, contactRules, contactVetoes } from './contact-rules.ts'
import { dealRules, dealVetoes } from './deal-rules.ts'
import { describeEvidence } from './evidence-words.ts'
import { haveCommonValue, namesContradict, type Rule, shareExternalId, type Veto } from './rule.ts'

/** The rules and vetoes for records of one type. */
type Criteria<T> = {
  rules: readonly Rule<T>[]
  vetoes: readonly Veto<T>[]
  /** Undefined if a record has no name. */
  compareNames(one: T, other: T): NameLevel | undefined
  /**
   * Whether the records share something that only one person or company has. Names, places and employers do not
   * count.
   */
  shareIdentity(one: T, other: T): boolean
  maxOutcome: Outcome
}

const shareOneOf = (one: Traits['contact' | 'company'], other: Traits['contact' | 'company']) =>
  haveCommonValue(one.phones, other.phones) ||
  haveCommonValue(one.profiles, other.profiles) ||
  shareExternalId(one.externalIds, other.externalIds)

const criteria: { [Entity in keyof Traits]: Criteria<Traits[Entity]> } = {
  contact: {
    rules: contactRules,
    vetoes: contactVetoes,
    compareNames: comparePeople,
    shareIdentity: (one, other) => shareOneOf(one, other) || haveCommonValue(one.emails, other.emails),
    maxOutcome: 'auto',
  },
  company: {
    rules: companyRules,
    vetoes: companyVetoes,
    compareNames: compareCompanies,
    shareIdentity: (one, other) => shareOneOf(one, other) || haveCommonValue(one.domains, other.domains),
    maxOutcome: 'auto',
  },
  deal: {
    rules: dealRules,
    vetoes: dealVetoes,
    compareNames: () => undefined,
    shareIdentity: () => true,
    maxOutcome: 'review',
  },
}

/** The names of the rules for a record type, in the order in which they apply. */
export const ruleNames = (entity: keyof Traits): string[] => criteria[entity].rules.map(({ name }) => name)

export type DecisionModel = {
  matcher: Matcher
  modelVersion: string
  settings: Pick<EngineSettings, 'mode' | 'rules' | 'auto_threshold' | 'review_threshold'>
}

export type Judgment = {
  /** The rule that applies; null: only the score decides. */
  rule: string | null
  /** The probability of a match, 0 to 1. It comes from the matcher's model, even if a rule decides. */
  score: number
  /** The weight for grouping: log2 of the odds of a match, at least `ruleWeight` if a rule applies. */
  weight: number
  /** The comparison of each field in words; blank fields are left out. */
  evidence: Merge['evidence']
  /** Why the engine must not merge the two, or must not even propose it; null: no veto. */
  veto: string | null
  /** The action that the engine takes in mode `auto`. */
  outcome: Outcome
  wouldApply: boolean
  modelVersion: string
  /** Whether the engine merges the two in the org's mode. */
  applies: boolean
  /** Whether a veto keeps the records in different groups. */
  isVetoed: boolean
  /** Whether the names belong to different people or companies. */
  namesContradict: boolean
  /** Whether the rule applies only if no third record satisfies it. */
  onlyIfUnambiguous: boolean
}

/** The minimum weight of a pair with a rule, in bits: a rule is assumed to be wrong once in 30,000 pairs. */
const ruleWeight = 15

type Reason = { rule: Rule<never> | null; outcome: Outcome; mode: EngineMode; wouldApply: boolean }

const rank: Record<Outcome, number> = { none: 0, review: 1, auto: 2 }
const weakest = (...outcomes: Outcome[]) => outcomes.reduce((a, b) => (rank[b] < rank[a] ? b : a))

/**
 * Judges two records by the first rule that applies; without a rule, by the score. Vetoes and the org's settings
 * limit the outcome. The order of the records does not matter.
 */
export function judge<Entity extends keyof Traits>(
  entity: Entity,
  { matcher, modelVersion, settings }: DecisionModel,
  one: ComparableRecord<Entity>,
  other: ComparableRecord<Entity>,
): Judgment {
  const { rules, vetoes, compareNames, shareIdentity, maxOutcome }: Criteria<Traits[Entity]> =
    criteria[entity]
  const decision = matcher.decide(one.features, other.features, {
    auto: settings.auto_threshold,
    review: settings.review_threshold,
  })
  const names = compareNames(one.traits, other.traits)
  const against = vetoes.filter(({ holds }) => holds(one.traits, other.traits, names))
  // The score alone never merges records without a common identity, such as people with the same name. If there is a
  // veto, the score does not even propose them.
  const byScore = shareIdentity(one.traits, other.traits) ? 'auto' : against.length === 0 ? 'review' : 'none'
  const allowed = weakest(maxOutcome, 'auto', ...against.map((veto) => veto.maxOutcome))
  const reasonFor = (rule: Rule<Traits[Entity]> | null, outcome: Outcome): Reason => {
    const name = rule?.name ?? null
    const isAuto = weakest(outcome, allowed) === 'auto'
    return {
      rule,
      outcome: weakest(outcome, allowed),
      mode: modeOf(settings, name),
      wouldApply: isAuto && modeOf({ ...settings, mode: 'auto' }, name) === 'auto',
    }
  }
  const reasons = [
    ...rules
      .filter(({ holds }) => holds(one.traits, other.traits, names))
      .map((rule) => reasonFor(rule, rule.outcome)),
    reasonFor(null, weakest(decision.outcome, byScore)),
  ]
  const reason = strongest(reasons)
  const isRule = reason.rule !== null && reason.outcome === 'auto'
  return {
    rule: reason.rule?.name ?? null,
    score: decision.probability,
    weight: isRule ? Math.max(decision.weight, ruleWeight) : decision.weight,
    evidence: [...contextEvidence(one.traits, other.traits), ...describeEvidence(decision.evidence)],
    veto: (against.find((veto) => veto.maxOutcome === allowed) ?? against[0])?.words ?? decision.veto,
    outcome: reason.mode === 'off' ? 'none' : reason.outcome,
    wouldApply: reason.mode !== 'off' && reason.wouldApply,
    applies: reason.mode === 'auto' && reason.wouldApply,
    modelVersion,
    isVetoed: against.length > 0,
    namesContradict: namesContradict(names),
    onlyIfUnambiguous: reason.rule?.onlyIfUnambiguous ?? false,
  }
}

/**
 * A cheap check before `judge`: false if its outcome would be `none`. Most pairs with a common match key give false.
 */
export function couldMatch<Entity extends keyof Traits>(
  entity: Entity,
  { matcher, settings }: DecisionModel,
  one: ComparableRecord<Entity>,
  other: ComparableRecord<Entity>,
): boolean {
  const { rules, compareNames }: Criteria<Traits[Entity]> = criteria[entity]
  if (matcher.score(one.features, other.features).probability >= settings.review_threshold) return true
  const names = compareNames(one.traits, other.traits)
  return rules.some(({ holds }) => holds(one.traits, other.traits, names))
}

/** Returns the reason with the strongest outcome; if several are equal, the first. */
function strongest(reasons: readonly Reason[]): Reason {
  const rankOf = ({ outcome, mode, wouldApply }: Reason) =>
    mode === 'off' ? -1 : rank[outcome] + (wouldApply ? 1 : 0) + (wouldApply && mode === 'auto' ? 1 : 0)
  return reasons.reduce((best, reason) => (rankOf(reason) > rankOf(best) ? reason : best))
}

/** Values that both records have. Alone, they prove nothing. */
function contextEvidence(one: Traits[keyof Traits], other: Traits[keyof Traits]): Merge['evidence'] {
  const haveRole =
    'roleEmails' in one && 'roleEmails' in other && haveCommonValue(one.roleEmails, other.roleEmails)
  return haveRole ? [{ field: 'email', level: 'the same address, but one of an office', weight: 0 }] : []
}
