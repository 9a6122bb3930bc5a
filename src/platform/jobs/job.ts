import type { z } from 'zod'
import type { Context } from '../context.ts'

export type JobRun<Payload> = {
  payload: Payload
  context: Context
  /** Fires when the process is about to stop, or has lost this job: finish the step at hand and return. */
  signal: AbortSignal
}

/** How often and when a job that failed is tried again. */
export type RetryPolicy = {
  /** Retries after the first try. */
  limit: number
  /** The wait before the first retry, in seconds; it doubles each time, with jitter. 0: no wait at all. */
  delaySeconds: number
  delayMaxSeconds: number
}

/** Tries 9 times within 4 to 9 minutes. */
export const defaultRetry: RetryPolicy = { limit: 8, delaySeconds: 1, delayMaxSeconds: 300 }

/** A background job: its name, what it is given (ids only), how it is retried, and what it does. */
export type Job<Payload = unknown> = {
  name: string
  payload: z.ZodType<Payload>
  /** The org that it works for, which gets its fair share of the workers; null for a job of the installation's. */
  orgId(payload: Payload): string | null
  /**
   * Jobs with the same key, of whatever name, run one at a time over all processes, in no promised order. Say what it
   * is a key of: `connection 0190a3c4-…`.
   */
  serialKey?(payload: Payload): string
  retry?: Partial<RetryPolicy>
  /** How many run at once in one process; 2 unless told. One org gets all but one of them. */
  concurrency?: number
  run(job: JobRun<Payload>): Promise<void>
  /** What to do once nothing more is tried: the last retry failed, or the last process that tried has died. */
  abandoned?(job: JobRun<Payload>): Promise<void>
}

/** A job whose payload's type is no longer known: what the engine handles. */
export type AnyJob = Pick<Job, 'name' | 'retry' | 'concurrency'> & {
  payload: z.ZodType
  orgId(payload: never): string | null
  serialKey?(payload: never): string
  run(job: JobRun<never>): Promise<void>
  abandoned?(job: JobRun<never>): Promise<void>
}

/** Defines a background job. `run` may be called again after a crash, so it must pick up where it was. */
export function job<Payload>(definition: Job<Payload>): Job<Payload> {
  return definition
}

/** A failure that trying again does not mend: the job is given up at once. Its message is shown to operators. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** The lane of jobs that work for no single org. */
export const installationLane = 'installation'

/** The queue of what was given up, which waits for `abandoned`. */
export const abandonedQueue = (name: string): string => `${name}_abandoned`

/** Everything that a process works off for these definitions, by queue. */
export function queuesOf(definitions: readonly AnyJob[]): AnyJob[] {
  return definitions.flatMap(({ abandoned, ...each }) =>
    abandoned ? [each, { ...each, name: abandonedQueue(each.name), run: abandoned }] : [each],
  )
}
