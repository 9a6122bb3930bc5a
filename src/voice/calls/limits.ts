/** How long a provider may take to answer a dispatch. */
export const attemptTimeoutMs = 10_000

/** The maximum duration of a conversation. The provider then ends the call. */
export const maxDurationSeconds = 1_800

/** After this time, which includes ringing, a call has ended and stops counting against the cap. */
const slotSeconds = maxDurationSeconds + 180
/** The same in milliseconds. */
export const longestCallMs: number = slotSeconds * 1000

/** After this time, the process that placed the call has stored the outcome, or is dead. */
const checkSeconds = 30

/** The deadlines of a new call, in seconds after it is placed. */
export const deadlines = { slotSeconds, checkSeconds }

/** If a provider does not know a call this long after the request to place it, the request never arrived. */
export const absentAfterMs = 90_000

/** A call is polled for this long. */
export const pollingEndsAfterMs = 86_400_000
