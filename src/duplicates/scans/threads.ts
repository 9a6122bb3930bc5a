import type { ResourceLimits } from 'node:worker_threads'

/**
 * Limits of a thread's memory. Large data is outside the heap, so the young generation can be small. A smaller old
 * generation would make V8 collect garbage more often.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }
