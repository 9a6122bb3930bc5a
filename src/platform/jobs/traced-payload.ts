import { currentTraceparent } from '../tracing/trace.ts'

/** Adds the current span to the payload of a job, so that the job belongs to its trace. */
export function withTraceparent(payload: object): object {
  const traceparent = currentTraceparent()
  return traceparent === null ? payload : { ...payload, traceparent }
}

/** Separates the payload of a job from the span that enqueued it. */
export function splitTraceparent(data: unknown): { payload: unknown; traceparent: string | null } {
  const { traceparent = null, ...payload } = data as { traceparent?: string }
  return { payload, traceparent }
}
