import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'

/**
 * Wraps a receiver of spans. When the receiver begins to fail, the log says so once. When it accepts spans again, the
 * log says that once, too.
 */
export function reportingReceiver(receiver: SpanExporter, log: Pick<Log, 'info' | 'warn'>): SpanExporter {
  let isAway = false
  return {
    export: (spans, done) =>
      receiver.export(spans, (result) => {
        const fails = result.code === ExportResultCode.FAILED
        if (fails && !isAway) log.warn({ reason: result.error?.message }, away)
        if (!fails && isAway) log.info({}, 'the receiver of traces accepts spans again')
        isAway = fails
        done(result)
      }),
    forceFlush: async () => receiver.forceFlush?.(),
    shutdown: () => receiver.shutdown(),
  }
}

const away = 'the receiver of traces accepts no spans, so they are dropped: check OTEL_EXPORTER_OTLP_ENDPOINT'
