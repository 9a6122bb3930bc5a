import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  CrosswalkError,
  InvalidError,
  NotFoundError,
  PermissionError,
  TimeoutError,
} from '../../sdk/src/main.ts'
import { exitCodes, Failure } from './exit.ts'
import type { Operation } from './operations/operation.ts'
import { visibleLines, withoutSecrets } from './output/visible.ts'

const temporary = [408, 429, 500, 503, 504]

/** The exit code for what ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof ConfigurationError) return exitCodes.usage
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.notAllowed
  if (error instanceof NotFoundError) return exitCodes.notFound
  if (error instanceof ConnectionError || error instanceof TimeoutError) return exitCodes.unavailable
  if (error instanceof ApiError && (temporary.includes(error.status) || error.retryAfter !== null))
    return exitCodes.unavailable
  return exitCodes.refused
}

/** A message for people, without secrets and controls. A 422 names flags. */
export function failureText(error: unknown, operation: Operation | null): string {
  return visibleLines(withoutSecrets(textOf(error, operation)))
}

function textOf(error: unknown, operation: Operation | null): string {
  if (error instanceof ConfigurationError) return error.message.replaceAll('baseUrl', 'the base URL')
  if (error instanceof InvalidError && error.problems.length > 0)
    return [
      'The server refused the values (422):',
      ...error.problems.map((problem) => `  ${problemText(problem, operation)}`),
      ...requestLine(error),
    ].join('\n')
  if (error instanceof ApiError)
    return [
      `${error.detail} (${[error.status, error.code].filter(Boolean).join(' ')})`,
      ...requestLine(error),
    ].join('\n')
  if (error instanceof CrosswalkError || error instanceof Failure) return error.message
  if (error instanceof Error && 'code' in error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const requestLine = ({ requestId }: ApiError): string[] => (requestId ? [`  request ${requestId}`] : [])

type Problem = InvalidError['problems'][number]

function problemText({ loc, msg, ctx }: Problem, operation: Operation | null): string {
  const { nearest, expected } = Object(ctx) as { nearest?: unknown; expected?: unknown }
  const hint = nearest
    ? ` (did you mean ${nearest}?)`
    : expected && !msg.includes(String(expected))
      ? ` (expected: ${expected})`
      : ''
  return `${placeText(loc.map(String), operation)}: ${msg}${hint}`
}

/** The flag or argument for a place in a request such as `["body", "email"]`. */
export function placeText([part = '', ...path]: readonly string[], operation: Operation | null): string {
  const place = path.join('.')
  if (operation === null || part === 'path') return part === 'path' ? `<${place}>` : place || part
  const parameters = part === 'query' ? operation.query : (operation.body ?? [])
  const flag = (name: string) => `--${name.replaceAll('_', '-')}`
  if (part === 'header') return flag(place.toLowerCase())
  if (parameters.some(({ name }) => name === place)) return flag(place)
  const [first = '', ...inner] = path
  if (parameters.some(({ name }) => name === first)) {
    // An index belongs to a repeated flag, such as the second --tags.
    const at =
      inner.length === 1 && /^\d+$/.test(inner[0] ?? '')
        ? ` (${Number(inner[0]) + 1}.)`
        : ` (at ${inner.join('.')})`
    return flag(first) + at
  }
  if (part === 'query') return `--${place}`
  return place === '' ? '--data' : `--set ${place}`
}
