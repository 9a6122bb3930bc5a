import { type CodeOf, kindOf, type RefusalCode, type RefusalKind } from './error-codes/catalog.ts'

type Options = {
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

/** Work that is refused, with a text that says what to do. `platform/http` turns it into an answer. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly kind: RefusalKind
  /** The stable word for programs. The catalog gives its cause and cure. */
  readonly code: RefusalCode
  /** When the same may be asked again, where that is known. */
  readonly retryAfterSeconds: number | undefined
  /** Headers of the answer, for refusals that only requests get. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, message: string, { retryAfterSeconds, headers = {} }: Options = {}) {
    super(message)
    this.kind = kindOf(code)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }
}

type Refuse<Code extends RefusalCode> = (code: Code, message: string, options?: Options) => DomainError

const refuse: Refuse<RefusalCode> = (code, message, options) => new DomainError(code, message, options)

/** What is asked for can be read, but not be done. */
export const invalid: Refuse<CodeOf<'invalid'>> = refuse

export const unauthenticated: Refuse<CodeOf<'unauthenticated'>> = refuse

export const paymentRequired: Refuse<CodeOf<'payment_required'>> = refuse

export const forbidden: Refuse<CodeOf<'forbidden'>> = refuse

export const notFound: Refuse<CodeOf<'not_found'>> = refuse

/** The state of the data does not allow it. */
export const conflict: Refuse<CodeOf<'conflict'>> = refuse

export const tooLarge: Refuse<CodeOf<'too_large'>> = refuse

/** More than a limit allows now. */
export const tooMany: Refuse<CodeOf<'too_many'>> = refuse

/** Another service that this needs failed. */
export const badGateway: Refuse<CodeOf<'bad_gateway'>> = refuse

/** The server cannot do it now. */
export const unavailable: Refuse<CodeOf<'unavailable'>> = refuse

/** True for an error that says that something does not exist. */
export const isNotFound = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind === 'not_found'
