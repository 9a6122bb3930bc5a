import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { JobIdentity } from './identity.ts'
import type { RetryPolicy } from './retry.ts'

export type JobRun<Payload> = {
  payload: Payload
  context: Context
  /** Fires when the process is about to stop, or has lost this job: finish the current step and return. */
  signal: AbortSignal
}

/** A background job: its identity, how it is retried, and what it does. */
export type Job<Payload = unknown> = JobIdentity<Payload> & {
  retry?: Partial<RetryPolicy>
  /** How many run at once in one process; 2 by default. One org gets all but one of them. */
  concurrency?: number
  run(job: JobRun<Payload>): Promise<void>
  /** Called once no retry is left: the last retry failed, or the process that ran it died. */
  abandoned?(job: JobRun<Payload>): Promise<void>
}

/** A job whose payload's type is no longer known: what workers handle. */
export type AnyJob = Pick<Job, 'name' | 'retry' | 'concurrency'> & {
  payload: z.ZodType
  orgId(payload: never): string | null
  serialKey?(payload: never): string
  run(job: JobRun<never>): Promise<void>
  abandoned?(job: JobRun<never>): Promise<void>
}

/** Defines a background job. `run` may be called again after a crash, so it must continue where it stopped. */
export function job<Payload>(definition: Job<Payload>): Job<Payload> {
  return definition
}

/** The queue of failed jobs that wait for their `abandoned` to run. */
export const abandonedQueue = (name: string): string => `${name}_abandoned`

/** The queues of these definitions: one for each job, and one for each `abandoned`. */
export function queuesOf(definitions: readonly AnyJob[]): AnyJob[] {
  return definitions.flatMap(({ abandoned, ...each }) =>
    abandoned ? [each, { ...each, name: abandonedQueue(each.name), run: abandoned }] : [each],
  )
}
