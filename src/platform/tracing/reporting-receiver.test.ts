import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { reportingReceiver } from './reporting-receiver.ts'

test('a receiver of traces that refuses spans is named in the log once, and once more when it takes them again', () => {
  const lines: unknown[][] = []
  const log = {
    info: (...line: unknown[]) => lines.push(['info', ...line]),
    warn: (...line: unknown[]) => lines.push(['warn', ...line]),
  }
  const answers = [null, 'ECONNREFUSED', 'Not Found', null, null]
  const receiver: SpanExporter = {
    export: (_spans, done) => {
      const refusal = answers.shift()
      if (refusal) done({ code: ExportResultCode.FAILED, error: new Error(refusal) })
      else done({ code: ExportResultCode.SUCCESS })
    },
    shutdown: async () => {},
  }
  const reporting = reportingReceiver(receiver, log as never)
  const codes: number[] = []
  for (let n = 0; n < 5; n++) reporting.export([], ({ code }) => codes.push(code))
  expect(codes).toEqual([0, 1, 1, 0, 0])
  expect(lines).toEqual([
    [
      'warn',
      { reason: 'ECONNREFUSED' },
      'the receiver of traces accepts no spans, so they are dropped: check OTEL_EXPORTER_OTLP_ENDPOINT',
    ],
    ['info', {}, 'the receiver of traces accepts spans again'],
  ])
})
