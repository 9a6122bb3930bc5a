import { AsyncLocalStorage } from 'node:async_hooks'

export type Attributes = Record<string, string | number | boolean>

/** What an operation is to its trace: it answers a request, sends one, runs a job, or works inside of this process. */
export type SpanKind = 'server' | 'client' | 'job' | 'internal'

/** An operation that is recorded. Attributes must be neither personal data nor secrets. */
export type Span = {
  /** The operation for other processes, as in the header `traceparent` (W3C Trace Context). */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** Marks the operation as failed. Records only the name of the error, because its message may contain personal data. */
  fail(error: unknown): void
  end(): void
}

export type NewSpan = { name: string; kind: SpanKind; attributes?: Attributes }

/** Decides which operations are recorded. */
export type Tracer = {
  /**
   * Begins an operation.
   * @param parent the `traceparent` of the operation that caused it; null: it begins a trace
   * @returns null if the trace is not sampled
   */
  begin(span: NewSpan, parent: string | null): Span | null
}

let tracer: Tracer | null = null
const current = new AsyncLocalStorage<Span>()

/** Records operations with `next` from now on; null: with none. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Begins the operation of a request; null without a tracer, or if it is not sampled. Call `end`. */
export function beginSpan(span: NewSpan, parent: string | null): Span | null {
  return tracer?.begin(span, parent) ?? null
}

/** Calls `act`. Operations that it begins belong to `span`. */
export function within<Result>(span: Span, act: () => Result): Result {
  return current.run(span, act)
}

/** The `traceparent` of the current operation; null if none is recorded. */
export function currentTraceparent(): string | null {
  return tracer === null ? null : (current.getStore()?.traceparent ?? null)
}

/**
 * Records `work` as a part of the current operation. Outside of a recorded operation, only calls `work`.
 * @param describe called only if the operation is recorded
 */
export function traced<Result>(
  describe: () => NewSpan,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const parent = currentTraceparent()
  return parent === null ? work(null) : tracedAfter(parent, describe, work)
}

/** Does the same as a part of another operation, which may be one of another process. */
export async function tracedAfter<Result>(
  parent: string | null,
  describe: () => NewSpan,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = parent === null ? null : beginSpan(describe(), parent)
  if (span === null) return work(null)
  try {
    return await within(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
