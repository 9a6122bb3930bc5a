import { ConfigError } from './config.ts'
import { DataDirInUse } from './db/embedded/embedded.ts'
import { EmbeddedPostgresFault } from './db/embedded/faults.ts'
import { codeOf, isTlsFailure, isUnavailable, toUnavailable } from './db/errors.ts'
import { DomainError } from './domain-error.ts'

/** A failure that an operator can fix. Its message says how. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** The setting that has an address of the database. */
export type DatabaseSetting = 'DATABASE_URL' | 'DIRECT_DATABASE_URL'

/** Lets `errorText` name the setting whose address `work` connects to. */
export async function namingSetting<Result>(
  setting: DatabaseSetting,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw Object.assign(error as Error, { setting })
  }
}

const errorsForPeople = [ConfigError, DataDirInUse, DomainError, EmbeddedPostgresFault, OperatorError]

/** Returns the error's message. The stack is added unless the error is meant for people. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (errorsForPeople.some((known) => error instanceof known)) return error.message
  const { code, setting = 'DATABASE_URL' } = error as { code?: string; setting?: DatabaseSetting }
  if (code === '28P01' || code === '28000') {
    return `The database refuses the login of ${setting}: ${error.message}.`
  }
  if (code === '3D000') return `${error.message}: create it, or name another database in ${setting}.`
  if (code === '42501') {
    return (
      `The role of ${setting} lacks rights (${reasonOf(error)}). It must be the role that owns the database. ` +
      'If it is, and the database was restored, the restore stopped early: restore the backup again, into a new database.'
    )
  }
  if (hasCode(error, '55P03')) {
    return `Another process locks the database, such as a server that migrates it (${reasonOf(error)}): try again.`
  }
  if (hasCode(error, '53100')) return `The disk of PostgreSQL is full (${reasonOf(error)}): free some space.`
  if (isTlsFailure(error) || (error.cause instanceof Error && isTlsFailure(error.cause))) {
    return (
      `The connection of ${setting} cannot use TLS (${reasonOf(error)}). If PostgreSQL offers no TLS, turn on \`ssl\` in PostgreSQL, or ` +
      `remove \`sslmode\` from ${setting}. Otherwise, PostgreSQL needs a valid certificate for this host name, and \`sslrootcert\` names ` +
      'the file of its certificate authority.'
    )
  }
  if (isUnavailable(toUnavailable(error))) {
    return `The database cannot be reached (${reasonOf(error)}): check that it runs, and ${setting} if that is set.`
  }
  return error.stack ?? error.message
}

/** Whether the error or one of its causes has this code. */
const hasCode = (error: Error, code: string): boolean =>
  codeOf(error) === code || (error.cause instanceof Error && hasCode(error.cause, code))

/** Returns the message of the driver or the system. An error about several failed addresses has only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, message, code } = error as Error & { code?: unknown }
  return cause instanceof Error ? reasonOf(cause) : message || String(code)
}

/** Node's message about a file, without code and path: `no such file or directory`. */
export function fileReasonOf(error: unknown): string {
  // "ENOENT: no such file or directory, open '…'"
  return reasonOf(error).replace(/^[A-Z]+: (.*?), \w+.*$/, '$1')
}

const listenFaults: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (_host, port) =>
    `Port ${port} is taken by another program: set PORT to another one (PORT=0 takes any free one).`,
  EACCES: (_host, port) => `This user may not listen on port ${port}: set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST=${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST=${host} is not an address of this machine.`,
  EAI_AGAIN: (host) => `HOST=${host} is not an address of this machine.`,
}

/** Returns the reason why the server cannot listen on its address, for an operator. */
export function listenFault({ host, port }: { host: string; port: number }, error: unknown): unknown {
  const explain = listenFaults[(error as { code?: string }).code ?? '']
  return explain ? new OperatorError(explain(host, port), { cause: error }) : error
}

/** Prints an error to standard error and ends the process with status 1. */
export function reportAndExit(error: unknown): never {
  process.stderr.write(`${errorText(error)}\n`)
  process.exit(1)
}
