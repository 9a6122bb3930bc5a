import { ConfigError } from './config.ts'
import { DataDirInUse } from './db/embedded/embedded.ts'
import { EmbeddedPostgresFault } from './db/embedded/faults.ts'

/** A failure that an operator can mend: its message is all that they need to see. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

const ownWords = [ConfigError, DataDirInUse, EmbeddedPostgresFault, OperatorError]

/** What to print of an error that ends a command: its message if it was written for people, else its stack too. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (ownWords.some((known) => error instanceof known)) return error.message
  const { code, port } = error as { code?: string; port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program: set PORT to another one (PORT=0 takes any free one).`
  }
  if (code === '28P01' || code === '28000')
    return `The database refuses the login of DATABASE_URL: ${error.message}.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The database of DATABASE_URL cannot be reached (${error.message || code}): check the address, and that it runs.`
  }
  return error.stack ?? error.message
}

/** Prints an error to standard error and ends the process with status 1. */
export function reportAndExit(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}
