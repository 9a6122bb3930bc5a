import { z } from 'zod'

/** Why the work behind a resource failed or waits, as its `error`. */
export type Failure<Code extends string = string> = { code: Code; message: string }

/** The schema of `error` in a resource: an object with one of `codes`, or null. */
export function failure<const Codes extends readonly [string, ...string[]]>(
  codes: Codes,
  description: string,
) {
  return z
    .object({
      code: z.enum(codes).describe('Programs can rely on it.'),
      message: z.string().describe('A text that says what is wrong and what to do.'),
    })
    .nullable()
    .describe(description)
}
