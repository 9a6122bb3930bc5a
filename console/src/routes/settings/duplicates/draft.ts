import type {
  ChangeDuplicateRules,
  DuplicateMode,
  DuplicateRules,
  EntityType,
} from '../../../../../sdk/src/generated/types.ts'
import { typedDecimal } from '../../../parts/typed-number.ts'

/** The settings of a type of record, as a person types them. */
export type Draft = {
  mode: DuplicateMode
  auto_threshold: string
  review_threshold: string
  /** Empty: without limit. */
  undo_days: string
  rules: Readonly<Record<string, DuplicateMode>>
}

export const draftOf = ({
  mode,
  auto_threshold,
  review_threshold,
  undo_days,
  rules,
}: DuplicateRules): Draft => ({
  mode,
  auto_threshold: String(auto_threshold),
  review_threshold: String(review_threshold),
  undo_days: undo_days === null ? '' : String(undo_days),
  rules,
})

/** Returns only the settings that the draft changes, so that saving keeps the changes of other people. */
export function changesOf(draft: Draft, before: Draft): ChangeDuplicateRules {
  const rules = [...new Set([...Object.keys(draft.rules), ...Object.keys(before.rules)])]
    .filter((rule) => draft.rules[rule] !== before.rules[rule])
    .map((rule) => [rule, draft.rules[rule] ?? null])
  return {
    ...(draft.mode !== before.mode && { mode: draft.mode }),
    ...(draft.auto_threshold !== before.auto_threshold && {
      auto_threshold: typedDecimal(draft.auto_threshold),
    }),
    ...(draft.review_threshold !== before.review_threshold && {
      review_threshold: typedDecimal(draft.review_threshold),
    }),
    ...(draft.undo_days !== before.undo_days && {
      undo_days: draft.undo_days.trim() === '' ? null : typedDecimal(draft.undo_days),
    }),
    ...(rules.length > 0 && { rules: Object.fromEntries(rules) }),
  }
}

const names = [
  ['mode', 'choice for likely duplicates'],
  ['review_threshold', 'score to propose'],
  ['auto_threshold', 'score to merge'],
  ['undo_days', 'days to undo a merge'],
] as const

/** Names the settings of `changes` that somebody else changed to another value between `known` and `latest`. */
export function changedByOthers(
  changes: ChangeDuplicateRules,
  known: DuplicateRules,
  latest: DuplicateRules,
): string[] {
  const isTheirs = (mine: unknown, before: unknown, now: unknown) => now !== before && now !== mine
  const found: string[] = names.flatMap(([name, words]) =>
    name in changes && isTheirs(changes[name], known[name], latest[name]) ? [words] : [],
  )
  const hasRule = Object.entries(changes.rules ?? {}).some(([rule, mode]) =>
    isTheirs(mode, known.rules[rule] ?? null, latest.rules[rule] ?? null),
  )
  return hasRule ? [...found, 'rules'] : found
}

export const typeNames = [
  ['contact', 'People'],
  ['company', 'Companies'],
  ['deal', 'Deals'],
] as const satisfies readonly (readonly [EntityType, string])[]
