import type { z } from 'zod'

/**
 * What a feature must know of a background job to enqueue it. The code that runs the job is apart from it (`Job`), so
 * that a feature can enqueue a job without loading what the job does.
 */
export type JobIdentity<Payload = unknown> = {
  name: string
  /** Ids only: the queue must not store personal data. */
  payload: z.ZodType<Payload>
  /** The org that the job works for, which gets its fair share of the workers; null for a job of the installation. */
  orgId(payload: Payload): string | null
  /**
   * Jobs with the same serial key, of whatever name, run one at a time over all processes, in no promised order. The key
   * says what it is a key of: `connection 0190a3c4-…`.
   */
  serialKey?(payload: Payload): string
}

/** The lane of jobs that work for no single org. */
export const installationLane = 'installation'
