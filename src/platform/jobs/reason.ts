import { ZodError, z } from 'zod'

const reasonMax = 300

/**
 * Why a job failed, for operators: the error's message without what may be somebody's data or a secret. What stands in
 * quotes is left out, and so are addresses, numbers, and all that is as long as a token; the log has the rest.
 */
export function failureReason(error: unknown): string {
  const said = wordsOf(error instanceof Error ? error : new Error(String(error)))
  return said.length > reasonMax ? `${said.slice(0, reasonMax - 1)}…` : said
}

function wordsOf(error: Error): string {
  const { code, constraint, severity } = error as { code?: string; constraint?: string; severity?: string }
  // PostgreSQL's words may hold a value without any quotes around it.
  if (severity !== undefined && code !== undefined) {
    return `PostgreSQL refused a statement (${code}${constraint ? `, ${constraint}` : ''})`
  }
  if (error instanceof ZodError)
    return `The payload is not what it should be: ${masked(z.prettifyError(error))}`
  return masked(error.message) || error.name
}

// Up to the last one: what is quoted may hold quotes itself.
const quoted = /".*"|“[^”]*”|‘[^’]*’|'[^' ]+'/g
const telling =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\w+:\/\/\S+|\S+@\S+|\+?\d[\d ()./-]{5,}\d|[\w.~+/=-]{24,}/gi
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function masked(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(quoted, '"…"')
    .replace(telling, (word) => (uuid.test(word) ? word : '…'))
}
