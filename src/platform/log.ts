import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/** A JSON logger on standard error, so that standard output stays for what a command prints. */
export function createLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
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
