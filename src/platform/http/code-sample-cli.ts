import { asksFirst, commandOf, flagOf } from './cli-names.ts'
import { json, literal, sampleWidth, shellQuoted } from './code-sample-literal.ts'
import { nounOf, type SampleRequest } from './code-sample-request.ts'

/** Returns the request of a sample as a `crosswalk` command in a POSIX shell. */
export function cliSample(request: SampleRequest): string {
  const { endpoint, pathValues, queryValues, body, ifMatch } = request
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    word(String(pathValues[name ?? ''])),
  )
  const values = body && 'json' in body ? (body.json as object) : queryValues
  const parts = [
    ['crosswalk', commandOf(endpoint.sdk), ...ids].join(' '),
    ...(body && 'file' in body ? [`--file ${body.file}`] : []),
    ...Object.entries(values).flatMap(([name, value]) => options(name, value)),
    ...(ifMatch === undefined ? [] : [`--if-match ${ifMatch}`]),
    ...(asksFirst(endpoint.sdk) ? ['--yes'] : []),
    ...(endpoint.shape === 'file' ? [`> ${nounOf(endpoint)}.csv`] : []),
  ]
  const line = parts.join(' ')
  return line.length <= sampleWidth ? line : parts.join(' \\\n  ')
}

/** Returns the options for one member. An object is written as JSON. */
function options(name: string, value: unknown): string[] {
  const flag = `--${flagOf(name)}`
  if (value === true) return [flag]
  if (value === false) return [`--no-${flagOf(name)}`]
  if (value === null) return [`--set ${name}=null`]
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.map((one) => `${flag} ${word(one)}`)
  if (typeof value === 'object')
    return [`${flag} ${shellQuoted(literal(value, json, Number.POSITIVE_INFINITY))}`]
  return [`${flag} ${word(String(value))}`]
}

/** A text as a word of the shell. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))
