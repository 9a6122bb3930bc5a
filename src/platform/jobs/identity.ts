import type { z } from 'zod'

/**
 * A feature needs only this part of a job to enqueue it, and does not load the code that runs the
 * job (`Job`).
 */
export type JobDeclaration<Payload = unknown> = {
  name: string
  /** Contains only ids, because the queue must not store personal data. */
  payload: z.ZodType<Payload>
  /** The org that gets the job's share of the workers; null for a job of the installation. */
  orgId(payload: Payload): string | null
  /**
   * Jobs with the same serial key run one at a time in all processes, in any order. The key says
   * what it identifies: `connection 0190a3c4-…`.
   */
  serialKey?(payload: Payload): string
}

/** The lane of jobs that work for no single org. */
export const installationLane = 'installation'
