import type { SpamReason } from '../submissions/spam-reasons.ts'
import type { KnownChallenge } from './challenges.ts'

/** Nobody fills a form in less time. */
export const shortestMs = 2_000

export type Signs = {
  /** The content of the field that people do not see. */
  honeypot: unknown
  challenge: KnownChallenge | null
  isBot: boolean
  /** Whether so many submissions came that each needs a proof of work. */
  needsProof: boolean
  isSolved: boolean
}

/** Returns why a submission counts as spam; null: it does not. */
export function spamReasonOf({ honeypot, challenge, isBot, needsProof, isSolved }: Signs): SpamReason | null {
  if (typeof honeypot === 'string' ? honeypot !== '' : honeypot !== undefined && honeypot !== null)
    return 'honeypot'
  if (challenge === null) return 'challenge_missing'
  if (challenge.ageMs < shortestMs) return 'too_fast'
  // Real people also send forms that were open for days, so a proof of work is enough. A bot needs less work to get a
  // new challenge than to solve the proof.
  if (challenge.isOver && !isSolved) return 'too_old'
  if (isBot) return 'bot'
  return needsProof && !isSolved ? 'proof_missing' : null
}
