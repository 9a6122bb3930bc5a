import { z } from 'zod'
import { DomainError } from '../platform/domain-error.ts'
import { ValidationError } from '../platform/http/validation.ts'
import type { Log } from '../platform/log.ts'
import { visibleText } from '../platform/visible-text.ts'
import { withToolNames } from './tools-for-paths.ts'

const charactersMax = 4_000

export type FailureParts = {
  log: Log
  requestId: string
  /** The refusal to show for an error, such as an unavailable database; null for a fault of the server. */
  refusalOf: (error: unknown) => DomainError | null
}

/**
 * The text for a model when a tool fails: the field, the fault and what to do, at most 4,000 characters. Faults of the
 * server are logged, and show only the request id.
 */
export function failureText(error: unknown, { log, requestId, refusalOf }: FailureParts): string {
  const text = refusalText(error, refusalOf(error))
  if (text !== null) return shortened(visibleText(withToolNames(text)))
  log.error({ err: error, request_id: requestId }, 'a tool failed')
  return `The server failed. Report this with the request id ${requestId}`
}

function refusalText(error: unknown, refusal: DomainError | null): string | null {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('\n')
  if (error instanceof ValidationError && error.code === 'idempotency_key_reused') return requestIdReused
  if (error instanceof ValidationError)
    return error.details
      .map(({ loc, msg, ctx }) => {
        const place = loc.slice(1).join('.') || 'arguments'
        const more =
          ctx?.expected === undefined || msg.includes(String(ctx.expected)) ? '' : `. ${ctx.expected}`
        return `${place}: ${msg}${more}`
      })
      .join('\n')
  if (error instanceof WrongArguments) return error.message
  const found = error instanceof DomainError ? error : refusal
  if (found === null) return null
  const { message, retryAfterSeconds: seconds } = found
  if (found.code === 'idempotency_key_in_use') return `${stillRunning(seconds ?? 1)} (${found.code})`
  const again = seconds === undefined ? '' : `${/[.!?]$/.test(message) ? '' : '.'} Try again in ${seconds} s.`
  return `${message}${again} (${found.code})`
}

const requestIdReused =
  'request_id: a call with other arguments had this id. Send a new id with each call, and an earlier id only to repeat that call.'

const stillRunning = (seconds: number) =>
  `The same call is still running. Send it again in ${seconds} s, with the same arguments, to get its answer.`

const shortened = (text: string): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}… and more`

/** Arguments that match their schema but are invalid together, with a text for the model. */
export class WrongArguments extends Error {
  override name = 'WrongArguments'
}
