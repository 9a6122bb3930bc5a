import { setTimeout as delay } from 'node:timers/promises'
import {
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import { version } from '../version.ts'
import { reportingReceiver } from './reporting-receiver.ts'
import type { Sampling } from './sampling.ts'
import type { Attributes, SpanKind as Kind, NewSpan, Span, Tracer } from './trace.ts'

const stopWithinMs = 2_000

const kinds: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/**
 * Sends spans to the address of OTEL_EXPORTER_OTLP_ENDPOINT, in the background. If the receiver is away, spans are
 * dropped, and the log says so once. `stop` sends what is left, for 2 s at most.
 */
export function openTracer(
  sampling: Sampling,
  log: Pick<Log, 'info' | 'warn'>,
): { tracer: Tracer; stop(): Promise<void> } {
  const named = resourceFromAttributes({ 'service.name': 'crosswalk', 'service.version': version })
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampling),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportingReceiver(new OTLPTraceExporter(), log) })],
  })
  const recorder = provider.getTracer('crosswalk', version)
  const begin = ({ name, kind, attributes = {} }: NewSpan, parent: string | null) => {
    const cause = parent === null ? null : parseTraceParent(parent)
    const context = cause ? trace.setSpanContext(ROOT_CONTEXT, { ...cause, isRemote: true }) : ROOT_CONTEXT
    const span = recorder.startSpan(name, { kind: kinds[kind], attributes }, context)
    return span.isRecording() ? new OpenSpan(span) : null
  }
  return { tracer: { begin }, stop: () => Promise.race([provider.shutdown(), delay(stopWithinMs)]) }
}

function samplerOf({ sampler, ratio }: Sampling): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler()
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}

class OpenSpan implements Span {
  readonly traceparent: string
  readonly #span: RecordedSpan

  constructor(span: RecordedSpan) {
    this.#span = span
    this.traceparent = headerOf(span.spanContext())
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  fail(error: unknown): void {
    const { name, code } = (error ?? {}) as { name?: string; code?: string }
    this.#span.setAttribute('error.type', String(code ?? name ?? 'Error'))
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

const headerOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
