/** Vitest's default of one second is too short on a busy machine. Tests with another limit in milliseconds name it. */
export const patience = { timeout: 60_000, interval: 10 }
