import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Author } from '../db/database.ts'
import type { Org } from '../db/org.ts'
import type { JobIdentity } from './identity.ts'
import type { RetryPolicy } from './retry.ts'

export type JobRun<Payload> = {
  payload: Payload
  context: Context
  /**
   * The handle for the data of one organization, whose transactions are steps of this job (`runStep`). A transaction must
   * not wait for another one of this handle. Jobs with only short transactions use `context.database` instead.
   */
  org(orgId: string, by?: Author): Org
  /** Fires when the process stops, or when another process got the job. Finish the current step and return. */
  signal: AbortSignal
  /**
   * Waits for another system. After a second, other jobs may use this job's slot until the answer comes. Wait for one answer
   * at a time.
   */
  outside<Answer>(answer: Promise<Answer>): Promise<Answer>
  /**
   * Makes the job wait in the queue again, with the payload of its next turn, when this run ends. The queue changes with
   * one statement: a crash neither loses the job nor makes a second one.
   */
  nextTurn(payload: Payload): void
}

/** A background job: its identity, its retries, and the code that runs it. */
export type Job<Payload = unknown> = JobIdentity<Payload> & {
  retry?: Partial<RetryPolicy>
  /** How many jobs run at once in one process; 2 by default. One payer can use all slots except one. */
  concurrency?: number
  run(job: JobRun<Payload>): Promise<void>
  /** Called when no retry is left: the last retry failed, or the process that ran it died. */
  abandoned?(job: JobRun<Payload>): Promise<void>
}

/** A job without its specific payload type. Workers handle jobs of this type. */
export type AnyJob = Pick<Job, 'name' | 'retry' | 'concurrency'> & {
  payload: z.ZodType
  orgId(payload: never): string | null
  serialKey?(payload: never): string
  run(job: JobRun<never>): Promise<void>
  abandoned?(job: JobRun<never>): Promise<void>
}

/** Defines a background job. After a crash, `run` is called again, and must continue where it stopped. */
export function job<Payload>(definition: Job<Payload>): Job<Payload> {
  return definition
}

/** The queue of given-up jobs whose `abandoned` must still run. */
export const abandonedQueue = (name: string): string => `${name}_abandoned`

/** Returns the queues of jobs: one for each job, and a second one for each job with `abandoned`. */
export function queuesOf(definitions: readonly AnyJob[]): AnyJob[] {
  return definitions.flatMap(({ abandoned, ...each }) =>
    abandoned ? [each, { ...each, name: abandonedQueue(each.name), run: abandoned }] : [each],
  )
}
