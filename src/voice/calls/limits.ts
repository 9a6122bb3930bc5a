/** The time that a provider may take to answer a dispatch. */
export const attemptTimeoutMs = 10_000

/** The maximum duration of a conversation. The provider then ends the call. */
export const maxDurationSeconds = 1_800

/**
 * By this time, including the ringing, every call has ended and no longer counts against the cap.
 */
const slotSeconds = maxDurationSeconds + 180
export const longestCallMs: number = slotSeconds * 1000

/** By this time, the process that placed the call has stored the outcome, or is dead. */
const checkSeconds = 30

export const deadlines = { slotSeconds, checkSeconds }

/** If a provider does not have the call this long after the attempt to dial, it never had the call. */
export const absentAfterMs = 90_000

/** After this time, polling ends. */
export const pollingEndsAfterMs = 86_400_000
