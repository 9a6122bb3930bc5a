import type { z } from 'zod'

/**
 * The part of a background job that a feature needs to enqueue it. The code that runs the job is separate (`Job`), so
 * that a feature can enqueue a job without loading that code.
 */
export type JobIdentity<Payload = unknown> = {
  name: string
  /** Contains only ids, because the queue must not store personal data. */
  payload: z.ZodType<Payload>
  /** The org that the job works for. Each org gets a fair share of the workers. null for a job of the installation. */
  orgId(payload: Payload): string | null
  /**
   * Jobs with the same serial key run one at a time, in all processes together, even if the jobs have different
   * names. Their order is not guaranteed. The key says what it identifies: `connection 0190a3c4-…`.
   */
  serialKey?(payload: Payload): string
}

/** The lane of jobs that work for no single org. */
export const installationLane = 'installation'
