import type { NameLevel } from '../matcher/names/comparison.ts'
import type { Matcher, Outcome } from '../matcher/schema.ts'
import type { Merge } from '../schema.ts'
import { type Mode, modeOf, type Settings } from '../settings.ts'
import { companyRules, companyVetoes, compareCompanies } from './company-rules.ts'
import { comparePeople, contactRules, contactVetoes } from './contact-rules.ts'
import { dealRules, dealVetoes } from './deal-rules.ts'
import { contradict, type Rule, shareExternalId, shares, type Veto } from './rule.ts'
import type { Portrait, Traits } from './traits.ts'
import { inWords } from './words.ts'

/** What is asked of records of a kind, besides the score. */
type Questions<T> = {
  rules: readonly Rule<T>[]
  vetoes: readonly Veto<T>[]
  /** How their names compare; undefined if one has none. */
  compareNames(one: T, other: T): NameLevel | undefined
  /** Whether they have something in common that belongs to one alone; names, places and employers do not. */
  share(one: T, other: T): boolean
  /** The most that the engine does with two of them. */
  most: Outcome
}

const shareAny = (one: Traits['contact' | 'company'], other: Traits['contact' | 'company']) =>
  shares(one.phones, other.phones) ||
  shares(one.profiles, other.profiles) ||
  shareExternalId(one.externalIds, other.externalIds)

const questions: { [Entity in keyof Traits]: Questions<Traits[Entity]> } = {
  contact: {
    rules: contactRules,
    vetoes: contactVetoes,
    compareNames: comparePeople,
    share: (one, other) => shareAny(one, other) || shares(one.emails, other.emails),
    most: 'auto',
  },
  company: {
    rules: companyRules,
    vetoes: companyVetoes,
    compareNames: compareCompanies,
    share: (one, other) => shareAny(one, other) || shares(one.domains, other.domains),
    most: 'auto',
  },
  deal: {
    rules: dealRules,
    vetoes: dealVetoes,
    compareNames: () => undefined,
    share: () => true,
    most: 'review',
  },
}

/** The names of the rules that the engine knows for a kind of record. */
export const ruleNames = (entity: keyof Traits): string[] => questions[entity].rules.map(({ name }) => name)

/** How an org wants its records judged, and by which model. */
export type Judging = {
  matcher: Matcher
  modelVersion: string
  settings: Pick<Settings, 'mode' | 'rules' | 'auto_threshold' | 'review_threshold'>
}

/** Why two records are, or are not, one; and what that means for records that are merged with others at the same time. */
export type Judged = {
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
  /** Whether the org's mode is to merge the two. */
  applies: boolean
  /** Whether something keeps them out of one group. */
  apart: boolean
  /** Whether their names say that they are two. */
  contradict: boolean
  /** Whether the reason is good only while no third record could be meant as well. */
  alone: boolean
}

/** Bits that a rule which holds stands for: one wrong in 30,000. */
const ruleWeight = 15

type Reason = { rule: Rule<never> | null; outcome: Outcome; mode: Mode; wouldApply: boolean }

const rank: Record<Outcome, number> = { none: 0, review: 1, auto: 2 }
const least = (...outcomes: Outcome[]) => outcomes.reduce((a, b) => (rank[b] < rank[a] ? b : a))

/**
 * Judges whether two records are one: by the first rule that holds, or else by the score; within what vetoes allow and the
 * org's settings say. Symmetric.
 */
export function judge<Entity extends keyof Traits>(
  entity: Entity,
  { matcher, modelVersion, settings }: Judging,
  one: Portrait<Entity>,
  other: Portrait<Entity>,
): Judged {
  const { rules, vetoes, compareNames, share, most }: Questions<Traits[Entity]> = questions[entity]
  const decision = matcher.decide(one.features, other.features, {
    auto: settings.auto_threshold,
    review: settings.review_threshold,
  })
  const names = compareNames(one.traits, other.traits)
  const against = vetoes.filter(({ holds }) => holds(one.traits, other.traits, names))
  // A namesake next door is not merged by its score alone, and not even shown where anything speaks against it.
  const byScore = share(one.traits, other.traits) ? 'auto' : against.length === 0 ? 'review' : 'none'
  const allowed = least(most, 'auto', ...against.map((veto) => veto.most))
  const reasonFor = (rule: Rule<Traits[Entity]> | null, outcome: Outcome): Reason => {
    const name = rule?.name ?? null
    const isAuto = least(outcome, allowed) === 'auto'
    return {
      rule,
      outcome: least(outcome, allowed),
      mode: modeOf(settings, name),
      wouldApply: isAuto && modeOf({ ...settings, mode: 'auto' }, name) === 'auto',
    }
  }
  const reasons = [
    ...rules
      .filter(({ holds }) => holds(one.traits, other.traits, names))
      .map((rule) => reasonFor(rule, rule.outcome)),
    reasonFor(null, least(decision.outcome, byScore)),
  ]
  const reason = strongest(reasons)
  const isRule = reason.rule !== null && reason.outcome === 'auto'
  return {
    rule: reason.rule?.name ?? null,
    score: decision.probability,
    weight: isRule ? Math.max(decision.weight, ruleWeight) : decision.weight,
    evidence: [...besides(one.traits, other.traits), ...inWords(decision.evidence)],
    veto: (against.find((veto) => veto.most === allowed) ?? against[0])?.words ?? decision.veto,
    outcome: reason.mode === 'off' ? 'none' : reason.outcome,
    wouldApply: reason.mode !== 'off' && reason.wouldApply,
    applies: reason.mode === 'auto' && reason.wouldApply,
    modelVersion,
    apart: against.length > 0,
    contradict: contradict(names),
    alone: reason.rule?.alone ?? false,
  }
}

/** Whether `judge` may say anything but none of two records: of most that share a key it does not, and need not be asked. */
export function mayBeOne<Entity extends keyof Traits>(
  entity: Entity,
  { matcher, settings }: Judging,
  one: Portrait<Entity>,
  other: Portrait<Entity>,
): boolean {
  const { rules, compareNames }: Questions<Traits[Entity]> = questions[entity]
  if (matcher.score(one.features, other.features).probability >= settings.review_threshold) return true
  const names = compareNames(one.traits, other.traits)
  return rules.some(({ holds }) => holds(one.traits, other.traits, names))
}

/** What leads furthest; of those that lead equally far, the first. */
function strongest(reasons: readonly Reason[]): Reason {
  const rankOf = ({ outcome, mode, wouldApply }: Reason) =>
    mode === 'off' ? -1 : rank[outcome] + (wouldApply ? 1 : 0) + (wouldApply && mode === 'auto' ? 1 : 0)
  return reasons.reduce((best, reason) => (rankOf(reason) > rankOf(best) ? reason : best))
}

/** What two records have in common that proves nothing by itself. */
function besides(one: Traits[keyof Traits], other: Traits[keyof Traits]): Merge['evidence'] {
  const haveRole = 'roleEmails' in one && 'roleEmails' in other && shares(one.roleEmails, other.roleEmails)
  return haveRole ? [{ field: 'email', level: 'the same address, but one of an office', weight: 0 }] : []
}
