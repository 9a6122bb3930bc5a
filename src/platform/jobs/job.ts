import type { z } from 'zod'
import type { Context } from '../context.ts'

export type JobRun<Payload> = {
  payload: Payload
  context: Context
  /** Fires when the process is about to stop: finish the step at hand and return; the job goes on elsewhere. */
  signal: AbortSignal
}

/** A background job: its name, what it is given (ids only), how it is retried, and what it does. */
export type Job<Payload = unknown> = {
  name: string
  payload: z.ZodType<Payload>
  /** Retries after the first failure; 8 unless told. Waits start near 1 s and double, with jitter, up to 5 min. */
  retries?: number
  /** How many run at once in one process; 2 unless told. */
  concurrency?: number
  run(job: JobRun<Payload>): Promise<void>
  /** What to do once nothing more is tried: the last retry failed, or the last process that tried has died. */
  abandoned?(job: JobRun<Payload>): Promise<void>
}

/** A job whose payload's type is no longer known: what the engine handles. */
export type AnyJob = Omit<Job, 'payload' | 'run' | 'abandoned'> & {
  payload: z.ZodType
  run(job: JobRun<never>): Promise<void>
  abandoned?(job: JobRun<never>): Promise<void>
}

/** Defines a background job. `run` may be called again after a crash, so it must pick up where it was. */
export function job<Payload>(definition: Job<Payload>): Job<Payload> {
  return definition
}
