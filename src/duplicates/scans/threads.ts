import type { ResourceLimits } from 'node:worker_threads'

/**
 * Large data is outside of the heap, so the young generation can be small. A lower limit of the old generation would
 * make V8 collect garbage more often.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }
