/**
 * How long a test waits for background work (ms), and how often it checks. Vitest's default of one second is too short on
 * a busy machine. A test with a time limit of its own states it.
 */
export const patience = { timeout: 60_000, interval: 10 }
