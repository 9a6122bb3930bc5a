import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { CommitUnknown, type DatabaseUnavailable, isUnavailable, OrgBusy, ThreadBusy } from '../db/errors.ts'
import { DomainError, invalid, unavailable } from '../domain-error.ts'
import type { CodeOf, RefusalCode } from '../error-codes/catalog.ts'
import { databaseOutage, logOnceASecond } from '../log-once-a-second.ts'
import { explained, type PathHints } from './expected-input.ts'
import { BadEncoding } from './json-body.ts'
import { type ProblemBody, problemOf } from './problem.ts'
import { isOutsideRecordAccess, outsideRecordAccess } from './record-access.ts'
import { ValidationError } from './validation.ts'

const explainedInLog = new WeakSet<FastifyRequest>()

/** Whether the log already says why this request gets a 503. */
export const isExplained = (request: FastifyRequest): boolean => explainedInLog.has(request)

/** Keeps the 503 of a request out of the log, which already says why. */
export function noteExplained(request: FastifyRequest): void {
  explainedInLog.add(request)
}

/** Answers a request that failed, and logs it if the server is at fault. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { context, hints }: { context: Context; hints: PathHints },
): FastifyReply {
  reply.serializer(JSON.stringify).header('content-type', 'application/json; charset=utf-8')
  const refusal = refusalOf(error, request, context)
  if (refusal) {
    // The log has one line a second about such requests.
    if (isUnavailable(error)) noteExplained(request)
    const { status, headers, body } = problemOf(refusal)
    // Fastify closes the connection when it refuses a body. Many clients then report a broken connection before they
    // read the answer.
    if (status === 413 || status === 503) reply.removeHeader('connection')
    return reply.code(status).headers(headers).send(body)
  }
  const send = (status: number, detail: unknown, code: RefusalCode) =>
    reply.code(status).send({ detail, code } satisfies ProblemBody)
  if (error instanceof ValidationError) {
    const { details, code } = error
    return send(422, explained(details, request, hints), code)
  }
  const { statusCode } = error as { statusCode?: number }
  // Fastify itself refused a malformed request. No client library sends such a request.
  if (statusCode && statusCode < 500) return send(statusCode, (error as Error).message, 'malformed_request')
  context.log.error({ err: error, request_id: request.id }, 'a request failed')
  return send(500, `The server failed. Report this with the request id ${request.id}`, 'internal_error')
}

/** Returns the refusal for `error`. null: `error` is the server's fault, or a ValidationError. */
export function refusalOf(error: unknown, { raw, id }: FastifyRequest, context: Context): DomainError | null {
  // The client closed the connection, which caused the error.
  if ((raw.destroyed && !raw.complete) || (raw.socket.destroyed && isPrematureClose(error)))
    return invalid('body_incomplete', 'Cut off')
  if (error instanceof DomainError) return error
  if (isOutsideRecordAccess(error)) return outsideRecordAccess()
  if (error instanceof BadEncoding) return invalid('body_not_utf8', error.message)
  if (!isUnavailable(error)) return null
  const line = { reason: ((error.cause ?? error) as Error).message, request_id: id }
  // The server is not at fault: the organization sends too many requests at once.
  if (error instanceof OrgBusy) context.log.debug(line, 'an organization sends too many requests at once')
  else if (error instanceof ThreadBusy) logOnceASecond(context.log, line, 'this process is too busy')
  else logOnceASecond(context.log, line, databaseOutage)
  const [code, message] = whyUnavailable(error)
  return unavailable(code, message, { retryAfterSeconds: 2 })
}

/** Whether a stream was closed before its end, such as an answer whose client has left. */
const isPrematureClose = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE'

function whyUnavailable(error: DatabaseUnavailable): [CodeOf<'unavailable'>, string] {
  if (error instanceof CommitUnknown)
    return [
      'outcome_unknown',
      'The connection to the database broke while this was being saved: either the whole request took effect, or nothing. With an Idempotency-Key, send the request again. Without one, first check whether it took effect.',
    ]
  if (error instanceof OrgBusy)
    return [
      'organization_busy',
      'Too many requests of this organization run or wait at the same time; nothing was changed. Send fewer at a time, and try again in a few seconds.',
    ]
  if (error instanceof ThreadBusy)
    return [
      'server_busy',
      'This server is too busy right now; nothing was changed. Try again in a few seconds.',
    ]
  return [
    'database_unavailable',
    'The database is not available right now; nothing was changed. Try again in a few seconds.',
  ]
}
