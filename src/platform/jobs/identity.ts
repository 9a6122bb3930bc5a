import type { z } from 'zod'

/** The part of a job that a feature needs to enqueue it. It does not load the code that runs the job (`Job`). */
export type JobIdentity<Payload = unknown> = {
  name: string
  /** Only ids: the queue must not store personal data. */
  payload: z.ZodType<Payload>
  /** The org whose share of the workers the job uses; null for a job of the installation. */
  orgId(payload: Payload): string | null
  /**
   * Jobs with the same serial key run one at a time across all processes, in any order. The key begins with the kind of
   * thing that it names: `connection 0190a3c4-…`.
   */
  serialKey?(payload: Payload): string
}

/** The lane of jobs that belong to no org. */
export const installationLane = 'installation'
