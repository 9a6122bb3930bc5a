import type { ResourceLimits } from 'node:worker_threads'

/**
 * The heap limits of the threads of a scan. Large data is outside of the heap, so the young generation can be small.
 * The old generation needs far less than its limit, but with a lower limit V8 would collect garbage more often.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }
