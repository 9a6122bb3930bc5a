import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../platform/domain-error.ts'

/**
 * If an unknown header begins with one of these texts, it is a misspelling of the header beside it. The texts are in
 * lower case, because Node gives header names in lower case.
 */
const headersByBeginning: readonly (readonly [start: string, header: string])[] = [
  ['x-target-', 'X-Target-Org-Id'],
  ['x-targetorg', 'X-Target-Org-Id'],
  ['x-org', 'X-Org-Id'],
  ['x-idempotency-', 'Idempotency-Key'],
]
const known: ReadonlySet<string> = new Set(headersByBeginning.map(([, header]) => header.toLowerCase()))

const echoedMax = 60

/**
 * Refuses a misspelled header of this API. Otherwise the server would ignore the header, and act on the wrong
 * organization or repeat a write.
 * @throws DomainError invalid that names the correct header
 */
export function refuseMisspelledHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!name.startsWith('x-') || known.has(name)) continue
    const slip = headersByBeginning.find(([start]) => name.startsWith(start))
    if (slip)
      throw invalid(
        'header_misspelled',
        `This API has no header ${name.slice(0, echoedMax)}. Send ${slip[1]}, or leave the header out`,
      )
  }
}
