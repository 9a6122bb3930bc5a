/** The answer of another service, with any status. */
export type OutboundAnswer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** The wait that a Retry-After header asks for, in seconds (RFC 9110, section 10.2.3); undefined if there is none. */
export function retryAfterSeconds(retryAfter: string | string[] | undefined): number | undefined {
  if (typeof retryAfter !== 'string') return undefined
  if (/^\s*\d{1,6}\s*$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

/** The maximum length of a text that includes texts of another service. */
const includingMax = 5_000

/** Cuts a text of this server that includes texts of another service, so that it can be stored and listed. */
export const cutText = (text: string): string =>
  text.length <= includingMax ? text : `${text.slice(0, includingMax - 1)}…`.toWellFormed()

/** Only the start of a text is read: to replace the white space of 256 KiB takes milliseconds. */
const shortenedMax = 5_000

/** Shortens a text of another service to one line of at most 500 characters. */
export function shorten(text: string): string {
  const start = text.slice(0, shortenedMax)
  const line = start.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  const isWhole = line.length <= 500 && start.length === text.length
  // The cut text may end in half of a surrogate pair. PostgreSQL cannot store half a pair.
  return (isWhole ? line : `${line.slice(0, 499)}…`).toWellFormed()
}
