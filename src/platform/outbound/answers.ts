/** What a body says as JSON; undefined if it is none. */
export function parseJsonOrUndefined(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The members of a JSON object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** How long Retry-After asks to wait, in seconds (RFC 9110, section 10.2.3); undefined if it does not. */
export function retryAfterSeconds(retryAfter: string | string[] | undefined): number | undefined {
  if (typeof retryAfter !== 'string') return undefined
  if (/^\s*\d{1,6}\s*$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

/** What another service said, on one line and not endless. */
export function shorten(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  // Half a character, theirs or what the cut leaves of one, is none that could be stored.
  return (line.length <= 500 ? line : `${line.slice(0, 499)}…`).toWellFormed()
}
