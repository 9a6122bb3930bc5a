/** How long a provider may take to answer an attempt to dial, to cancel, or a question. */
export const attemptTimeoutMs = 10_000

/** The longest that anybody talks. */
export const maxDurationSeconds = 1_800

/** A call that says nothing more has rung and talked for as long as it could by then, and counts no longer. */
const slotSeconds = maxDurationSeconds + 180

/** Whoever placed a call is done with it by then, or dead. */
const checkSeconds = 30

export const deadlines = { slotSeconds, checkSeconds }

/** A provider that has no such call so long after it was ordered never had it. */
export const absentAfterMs = 90_000

/** After so long nobody is asked any more. */
export const givenUpAfterMs = 86_400_000
