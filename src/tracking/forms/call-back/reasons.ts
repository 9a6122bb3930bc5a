/** Why a request is refused. `spam`: its submission was marked as spam or reverted. */
export const refusals = [
  'number_limit',
  'visitor_limit',
  'address_limit',
  'waiting_limit',
  'consent_denied',
  'number_suppressed',
  'spam',
] as const

/** Why a request of a form that calls by itself waits for a person. */
const doubts = [
  'proof_missing',
  'form_limit',
  'organization_limit',
  'hours_closed',
  'settings_changed',
  'call_not_allowed',
] as const

export const reasons = [...refusals, ...doubts] as const

export type Refused = (typeof refusals)[number]
export type Doubt = (typeof doubts)[number]
