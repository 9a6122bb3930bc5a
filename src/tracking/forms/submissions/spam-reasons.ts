/** Why a submission counts as spam. `person`: a person marked it. */
export const spamReasons = [
  'honeypot',
  'challenge_missing',
  'too_fast',
  'too_old',
  'bot',
  'proof_missing',
  'proof_reused',
  'daily_limit',
  'person',
] as const

export type SpamReason = (typeof spamReasons)[number]
