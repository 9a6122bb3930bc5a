import { environment, misspelledSettings } from './config.ts'

/** What the operator should know about settings that can be used but do not do what they seem to do. */
export function settingWarnings(env = environment()): string[] {
  return [
    ...misspelledSettings(env).map(
      ({ name, nearest }) => `${name} is not a setting and is not read. Did you mean ${nearest}?`,
    ),
    ...pathWarnings(env.PUBLIC_URL),
    ...(env.OTEL_EXPORTER_OTLP_ENDPOINT ? protocolWarnings(env) : []),
  ]
}

function pathWarnings(publicUrl: string | undefined): string[] {
  const path = URL.parse(publicUrl ?? '')?.pathname ?? '/'
  if (path === '/') return []
  return [
    `PUBLIC_URL has the path ${path}, below which only the API works. The console, forms and guides need a host name of ` +
      'their own, such as https://crosswalk.example.com (docs/operating/proxy.md).',
  ]
}

function protocolWarnings(env: Record<string, string | undefined>): string[] {
  return ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'].flatMap((name) => {
    const protocol = env[name]
    const isOther = protocol && protocol !== 'http/json'
    return isOther ? [`${name}=${protocol} is not used: traces are sent as http/json over HTTP.`] : []
  })
}
