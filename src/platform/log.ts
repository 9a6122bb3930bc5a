import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

type LoggedError = {
  type: string
  message: string
  stack: string | undefined
  code?: string
  constraint?: string
  cause?: LoggedError
}

/**
 * What a log says of an error. Nothing else of it: pg's errors hold their connection with the key that cancels its
 * statements, and in their "detail" the values of a row.
 */
export function loggedError(thrown: unknown): LoggedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { code, constraint } = error as { code?: string; constraint?: string }
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...(code ? { code } : {}),
    ...(constraint ? { constraint } : {}),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  }
}

/** A JSON logger on standard error, so that standard output stays for what a command prints. */
export function createLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggedError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'req.headers',
          'token',
          '*.token',
          '*.password',
          '*.connectionString',
        ],
        censor: '[redacted]',
      },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
