/** Why work is refused, whatever asked for it: a request, a job or a command. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'too_large'
  | 'too_many'
  | 'bad_gateway'
  | 'unavailable'

type Options = {
  code?: string | undefined
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

/** Work that is refused, with a text that says what to do. `platform/http` turns it into an answer. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly kind: ErrorKind
  /** A stable word for programs, where the endpoint documents one. */
  readonly code: string | undefined
  /** When the same may be asked again, where that is known. */
  readonly retryAfterSeconds: number | undefined
  /** Headers of the answer, for refusals that only requests get. */
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ErrorKind, message: string, { code, retryAfterSeconds, headers = {} }: Options = {}) {
    super(message)
    this.kind = kind
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }
}

/** What is asked for can be read, but not be done. */
export const invalid = (message: string, code?: string): DomainError =>
  new DomainError('invalid', message, { code })

export const forbidden = (message: string): DomainError => new DomainError('forbidden', message)

export const notFound = (message: string): DomainError => new DomainError('not_found', message)

/** The state of the data does not allow it. */
export const conflict = (message: string): DomainError => new DomainError('conflict', message)

/** Another service that this needs failed. */
export const badGateway = (message: string): DomainError => new DomainError('bad_gateway', message)

/** True for an error that says that something does not exist. */
export const isNotFound = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind === 'not_found'
