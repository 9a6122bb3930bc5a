import { z } from 'zod'
import { type ErrorCode, everyCode } from '../error-codes/catalog.ts'

/** The `error` of a resource: the reason why the work behind it failed or waits. */
export type Failure<Code extends ErrorCode = ErrorCode> = { code: Code; message: string }

/**
 * The schema of `error` in a resource: an object with one of `codes`, or null.
 * @param title the name in openapi.json
 */
export function failure<const Codes extends readonly [ErrorCode, ...ErrorCode[]]>(
  title: string,
  codes: Codes,
  description: string,
) {
  return z
    .object({
      code: z.enum(codes).meta({ title: `${title}Code`, description: 'A stable code for programs.' }),
      message: z.string().describe('A text that says what is wrong and what to do.'),
    })
    .meta({ title })
    .nullable()
    .meta({ description, examples: [null] })
}

/** The schema of `code` in an item that failed without failing the rest of its request or file. */
export const errorCode: z.ZodType<ErrorCode> = z.enum(everyCode).meta({
  title: 'ErrorCode',
  examples: ['validation_failed'],
  description: 'A code that is listed in docs/reference/errors.md. Later versions may add codes.',
})
