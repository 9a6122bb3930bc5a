import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'

/** The same receiver of spans. The log says once when it begins to refuse them or is away, and once when it takes them again. */
export function reportingReceiver(receiver: SpanExporter, log: Pick<Log, 'info' | 'warn'>): SpanExporter {
  let isAway = false
  return {
    export: (spans, done) =>
      receiver.export(spans, (result) => {
        const fails = result.code === ExportResultCode.FAILED
        if (fails && !isAway) log.warn({ reason: result.error?.message }, away)
        if (!fails && isAway) log.info({}, 'the receiver of traces takes spans again')
        isAway = fails
        done(result)
      }),
    forceFlush: async () => receiver.forceFlush?.(),
    shutdown: () => receiver.shutdown(),
  }
}

const away = 'the receiver of traces takes no spans, so they are dropped: check OTEL_EXPORTER_OTLP_ENDPOINT'
