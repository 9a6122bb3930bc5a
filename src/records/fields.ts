import type { z } from 'zod'
import { readDomain } from '../normalize/domain.ts'
import { readEmail } from '../normalize/email.ts'
import { parsedText, refuse, text } from '../platform/http/fields.ts'
import { Refusal } from '../platform/http/refusal.ts'

/** Empty text clears the field, as null does. */
export const singleLine = (max: number): z.ZodType<string | null | undefined> =>
  text({ max, trim: true }).nullable().optional()

/** @param problem an error text such as "value is not a valid email address: <reason>" */
export function unreadableValue(problem: string): Refusal {
  return new Refusal('value_error', problem, { reason: problem.replace(/^[^:]*: /, '') })
}

export const email = parsedText(
  (value) => {
    const read = readEmail(value)
    return 'email' in read ? read.email : unreadableValue(read.problem)
  },
  { format: 'idn-email', maxLength: 254 },
)

export const domain = parsedText(
  (value) => {
    const read = readDomain(value)
    return 'domain' in read ? read.domain : refuse(read.problem)
  },
  { maxLength: 253, examples: ['acme.example'] },
)
