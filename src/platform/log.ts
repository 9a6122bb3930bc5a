import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isUnavailable } from './db/errors.ts'
import { databaseOutage, writeOnceASecond } from './log-once-a-second.ts'

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
 * The parts of an error to log. Errors of pg also contain the connection with its cancel key, and values of rows in
 * `detail`.
 */
export function loggedError(thrown: unknown): LoggedError {
  const error = thrown instanceof Error ? thrown : new Error(textOf(thrown))
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

/** pg-boss reports some errors as plain objects. */
const textOf = (thrown: unknown) =>
  String((thrown as { message?: unknown } | null | undefined)?.message ?? thrown)

type Line = Record<string, unknown> & { err?: LoggedError }

/**
 * Formats a line of the log for people: `12:30:05 warn The message. {"port":80}`. The stack of an error is printed
 * below the line. Other output, such as half of a line or the error of a failed start, stays as it is.
 */
export function readable(line: string): string {
  const parsed = parsedLine(line)
  if (parsed === null) return line
  const { level, time, msg, err, ...fields } = parsed
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg ?? ''}${more}${stack}\n`
}

function parsedLine(line: string): Line | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as Line
  } catch {
    return null
  }
}

/**
 * Logs to standard error, because standard output is for the results of commands. Writes text on a terminal, else
 * JSON. In an outage of the database, each background task fails several times a second: all errors of the database
 * together are one line a second.
 * @param processName is added to each line, unless it is null
 */
export function createLog(
  level: Config['logLevel'],
  processName: string | null = null,
  destination: DestinationStream = standardError(),
): Log {
  const log: Log = pino(
    {
      level,
      base: processName === null ? null : { process: processName },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggedError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(line, write) {
          const [fields] = line as unknown as [{ err?: unknown } | string]
          const isOutage = typeof fields === 'object' && isUnavailable(fields.err)
          if (!isOutage) return write.apply(this, line)
          const { cause, message } = fields.err as Error
          const reason = cause instanceof Error ? cause.message : message
          writeOnceASecond(log, databaseOutage, reason, () => write.apply(this, line))
        },
      },
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
    destination,
  )
  return log
}

const standardError = (): DestinationStream =>
  process.stderr.isTTY
    ? { write: (line: string) => void process.stderr.write(readable(line)) }
    : pino.destination({ dest: 2, sync: false })
