import type { z } from 'zod'
import { parsedText, refuse } from './fields.ts'

const lengthMax = 255
const bare = /^(?!")[\x20-\x7e]+$/
// A string in the format of RFC 8941 (section 3.3.3).
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** An Idempotency-Key of 1 to 255 printable ASCII characters. Quotes around a key do not change it. */
export const idempotencyKey: z.ZodType<string, unknown> = parsedText(
  (value) => {
    const key = quoted.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bare.exec(value)?.[0]
    if (key && key.length <= lengthMax) return key
    return refuse(
      `Idempotency-Key takes 1 to ${lengthMax} printable ASCII characters, such as a UUID, bare or in quotes`,
    )
  },
  { minLength: 1, maxLength: lengthMax, pattern: '^[\\x20-\\x7e]+$' },
)
