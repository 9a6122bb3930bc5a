/** The UTC day of a time in Unix milliseconds: `2026-11-24`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
