/** The exit codes of all commands. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  notAllowed: 4,
  notFound: 5,
  unavailable: 75,
  interrupted: 130,
} as const

/** The statuses after which the same request may succeed later. */
export const temporaryStatuses: readonly number[] = [408, 429, 500, 503, 504]

/** Ends the command with a message on standard error. */
export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command was typed wrongly, or needs an answer that it cannot ask for. */
export class UsageError extends Failure {
  override name = 'UsageError'

  constructor(message: string) {
    super(message, exitCodes.usage)
  }
}
