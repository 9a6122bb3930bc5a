import type { Job } from './platform/jobs/job.ts'

/** Every background job. */
export const jobs: readonly Job<never>[] = []
