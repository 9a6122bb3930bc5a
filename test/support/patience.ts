/**
 * How long a test waits for what happens in the background (ms), and how often it looks. Vitest's own second is too short
 * where all cores are busy; what must happen within a certain time says so itself.
 */
export const patience = { timeout: 60_000, interval: 10 }
