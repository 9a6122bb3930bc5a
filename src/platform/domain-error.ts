import { type CodeOf, kindOf, type RefusalCode, type RefusalKind } from './error-codes/catalog.ts'

type Options = {
  retryAfterSeconds?: number
  headers?: Record<string, string>
  confirm?: readonly string[]
  sso?: readonly SsoOrg[]
}

/** An organization whose single sign-on would allow the request. */
export type SsoOrg = { org_id: string; org_name: string }

/** A refusal with a text that says what to do. `platform/http` turns it into an answer. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly kind: RefusalKind
  /** The code never changes. The catalog (error-codes/) explains its cause and what to do. */
  readonly code: RefusalCode
  /** The time after which the same request may succeed, if it is known. */
  readonly retryAfterSeconds: number | undefined
  /** Headers of the answer. Only an error about a request has them. */
  readonly headers: Readonly<Record<string, string>>

  /** How a person can confirm the request; undefined: a confirmation does not help. */
  readonly confirm: readonly string[] | undefined

  /** The organizations whose single sign-on would allow the request; undefined if there is none. */
  readonly sso: readonly SsoOrg[] | undefined

  constructor(
    code: RefusalCode,
    message: string,
    { retryAfterSeconds, headers = {}, confirm, sso }: Options = {},
  ) {
    super(message)
    this.kind = kindOf(code)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
    this.confirm = confirm
    this.sso = sso
  }
}

type Refuse<Code extends RefusalCode> = (code: Code, message: string, options?: Options) => DomainError

const refuse: Refuse<RefusalCode> = (code, message, options) => new DomainError(code, message, options)

/** The request is readable, but it asks for something that cannot be done. */
export const invalid: Refuse<CodeOf<'invalid'>> = refuse

export const unauthenticated: Refuse<CodeOf<'unauthenticated'>> = refuse

export const paymentRequired: Refuse<CodeOf<'payment_required'>> = refuse

export const forbidden: Refuse<CodeOf<'forbidden'>> = refuse

export const notFound: Refuse<CodeOf<'not_found'>> = refuse

/** The current state of the data does not allow the request. */
export const conflict: Refuse<CodeOf<'conflict'>> = refuse

export const tooLarge: Refuse<CodeOf<'too_large'>> = refuse

/** The request exceeds a limit. It can succeed later. */
export const tooMany: Refuse<CodeOf<'too_many'>> = refuse

/** Another service that the request needs failed. */
export const badGateway: Refuse<CodeOf<'bad_gateway'>> = refuse

/** The server cannot handle the request at the moment. */
export const unavailable: Refuse<CodeOf<'unavailable'>> = refuse

/** Returns whether an error says that something does not exist. */
export const isNotFound = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind === 'not_found'
