import { AsyncLocalStorage } from 'node:async_hooks'

export type Attributes = Record<string, string | number | boolean>

/** What a span is to its trace: it answers a request, sends one, runs a job, or works inside of this process. */
export type SpanKind = 'server' | 'client' | 'job' | 'internal'

/** A span that is recorded. Attributes must be neither personal data nor secrets. */
export type Span = {
  /** The span for other processes, as in the header `traceparent` (W3C Trace Context). */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** Marks the span as failed. Records only the name of the error, because its message may contain personal data. */
  fail(error: unknown): void
  end(): void
}

export type NewSpan = { name: string; kind: SpanKind; attributes?: Attributes }

/** Decides which spans are recorded. */
export type Tracer = {
  /**
   * Begins a span.
   * @param parent the `traceparent` of the span that caused it; null: it begins a trace
   * @returns null if the trace is not sampled
   */
  begin(span: NewSpan, parent: string | null): Span | null
}

let tracer: Tracer | null = null
const current = new AsyncLocalStorage<Span>()

/** Records spans with `next` from now on; null: records no spans. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Begins the span of a request; null without a tracer, or if it is not sampled. Call `end`. */
export function beginSpan(span: NewSpan, parent: string | null): Span | null {
  return tracer?.begin(span, parent) ?? null
}

/** Calls `act`. Spans that it begins belong to `span`. */
export function within<Result>(span: Span, act: () => Result): Result {
  return current.run(span, act)
}

/** The `traceparent` of the current span; null if none is recorded. */
export function currentTraceparent(): string | null {
  return tracer === null ? null : (current.getStore()?.traceparent ?? null)
}

/**
 * Records `work` as a part of the current span. Outside of a recorded span, only calls `work`.
 * @param describe called only if the span is recorded
 */
export function traced<Result>(
  describe: () => NewSpan,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const parent = currentTraceparent()
  return parent === null ? work(null) : tracedAfter(parent, describe, work)
}

/** Does the same within another span, which may be a span of another process. */
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
