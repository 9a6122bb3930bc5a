import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../platform/domain-error.ts'

/** How slips of our own headers begin, each with the header that is meant. All in lower case, as Node gives names. */
const meant: readonly (readonly [start: string, header: string])[] = [
  ['x-target-', 'X-Target-Org-Id'],
  ['x-targetorg', 'X-Target-Org-Id'],
  ['x-org', 'X-Org-Id'],
  ['x-idempotency-', 'Idempotency-Key'],
]
const known: ReadonlySet<string> = new Set(meant.map(([, header]) => header.toLowerCase()))

const echoedMax = 60

/**
 * Refuses a header that is a slip of one of ours: the server would ignore it, and act on another organization than the
 * one asked for, or twice.
 * @throws DomainError invalid that names the right header
 */
export function refuseMisspelledHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!name.startsWith('x-') || known.has(name)) continue
    const slip = meant.find(([start]) => name.startsWith(start))
    if (slip)
      throw invalid(
        'header_misspelled',
        `This API has no header ${name.slice(0, echoedMax)}. Send ${slip[1]}, or leave the header out`,
      )
  }
}
