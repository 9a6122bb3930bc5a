/** How long a provider may take to answer a dispatch. */
export const attemptTimeoutMs = 10_000

/** The longest conversation: the provider ends the call then. */
export const maxDurationSeconds = 1_800

/** By then any call has rung, talked and ended, so it no longer counts against the cap. */
const slotSeconds = maxDurationSeconds + 180
export const longestCallMs: number = slotSeconds * 1000

/** By then the process that placed the call has stored the outcome, or is dead. */
const checkSeconds = 30

export const deadlines = { slotSeconds, checkSeconds }

/** A provider that has no such call this long after the order never had it. */
export const absentAfterMs = 90_000

/** After this long polling ends. */
export const pollingEndsAfterMs = 86_400_000
