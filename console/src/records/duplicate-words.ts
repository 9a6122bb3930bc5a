import type { Merge } from '../../../sdk/src/generated/types.ts'
import { noName } from '../parts/no-name.ts'

/** For example “Same e-mail and name” for `same_email_and_name`. */
export function ruleWords(rule: string | null): string {
  if (rule === null) return 'No rule, only the score'
  const words = rule
    .replaceAll('_', ' ')
    .replace('email', 'e-mail')
    .replace('linkedin', 'LinkedIn profile')
    .replace('external id', 'id in another system')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** For example “Last name” for `last_name`. */
export function evidenceWords(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/\bemail\b/, 'e-mail')
    .replace('linkedin url', 'LinkedIn')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A probability with three digits. It is rounded down: 1.000 would say that there is no doubt. */
export const scoreWords = (score: number | null): string =>
  score === null ? '–' : (Math.floor(score * 1000) / 1000).toFixed(3)

export const nameWords = (name: string | null): string => name ?? noName

/** Why a merge cannot be undone. */
export const blockWords: Record<NonNullable<Merge['undo_blocked_reason']>, string> = {
  shadow: 'It is only a proposal',
  already_undone: 'Undone',
  applying: 'Linked records are still moving. Try again in a moment',
  expired: 'Undo has expired',
  erased: 'The records were erased',
  survivor_deleted: 'The record is archived. Restore it first',
  not_permitted: 'Your role may not undo it',
  dry_run: 'It is only a preview',
}

/** Says how a merge was made. */
export const methodWords: Record<Merge['method'], string> = {
  auto: 'automatically',
  manual: 'from a proposal',
  api: 'by hand or by a program',
  import: 'by an import',
}
