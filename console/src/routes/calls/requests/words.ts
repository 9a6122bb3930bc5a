import type { CallBackReason, CallBackRequest } from '../../../../../sdk/src/generated/types.ts'
import type { requestStatuses } from '../filters.ts'

const states = {
  waiting: { kind: 'warn', word: 'waiting' },
  scheduled: { kind: 'run', word: 'scheduled' },
  called: { kind: 'ok', word: 'called' },
  declined: { kind: 'off', word: 'declined' },
  refused: { kind: 'off', word: 'refused' },
  expired: { kind: 'off', word: 'expired' },
} as const

export const requestState = ({ status }: CallBackRequest) => states[status]

/** Whether a person can still call or decline. */
export const isOpen = ({ status }: CallBackRequest): boolean => status === 'waiting' || status === 'scheduled'

export const statusOptions: readonly (readonly ['' | (typeof requestStatuses)[number], string])[] = [
  ['', 'Waiting'],
  ['scheduled', 'Scheduled'],
  ['called', 'Called'],
  ['declined', 'Declined'],
  ['refused', 'Refused'],
  ['expired', 'Expired'],
  ['all', 'All'],
]

const reasons: Record<CallBackReason, string> = {
  number_limit: 'Somebody asked for calls to this number before.',
  visitor_limit: 'The visitor sent 3 requests in 24 hours.',
  address_limit: 'The network of the visitor sent 3 requests in an hour.',
  waiting_limit: 'You already had 1,000 open requests.',
  consent_denied: 'A contact with this number denied consent to phone calls.',
  number_suppressed: 'The number is on your list of numbers that are never called.',
  spam: 'The submission was marked as spam or reverted.',
  proof_missing: 'The page did not prove that a browser sent it.',
  form_limit: 'The form reached its limit of automatic calls in 24 hours.',
  organization_limit: 'You reached 100 automatic calls in 24 hours.',
  hours_closed: 'The hours of the form are never open in the whole country.',
  settings_changed: 'The form changed after the person sent it.',
  call_not_allowed: 'The call was not allowed when it was due. “Call” says why.',
}

export const reasonWords = (reason: CallBackReason): string => reasons[reason]
