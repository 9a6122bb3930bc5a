import type { ResourceLimits } from 'node:worker_threads'

/**
 * Heap limits of the threads of a scan. Large data lives outside the heap, so the young generation can stay small. The old
 * generation needs far less than its limit, but V8 collects garbage more often under a lower one.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }
