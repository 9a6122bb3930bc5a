import { expect, test } from 'vitest'
import { settingWarnings } from './setting-warnings.ts'

const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test.each([
  [{ TRUST_PROXI: '1' }, 'TRUST_PROXI is not a setting and is not read. Did you mean TRUST_PROXY?'],
  [
    { PUBLIC_URL: 'https://example.com/crm/' },
    'PUBLIC_URL has the path /crm/, below which only the API works',
  ],
  [{ ...receiver, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not used'],
])('the settings %j cause a warning', (env, warning) => {
  expect(settingWarnings(env)).toEqual([expect.stringContaining(warning)])
})

test.each([
  {},
  { PUBLIC_URL: 'https://example.com/', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  { ...receiver, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
])('the settings %j cause no warning', (env) => {
  expect(settingWarnings(env)).toEqual([])
})
