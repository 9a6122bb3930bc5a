import type { CloseReasonOutcome } from '../../../../../sdk/src/generated/types.ts'

/** For which deals a close reason is. */
export const outcomeWords: Record<CloseReasonOutcome, string> = {
  won: 'Won',
  lost: 'Lost',
  any: 'Both',
}
