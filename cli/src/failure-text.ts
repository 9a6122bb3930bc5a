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
import type { Command } from './command.ts'
import { exitCodes, Failure, temporaryStatuses } from './exit.ts'
import type { Operation } from './operations/operation.ts'
import { visibleLines, withoutSecrets } from './output/visible.ts'

/** The command that failed. `operation`: null for one written by hand. */
type Asked = { command: Command; operation: Operation | null }

/** Returns the exit code for the error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof ConfigurationError) return exitCodes.usage
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.notAllowed
  if (error instanceof NotFoundError) return exitCodes.notFound
  if (error instanceof ConnectionError || error instanceof TimeoutError) return exitCodes.unavailable
  if (error instanceof ApiError && (temporaryStatuses.includes(error.status) || error.retryAfter !== null))
    return exitCodes.unavailable
  return exitCodes.refused
}

/** A message for people, without secrets and controls. A 422 names the flags of the command. */
export function failureText(error: unknown, asked: Asked | null): string {
  return visibleLines(withoutSecrets(textOf(error, asked)))
    .replaceAll('baseUrl', 'the base URL')
    .replace(/ \((timeoutMs|deadlineMs)\)/, '')
}

function textOf(error: unknown, asked: Asked | null): string {
  if (error instanceof InvalidError && error.problems.length > 0)
    return [
      'The server refused the values (422):',
      ...error.problems.map((problem) => `  ${problemText(problem, asked)}`),
      ...requestLine(error),
    ].join('\n')
  if (error instanceof ApiError)
    return [
      `${error.detail} (${[error.status, error.code].filter(Boolean).join(' ')})`,
      ...targetLine(error),
      ...requestLine(error),
    ].join('\n')
  if (error instanceof CrosswalkError || error instanceof Failure) return error.message
  if (error instanceof Error && 'code' in error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Says how a command leaves X-Target-Org-Id out, because the text of the server names only the header. */
const targetLine = ({ code }: ApiError): string[] =>
  code === 'own_organization_required'
    ? [
        '  The target comes from --target-org, CROSSWALK_TARGET_ORG or the profile. --target-org <id of the agency> overrides it.',
      ]
    : []

const requestLine = ({ requestId }: ApiError): string[] => (requestId ? [`  request ${requestId}`] : [])

type Problem = InvalidError['problems'][number]

function problemText({ loc, msg, ctx }: Problem, asked: Asked | null): string {
  const { nearest, expected } = Object(ctx) as { nearest?: unknown; expected?: unknown }
  const hint = nearest
    ? ` (did you mean ${nearest}?)`
    : expected && !msg.includes(String(expected))
      ? ` (expected: ${expected})`
      : ''
  return `${placeText(loc.map(String), asked)}: ${msg}${hint}`
}

/** Returns the flag or argument of a command for a place in a request such as `["body", "email"]`. */
export function placeText([part = '', ...path]: readonly string[], asked: Asked | null): string {
  const place = path.join('.')
  if (part === 'path') return `<${place}>`
  const flags = asked?.command.flags ?? {}
  const named = (name: string) => name.toLowerCase().replaceAll('_', '-')
  if (Object.hasOwn(flags, named(place))) return `--${named(place)}`
  const setting = Object.entries(flags).find(([, { sets }]) => sets && `${place}.`.startsWith(`${sets}.`))
  if (setting) return flagText(setting[0], path.slice(setting[1].sets?.split('.').length))
  const [first = '', ...inner] = path
  if (Object.hasOwn(flags, named(first))) return flagText(named(first), inner)
  // A filter by a field, such as --version[gt].
  if (part === 'query') return `--${place}`
  if (!asked?.operation) return place || part
  return place === '' ? '--data' : `--set ${place}`
}

/** An index belongs to a repeated flag: the second --tags. */
function flagText(flag: string, inner: readonly string[]): string {
  if (inner.length === 0) return `--${flag}`
  const index = inner.length === 1 && /^\d+$/.test(inner[0] ?? '') ? Number(inner[0]) : null
  return `--${flag} (${index === null ? `at ${inner.join('.')}` : `number ${index + 1}`})`
}
