import { background } from './background.ts'
import { conflict } from './conflict.ts'
import { limitsAndFailures, notFound, transport, unprocessable } from './others.ts'
import { forbidden, invalid, paymentRequired, unauthenticated } from './refused.ts'

/** The cause of an error, and what to do about it. */
export type Explanation = { cause: string; cure: string }

/** All codes of errors, by kind. A code has one meaning and one cure, and it never changes. */
export const errorCodes = {
  invalid,
  unauthenticated,
  payment_required: paymentRequired,
  forbidden,
  not_found: notFound,
  ...transport,
  conflict,
  unprocessable,
  ...limitsAndFailures,
  background,
} as const satisfies Record<string, Record<string, Explanation>>

/** The kind of an error tells a program how to react. `platform/http` gives each kind except `background` a status. */
export type ErrorKind = keyof typeof errorCodes

/** The codes of a kind. */
export type CodeOf<Kind extends ErrorKind> = {
  [Each in Kind]: keyof (typeof errorCodes)[Each] & string
}[Kind]

/** Every code, including the codes that only resources such as imports have. */
export type ErrorCode = CodeOf<ErrorKind>

/** The kinds of errors that refuse a request. Errors of the kind `background` appear only in resources. */
export type RefusalKind = Exclude<ErrorKind, 'background'>

/** The codes of error bodies. */
export type RefusalCode = CodeOf<RefusalKind>

const kinds = new Map(
  (Object.keys(errorCodes) as ErrorKind[]).flatMap((kind) =>
    Object.keys(errorCodes[kind]).map((code) => [code, kind] as const),
  ),
)

/** The kind of a code. */
export function kindOf<Kind extends ErrorKind>(code: CodeOf<Kind>): Kind {
  return kinds.get(code) as Kind
}

/** All codes, in the order of the catalog. */
export const everyCode: readonly ErrorCode[] = [...kinds.keys()] as ErrorCode[]

/** The codes of all error bodies. */
export const refusalCodes: readonly RefusalCode[] = [...kinds].flatMap(([code, kind]) =>
  kind === 'background' ? [] : [code as RefusalCode],
)
