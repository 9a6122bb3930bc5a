import type { Form, FormFieldType, FormSubmission } from '../../../../sdk/src/generated/types.ts'
import { listed } from '../../parts/listed.ts'
import { phoneWords } from '../../parts/phone-number.ts'

const states = {
  live: { kind: 'ok', word: 'live' },
  draft: { kind: 'off', word: 'draft' },
  archived: { kind: 'off', word: 'archived' },
} as const

export const formState = ({ status, problem }: Form) =>
  problem !== null && status === 'live' ? ({ kind: 'warn', word: 'has a problem' } as const) : states[status]

const submissionStates = {
  accepted: { kind: 'ok', word: 'accepted' },
  spam: { kind: 'warn', word: 'spam' },
  reverted: { kind: 'off', word: 'reverted' },
} as const

export const submissionState = ({ status }: FormSubmission) => submissionStates[status]

const reasons: Record<NonNullable<FormSubmission['spam_reason']>, string> = {
  honeypot: 'It filled a field that people do not see.',
  challenge_missing: 'It was sent without opening the form.',
  too_fast: 'It was sent less than 2 s after the form was opened.',
  too_old: 'The form was open for more than a day, and the submission has no proof of work.',
  bot: 'Its User-Agent is that of a program.',
  proof_missing: 'The form got more than 20 submissions in an hour, and this one has no proof of work.',
  proof_reused: 'It used a proof of work again.',
  daily_limit: 'Your visitors made 1,000 contacts on this day.',
  person: 'Somebody marked it.',
}

export const spamWords = (reason: NonNullable<FormSubmission['spam_reason']>): string => reasons[reason]

/** An answer as text. */
export const answerWords = (value: unknown): string =>
  Array.isArray(value)
    ? listed(value)
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : phoneWords(String(value))

/** The types of form fields, each with its label. */
export const answerTypes: readonly (readonly [FormFieldType, string])[] = [
  ['text', 'Text'],
  ['textarea', 'Long text'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['number', 'Number'],
  ['date', 'Date'],
  ['url', 'Web address'],
  ['select', 'One option'],
  ['multi_select', 'Several options'],
  ['checkbox', 'Check box'],
  ['scale', '0 to 10'],
]
