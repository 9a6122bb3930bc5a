import { ZodError, z } from 'zod'

const reasonMax = 300

/**
 * Returns the error's message for operators, without personal data and secrets. It shows quoted text, addresses,
 * numbers and token-like words as “…”. The log has the full message.
 */
export function failureReason(error: unknown): string {
  const words = reasonText(error instanceof Error ? error : new Error(String(error)))
  return words.length > reasonMax ? `${words.slice(0, reasonMax - 1)}…` : words
}

function reasonText(error: Error): string {
  const { code, constraint, severity } = error as { code?: string; constraint?: string; severity?: string }
  // PostgreSQL's messages can contain values without quotes.
  if (severity !== undefined && code !== undefined) {
    return `PostgreSQL refused a statement (${code}${constraint ? `, ${constraint}` : ''})`
  }
  if (error instanceof ZodError) return `The payload is invalid: ${maskData(z.prettifyError(error))}`
  return maskData(error.message) || error.name
}

// Match up to the last quote: quoted text may contain quotes. If a quote is never closed, the quoted text ends with the
// message.
const quoted = /".*"|“[^”]*(?:”|$)|‘[^’]*(?:’|$)|'[^' ]+'/g
// An address is found from the beginning of its word, or from at most 64 characters before the @ (the maximum of RFC
// 5321). Searching for a longer part at each place of a long word would take seconds.
const sensitive =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\w+:\/\/\S+|(?<!\S)\S+@\S+|\S{1,64}@\S+|\+?\d[\d ()./-]{5,}\d|[\w.~+/=-]{24,}/gi
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function maskData(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(quoted, '"…"')
    .replace(sensitive, (word) => (uuid.test(word) ? word : '…'))
}
