import type { z } from 'zod'
import { readDomain } from '../normalize/domain.ts'
import { readEmail } from '../normalize/email.ts'
import { formatted, refuse, text } from '../platform/http/fields.ts'
import { Refusal } from '../platform/http/refusal.ts'

/** Trimmed text. Empty text clears the field, as null does. */
export const line = (max: number): z.ZodType<string | null | undefined> =>
  text({ max, trim: true }).nullable().optional()

/** Refuses an unreadable value with the reader's own text: "value is not a valid email address: <reason>". */
export function unreadable(problem: string): Refusal {
  return new Refusal('value_error', problem, { reason: problem.replace(/^[^:]*: /, '') })
}

/** An e-mail address, stored as the client sent it. */
export const email = formatted(
  (value) => {
    const read = readEmail(value)
    return 'email' in read ? read.email : unreadable(read.problem)
  },
  { format: 'email', maxLength: 254 },
)

/** A registrable host name, read from a domain or a web address. */
export const domain = formatted(
  (value) => {
    const read = readDomain(value)
    return 'domain' in read ? read.domain : refuse(read.problem)
  },
  { maxLength: 253, examples: ['acme.example'] },
)
