import { backgroundCodes } from './background.ts'
import { conflictCodes } from './conflict.ts'
import { limitAndFailureCodes, notFoundCodes, transportCodes, unprocessableCodes } from './others.ts'
import { forbiddenCodes, invalidCodes, paymentRequiredCodes, unauthenticatedCodes } from './refused.ts'

/** The cause of an error, and what to do. */
export type Explanation = { cause: string; cure: string }

export const errorCodes = {
  invalid: invalidCodes,
  unauthenticated: unauthenticatedCodes,
  payment_required: paymentRequiredCodes,
  forbidden: forbiddenCodes,
  not_found: notFoundCodes,
  ...transportCodes,
  conflict: conflictCodes,
  unprocessable: unprocessableCodes,
  ...limitAndFailureCodes,
  background: backgroundCodes,
} as const satisfies Record<string, Record<string, Explanation>>

/**
 * The kind of an error tells a program how to react. `platform/http` gives a status to each kind except `background`.
 */
export type ErrorKind = keyof typeof errorCodes

export type CodeOf<Kind extends ErrorKind> = {
  [Each in Kind]: keyof (typeof errorCodes)[Each] & string
}[Kind]

/** Every code, including the codes that only resources such as imports have. */
export type ErrorCode = CodeOf<ErrorKind>

export type RefusalKind = Exclude<ErrorKind, 'background'>

/** The codes of errors that a feature can throw. */
export type RefusalCode = CodeOf<RefusalKind>

const kinds = new Map(
  (Object.keys(errorCodes) as ErrorKind[]).flatMap((kind) =>
    Object.keys(errorCodes[kind]).map((code) => [code, kind] as const),
  ),
)

/** The kind of an error code. */
export function kindOf<Kind extends ErrorKind>(code: CodeOf<Kind>): Kind {
  return kinds.get(code) as Kind
}

export const everyCode: readonly ErrorCode[] = [...kinds.keys()] as ErrorCode[]

/** Every code that an error answer can have. */
export const refusalCodes: readonly RefusalCode[] = [...kinds].flatMap(([code, kind]) =>
  kind === 'background' ? [] : [code as RefusalCode],
)
