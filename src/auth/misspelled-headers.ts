import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../platform/domain-error.ts'

/** The beginnings of misspelled headers, each with the right header. In lower case, as in Node. */
const headersByBeginning: readonly (readonly [start: string, header: string])[] = [
  ['x-target-', 'X-Target-Org-Id'],
  ['x-targetorg', 'X-Target-Org-Id'],
  ['target-org', 'X-Target-Org-Id'],
  ['x-org', 'X-Org-Id'],
  ['idempot', 'Idempotency-Key'],
  ['x-idempot', 'Idempotency-Key'],
]
const known: ReadonlySet<string> = new Set(headersByBeginning.map(([, header]) => header.toLowerCase()))

const echoedMax = 60

/**
 * Refuses a misspelled header of this API. If it were ignored, the request could act on the wrong organization, or
 * repeat a write.
 * @throws DomainError invalid that names the correct header
 */
export function refuseMisspelledHeaders(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!/^[xti]/.test(name) || known.has(name)) continue
    const spelled = name.replaceAll('_', '-')
    const slip = headersByBeginning.find(([start]) => spelled.startsWith(start))
    if (slip)
      throw invalid(
        'header_misspelled',
        `This API has no header ${name.slice(0, echoedMax)}. Send ${slip[1]}, or leave the header out`,
      )
  }
}
