import type { z } from 'zod'
import { dictionaryOf } from '../platform/http/collections.ts'
import { refuse, text } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'

const headersMax = 10

/** The organization's own headers for requests to its endpoint. `requireHeaders` checks their names. */
export const endpointHeaders = (): z.ZodType<Record<string, string>, unknown> =>
  dictionaryOf(text({ min: 1, max: 1000 }), { max: headersMax })

// Headers of HTTP, and headers that Crosswalk sets.
const reserved = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'expect', 'host'],
  ...['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
])

/** Requires that each header has a valid name and value. @throws ValidationError at the header */
export function requireHeaders(headers: Readonly<Record<string, string>>): void {
  const details = Object.entries(headers).flatMap(([name, value]) => {
    const problem = problemOf(name.toLowerCase(), value)
    return problem === null ? [] : [detailAt(['body', 'headers', name], refuse(problem))]
  })
  if (details.length > 0) throw new ValidationError(details)
}

function problemOf(name: string, value: string): string | null {
  // The characters that RFC 9110 allows in a name and in a value (sections 5.6.2 and 5.5).
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
    return 'this is not the name of a header; use letters, digits and hyphens'
  if (reserved.has(name) || /^(webhook|crosswalk)-/.test(name))
    return 'Crosswalk sets this header; choose another one'
  return /^[\t\x20-\x7e]*$/.test(value) ? null : 'use printable ASCII characters'
}
