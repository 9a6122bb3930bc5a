import { json, literal, sampleWidth, shellQuoted } from './code-sample-literal.ts'
import { nounOf, type SampleRequest } from './code-sample-request.ts'

/** Returns the request of a sample as a command of a POSIX shell. The key is in `$CROSSWALK_API_KEY`. */
export function curlSample(request: SampleRequest): string {
  const { endpoint, body, ifMatch } = request
  const lines = [
    `curl ${methodOption(request)}${quotedUrl(request)}`,
    `-H "Authorization: Bearer $CROSSWALK_API_KEY"`,
    ...(ifMatch === undefined ? [] : [`-H 'If-Match: "${ifMatch}"'`]),
    ...bodyOptions(body),
    ...(endpoint.shape === 'file' ? [`-o ${nounOf(endpoint)}.csv`] : []),
  ]
  return lines.join(' \\\n  ')
}

function methodOption({ endpoint: { method }, body }: SampleRequest): string {
  const usual = body ? 'POST' : 'GET'
  return method === usual ? '' : `-X ${method} `
}

function quotedUrl({ endpoint, address, pathValues, queryValues }: SampleRequest): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(pathValues[name])),
  )
  const query = String(new URLSearchParams(queryValues as Record<string, string>))
  const url = `${address}/api/v1${path}${query && `?${query}`}`
  return query ? `'${url}'` : url
}

function bodyOptions(body: SampleRequest['body']): string[] {
  if (!body) return []
  if ('file' in body) return [`-H 'Content-Type: text/csv'`, `--data-binary @${body.file}`]
  return [
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuoted(literal(body.json, json, sampleWidth, '  ', 6))}`,
  ]
}
