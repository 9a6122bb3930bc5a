/** Vitest's default of one second is too short for a busy machine. */
export const patience = { timeout: 60_000, interval: 10 }
